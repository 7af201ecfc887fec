import { type ClientRequest, request as httpRequest } from 'node:http';
import type { TargetRequest } from './target.ts';

/**
 * Sends a request to a port of this machine with node:http rather than fetch, because node:http sends exactly the given
 * headers.
 */
export function sendTo(port: number, path: string, init: TargetRequest = {}): Promise<Response> {
  const url = new URL(path, `http://127.0.0.1:${port}`);
  return new Promise((resolve, reject) => {
    const options = { method: init.method ?? 'GET', headers: init.headers ?? {}, agent: false as const };
    const request = httpRequest(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const headers = new Headers();
        for (let index = 0; index < answer.rawHeaders.length; index += 2) {
          headers.append(answer.rawHeaders[index] ?? '', answer.rawHeaders[index + 1] ?? '');
        }
        const status = answer.statusCode ?? 0;
        const body = status === 204 || status === 304 ? null : Buffer.concat(chunks);
        resolve(new Response(body, { status, headers }));
      });
    });
    request.on('error', reject);
    void sendBody(request, Buffer.from(init.body ?? ''), init.chunked ?? false);
  });
}

const pieceBytes = 65_536;

/**
 * Sends a body in pieces until the response arrives, because a server that has rejected a body may hang up on the rest.
 */
async function sendBody(request: ClientRequest, body: Buffer, chunked: boolean): Promise<void> {
  let answered = false;
  request.once('response', () => {
    answered = true;
  });
  if (chunked) request.setHeader('Transfer-Encoding', 'chunked');
  else if (body.length > 0) request.setHeader('Content-Length', body.length);
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (answered || request.destroyed) return;
    request.write(body.subarray(at, at + pieceBytes));
    await new Promise((resolve) => setImmediate(resolve));
  }
  request.end();
}
