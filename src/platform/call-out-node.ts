import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { CallAnswer, Deps, OutgoingCall } from '../deps.ts';
import { isLoopbackHost } from '../lib/origin.ts';
import { isPublicAddress } from '../lib/public-url.ts';
import { type Resolve, resolveName } from './resolve-name.ts';

/** The error for both unknown and private names: different errors would let strangers map the operator's network. */
const notPublic = 'the address is not public';

/**
 * Calls to untrusted URLs, on runtimes that can resolve names: each address of a name must be public, and the
 * connection uses only the checked addresses, so that the name cannot resolve elsewhere in between.
 */
export function pinnedCallOut(resolve: Resolve = resolveName): Deps['callOut'] {
  return ({ url, headers, body, maxBytes, timeoutMs }: OutgoingCall) =>
    new Promise<CallAnswer>((answered, failed) => {
      const { protocol, hostname } = new URL(url);
      const send = protocol === 'https:' ? overHttps : overHttp;
      const outgoing = send(
        url,
        {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...headers,
            ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
          },
          agent: false,
          lookup: (name, { all }, done) => {
            const refuse = () => done(new Error(notPublic), '', 0);
            resolve(name).then((found) => {
              const [first] = found;
              if (!first || !arePublic(hostname, found)) refuse();
              else if (all) done(null, [...found]);
              else done(null, first.address, first.family);
            }, refuse);
          },
        },
        (answer) => {
          readBytes(answer, maxBytes)
            .then((body) => {
              const { statusCode: status = 0, headers: given } = answer;
              answered({
                status,
                retryAfter: given['retry-after'] ?? null,
                contentType: given['content-type'] ?? null,
                cacheControl: given['cache-control'] ?? null,
                ...body,
              });
            }, failed)
            .finally(() => {
              clearTimeout(timer);
              outgoing.destroy();
            });
        },
      );
      const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), timeoutMs);
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        failed(error);
      });
      outgoing.end(body);
    });
}

/** Reads no more than the limit, because a body may be endless. */
async function readBytes(answer: IncomingMessage, maxBytes?: number): Promise<Pick<CallAnswer, 'bytes'>> {
  if (maxBytes === undefined) return {};
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}

function arePublic(hostname: string, found: readonly LookupAddress[]): boolean {
  // The caller accepts such a name only in development.
  return isLoopbackHost(hostname) || found.every(({ address }) => isPublicAddress(address));
}
