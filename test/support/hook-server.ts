import { createServer } from 'node:http';
import { listen } from './mail-servers.ts';

/** A delivery as its receiver saw it. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Receivers of webhooks outside the service, which suites on every target reach over HTTP. A POST to `/NAME/500,204` gets
 * these statuses in turn and the last for good; 307 leads to the receiver `NAME-inside`. GET `/NAME` lists what arrived.
 */
export async function startHookServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const received = new Map<string, Received[]>();
  const server = createServer(async (request, response) => {
    const [, name = '', plan = ''] = (request.url ?? '').split('/');
    const mine = received.get(name) ?? [];
    if (request.method === 'GET') {
      response.end(JSON.stringify(mine));
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const statuses = plan.split(',').map(Number);
    const status = statuses[Math.min(mine.length, statuses.length - 1)] ?? 204;
    received.set(name, [...mine, { headers: request.headers as Record<string, string>, body }]);
    if (status === 307) response.setHeader('Location', `/${name}-inside/204`);
    response.writeHead(status).end();
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
