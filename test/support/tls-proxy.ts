import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './certificate.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface TlsProxy {
  readonly port: number;
  /** Its certificate, in PEM, for clients that should trust it. */
  readonly cert: string;
  stop(): Promise<void>;
}

/** Terminates TLS on this machine, and routes by host name; `localhost` may be requested with any port. */
export async function startTlsProxy(answers: Record<string, Answer>): Promise<TlsProxy> {
  const certificate = makeCertificate();
  const server = createServer(certificate, (request, response) => {
    const answer = answers[request.headers.host?.replace(/^localhost:.*/, 'localhost') ?? ''];
    if (answer) answer(request, response);
    else response.writeHead(502).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cert: certificate.cert,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A reverse proxy as in docs/deploying.md, which terminates TLS and forwards the client's address, unless the address
 * is to be hidden.
 */
export function forwardTo(address: string, isHidden = false): Answer {
  return (request, response) => {
    const { method, headers, url, socket } = request;
    const forwarded = !isHidden && {
      'x-forwarded-for': socket.remoteAddress,
      'x-forwarded-host': headers.host,
      'x-forwarded-proto': 'https',
    };
    const onward = send(`${address}${url}`, { method, headers: { ...headers, ...forwarded } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
}
