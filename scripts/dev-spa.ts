import { join } from 'node:path';
import type { ViteDevServer } from 'vite';

/** The example app, served beside the service. */
export interface ExampleApp {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves examples/spa on a sibling origin of the service: another port, and another host where the service has one
 * under a parent domain of its own. SPA_PORT chooses the port, and `off` serves none; otherwise it is 5173, or the
 * next one that is free.
 * @param service the service's public address
 */
export async function serveExample(service: string): Promise<ExampleApp | null> {
  const chosen = process.env['SPA_PORT'] || undefined;
  if (chosen === 'off') return null;
  const { createServer } = await import('vite');
  process.env['VITE_PID_URL'] = service;
  const server = await createServer({
    configFile: join(import.meta.dirname, '../examples/spa/vite.config.ts'),
    // Every name of this machine leads here; `localhost` alone may mean ::1 only.
    server: { host: '127.0.0.1', port: Number(chosen ?? 5173), strictPort: chosen !== undefined },
    clearScreen: false,
    logLevel: 'error',
  });
  await server.listen();
  return { address: addressOf(server, service), close: () => server.close() };
}

function addressOf(server: ViteDevServer, service: string): string {
  const bound = server.httpServer?.address();
  const port = typeof bound === 'object' ? bound?.port : undefined;
  const [, ...parents] = new URL(service).hostname.split('.');
  return `http://${['app', ...parents].slice(parents.length > 1 ? 0 : 1).join('.') || 'localhost'}:${port}`;
}
