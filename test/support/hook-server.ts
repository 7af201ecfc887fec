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
 * A PUT to `/.well-known/` sets what a GET there answers under that host: `status`, `headers` and `text`.
 */
export async function startHookServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const received = new Map<string, Received[]>();
  const proofs = new Map<string, { status?: number; headers?: Record<string, string>; text?: string }>();
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/.well-known/')) {
      let given = '';
      for await (const chunk of request) given += chunk;
      const host = request.headers.host ?? '';
      const isPut = request.method === 'PUT';
      if (isPut) proofs.set(host, JSON.parse(given));
      const { status = 200, headers, text = '' } = isPut ? {} : (proofs.get(host) ?? { status: 404 });
      response.writeHead(status, headers).end(text);
      return;
    }
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
