import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { cookieNames } from '../lib/cookie.ts';
import { acceptedEncoding, type Compressed, type Encoding } from './assets.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const { BROTLI_PARAM_QUALITY: quality } = constants;
const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];
/** Cookies that say how a page looks, and nothing about a person. */
const ofView = new Set(['pid_lang', 'pid_theme']);
/** The `Sec-Fetch-Site` values of requests that our own pages or the person began (Fetch Metadata). */
const ownSites: ReadonlySet<string | null> = new Set(['same-origin', 'none']);

async function compress(encoding: Encoding, body: Bytes, level: number): Promise<Bytes> {
  const packed =
    encoding === 'br' ? brotliAsync(body, { params: { [quality]: level } }) : gzipAsync(body, { level });
  return new Uint8Array(await packed);
}

/** A file that is compressed once and sent often; without what would not become smaller. */
export async function compressFile(body: Bytes): Promise<Compressed> {
  const [br, gzipped] = await Promise.all([compress('br', body, 9), compress('gzip', body, 9)]);
  return br.length < body.length && gzipped.length < body.length ? { br, gzip: gzipped } : {};
}

/**
 * Compresses pages on Bun, which does not do so itself. The length of a compressed page that shows a secret next to what an
 * attacker wrote into its address tells about the secret (BREACH). So a request with cookies of a person gets it only if no
 * other site, not even a sibling, had a part in it: the browser says so of the whole chain of redirects. Without such cookies
 * no page has a secret that is the same twice.
 */
export function compressingPages(
  request: Request,
  answer: Response | Promise<Response>,
): Response | Promise<Response> {
  const { headers } = request;
  if (!headers.get('Accept')?.includes('text/html') || request.method === 'HEAD') return answer;
  const encoding = acceptedEncoding(headers);
  const isSafe =
    ownSites.has(headers.get('Sec-Fetch-Site')) ||
    cookieNames(headers.get('Cookie'), '').every((name) => name === '' || ofView.has(name));
  return encoding === null || !isSafe
    ? answer
    : Promise.resolve(answer).then((page) => compressPage(page, encoding));
}

async function compressPage(page: Response, encoding: Encoding): Promise<Response> {
  if (!page.headers.get('Content-Type')?.startsWith('text/html') || page.body === null) return page;
  const headers = new Headers(page.headers);
  headers.set('Content-Encoding', encoding);
  headers.append('Vary', 'Accept-Encoding');
  headers.delete('Content-Length');
  const body = await compress(encoding, new Uint8Array(await page.arrayBuffer()), 5);
  return new Response(body, { status: page.status, headers });
}
