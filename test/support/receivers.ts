import { createServer, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { listen } from './mail-servers.ts';

/** A delivery as received. */
export interface Received {
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A webhook receiver on a free port of this machine. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Verifies each delivery's signature with this secret, using the reference implementation. */
  verify(secret: string): void;
  stop(): Promise<void>;
}

type Answer = { readonly status: number; readonly headers?: Record<string, string> } | 'hang';

/** @param answer the response, by the number of earlier deliveries */
export async function startReceiver(
  answer: (count: number) => Answer = () => ({ status: 204 }),
): Promise<Receiver> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = request.headers as Record<string, string>;
    const given = answer(received.length);
    received.push({ id: headers['webhook-id'] ?? '', body, headers });
    if (given !== 'hang') response.writeHead(given.status, given.headers).end();
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}/hooks`,
    received,
    verify(secret) {
      for (const { body, headers } of received) new Webhook(secret).verify(body, headers);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
