import { type ChildProcess, spawn } from 'node:child_process';
import { createServer as createProbe } from 'node:net';
import { join } from 'node:path';
import type { PreviewServer, ViteDevServer } from 'vite';
import type { Shop } from '../dev/schema.ts';

const examples = join(import.meta.dirname, '../examples');
const bun = join(import.meta.dirname, '../node_modules/.bin/bun');

/** The example apps, served alongside the service. */
export interface Examples {
  /** The URL of examples/shop. */
  readonly shop: string;
  /** The URL of examples/spa. */
  readonly spa: string;
  /** Starts the shop's back end. @param local the address on this machine of the running service */
  openShop(local: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves the examples on sibling origins of the service: other ports, and another host if the service's host is under a
 * parent domain. SPA_PORT sets the shop's port, or `off` disables the examples; the default is 5173, or the next free
 * port.
 * @param service the service's public URL
 * @param scratch a folder for this run: two concurrent runs must not share the files that Vite prepares
 * @param start how Vite serves them: from source by default
 */
export async function serveExamples(
  service: string,
  scratch: string,
  start: typeof startVite | typeof startBuilt = startVite,
): Promise<Examples | null> {
  const chosen = process.env['SPA_PORT'] || undefined;
  if (chosen === 'off') return null;
  const shopPort = await freePort();
  const shopAddress = `http://127.0.0.1:${shopPort}`;
  process.env['VITE_PID_URL'] = service;
  process.env['SHOP_URL'] = shopAddress;
  const port = Number(chosen ?? 5173);
  const serve = (name: string, from: number, strictPort: boolean) =>
    start(name, { port: from, strictPort, cacheDir: join(scratch, name) });
  const shop = await serve('shop', port, chosen !== undefined);
  const spa = await serve('spa', port + 1, false);
  const origin = addressOf(shop, service);
  let backEnd: ChildProcess | undefined;
  return {
    shop: origin,
    spa: addressOf(spa, service),
    async openShop(local) {
      const answer = await fetch(`${local}/dev/shop`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          origins: [origin, addressOf(spa, service)],
          webhook: `${shopAddress}/webhooks`,
        }),
      });
      if (!answer.ok) throw new Error(`/dev/shop answered ${answer.status}`);
      const { appId, secret, webhookSecret, payee } = (await answer.json()) as Shop;
      const env = { PID_URL: service, APP_ID: appId, APP_SECRET: secret, WEBHOOK_SECRET: webhookSecret };
      backEnd = spawn(bun, [join(examples, 'shop/server.ts')], {
        env: { ...process.env, ...env, PAYEE: payee, ORIGIN: origin, PORT: String(shopPort) },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      // The service and its examples may have ended in the meantime.
      process.once('exit', () => backEnd?.kill());
      await isUp(`${shopAddress}/shop`, () => backEnd?.exitCode === null);
    },
    async close() {
      backEnd?.kill();
      await Promise.all([shop.close(), spa.close()]);
    },
  };
}

/** Waits until an address responds, for at most half a minute. @param lives false if it never will */
export async function isUp(address: string, lives: () => boolean): Promise<boolean> {
  for (let attempt = 0; lives() && attempt < 300; attempt += 1) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
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

/** Serves an example as built for production. */
export async function startBuilt(
  name: string,
  { port, strictPort, cacheDir }: Place,
): Promise<PreviewServer> {
  const { build, preview } = await import('vite');
  const settings = {
    configFile: join(examples, name, 'vite.config.ts'),
    build: { outDir: cacheDir },
    logLevel: 'error',
  } as const;
  await build(settings);
  return preview({ ...settings, preview: { host: '127.0.0.1', port, strictPort } });
}

function addressOf(server: ViteDevServer | PreviewServer, service: string): string {
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
