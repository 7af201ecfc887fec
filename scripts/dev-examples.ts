import { type ChildProcess, spawn } from 'node:child_process';
import { createServer as createProbe } from 'node:net';
import { join } from 'node:path';
import type { ViteDevServer } from 'vite';
import type { Shop } from '../dev/schema.ts';

const examples = join(import.meta.dirname, '../examples');
const bun = join(import.meta.dirname, '../node_modules/.bin/bun');

/** The example apps, served alongside the service. */
export interface Examples {
  /** The URL of examples/spa. */
  readonly address: string;
  /**
   * Starts the examples that need a running service: examples/shop-backend and examples/spa-react.
   * @param local the service's address on this machine
   * @returns the URL of examples/spa-react
   */
  openShop(local: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves the examples on sibling origins of the service: other ports, and another host if the service's host is
 * under a parent domain. SPA_PORT sets the first port, and `off` serves none; by default it is 5173, or the
 * next free one.
 * @param service the service's public URL
 * @param scratch a folder for this run: two concurrent runs must not share the files that Vite prepares
 */
export async function serveExamples(service: string, scratch: string): Promise<Examples | null> {
  const chosen = process.env['SPA_PORT'] || undefined;
  if (chosen === 'off') return null;
  const shopPort = await freePort();
  const shopAddress = `http://127.0.0.1:${shopPort}`;
  process.env['VITE_PID_URL'] = service;
  process.env['SHOP_URL'] = shopAddress;
  const port = Number(chosen ?? 5173);
  const serve = (name: string, from: number, strictPort: boolean) =>
    startVite(name, { port: from, strictPort, cacheDir: join(scratch, name) });
  const spa = await serve('spa', port, chosen !== undefined);
  const servers = [spa];
  let shop: ChildProcess | undefined;
  return {
    address: addressOf(spa, service),
    async openShop(local) {
      const react = await serve('spa-react', port + 1, false);
      servers.push(react);
      const origins = servers.map((server) => addressOf(server, service));
      const answer = await fetch(`${local}/dev/shop`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ origins, webhook: `${shopAddress}/webhooks` }),
      });
      if (!answer.ok) throw new Error(`/dev/shop answered ${answer.status}`);
      const { appId, secret, webhookSecret, payee } = (await answer.json()) as Shop;
      const env = {
        PID_URL: service,
        APP_ID: appId,
        APP_SECRET: secret,
        PAYEE: payee,
        PORT: String(shopPort),
      };
      shop = spawn(bun, [join(examples, 'shop-backend/server.ts')], {
        env: { ...process.env, ...env, WEBHOOK_SECRET: webhookSecret },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      // The service and its examples may have ended in the meantime.
      process.once('exit', () => shop?.kill());
      return addressOf(react, service);
    },
    async close() {
      shop?.kill();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

interface Place {
  readonly port: number;
  readonly strictPort: boolean;
  readonly cacheDir: string;
}

async function startVite(name: string, { port, strictPort, cacheDir }: Place): Promise<ViteDevServer> {
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: join(examples, name, 'vite.config.ts'),
    // Every name of this machine leads here; `localhost` may mean only ::1.
    server: { host: '127.0.0.1', port, strictPort },
    cacheDir,
    clearScreen: false,
    logLevel: 'error',
  });
  return server.listen();
}

function addressOf(server: ViteDevServer, service: string): string {
  const bound = server.httpServer?.address();
  const port = typeof bound === 'object' ? bound?.port : undefined;
  const [, ...parents] = new URL(service).hostname.split('.');
  return `http://${['app', ...parents].slice(parents.length > 1 ? 0 : 1).join('.') || 'localhost'}:${port}`;
}

/** A port on which nothing is listening. */
async function freePort(): Promise<number> {
  const probe = createProbe();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const bound = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}
