import { createServer } from 'node:http';
import { listen } from './mail-servers.ts';

/** A delivery as received. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Proof {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
  /** The body as base64, in place of `text`. */
  readonly base64?: string;
  readonly held?: boolean;
}

/**
 * Webhook receivers outside the service, which suites on every target reach over HTTP. A POST to `/NAME/500,204`
 * returns these statuses in turn, repeating the last; 307 redirects to the receiver `NAME-inside`. GET `/NAME` lists
 * the deliveries. A PUT to `/.well-known/` sets the response to a GET there under that host: `status`, `headers` and
 * `text` or `base64`. With `held` the response waits for a DELETE of `/held`, where a GET returns how many are waiting.
 */
export async function startHookServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const received = new Map<string, Received[]>();
  const proofs = new Map<string, Proof>();
  const held: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/.well-known/')) {
      let given = '';
      for await (const chunk of request) given += chunk;
      const address = `${request.headers.host}${request.url}`;
      const isPut = request.method === 'PUT';
      if (isPut) proofs.set(address, JSON.parse(given));
      const proof: Proof = isPut ? {} : (proofs.get(address) ?? { status: 404 });
      const { status = 200, headers, text = '', base64 } = proof;
      if (proof.held) await new Promise<void>((resolve) => held.push(resolve));
      response.writeHead(status, headers).end(base64 ? Buffer.from(base64, 'base64') : text);
      return;
    }
    if (request.url === '/held') {
      response.end(String(held.length));
      if (request.method === 'DELETE') for (const release of held.splice(0)) release();
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
