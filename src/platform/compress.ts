import { cookieNames } from '../lib/cookie.ts';
import { memoize } from '../lib/memoize.ts';
import { acceptedEncoding, type Compressed, type Encoding } from './assets.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const loadZlib = memoize(async () => {
  const [{ promisify }, zlib] = await Promise.all([import('node:util'), import('node:zlib')]);
  const { brotliCompress, constants, gzip } = zlib;
  return {
    brotli: promisify(brotliCompress),
    quality: constants.BROTLI_PARAM_QUALITY,
    window: constants.BROTLI_PARAM_LGWIN,
    gzip: promisify(gzip),
  };
});
/** Cookies about a page's appearance, not about a person. */
const ofView = new Set(['pid_lang', 'pid_theme']);
/** The `Sec-Fetch-Site` values of requests started by our own pages or the person (Fetch Metadata). */
const ownSites: ReadonlySet<string | null> = new Set(['same-origin', 'none']);

async function compress(encoding: Encoding, body: Bytes, level: number): Promise<Bytes> {
  const { brotli, quality, window, gzip } = await loadZlib();
  const packed =
    encoding === 'br'
      ? brotli(body, { params: { [quality]: level, [window]: windowOf(body.length) } })
      : gzip(body, { level });
  return new Uint8Array(await packed);
}

/**
 * The smallest window that contains the whole body, as a power of two (RFC 7932 section 9.1). With the default of 4 MiB,
 * a file of 40 kB takes 22 MB of memory instead of 7 and twice the CPU time, and a page an eighth more.
 */
function windowOf(bytes: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), 10), 22);
}

/** A file that is compressed once and sent often; encodings that would not shrink it are omitted. */
export async function compressFile(body: Bytes): Promise<Compressed> {
  const [br, gzipped] = await Promise.all([compress('br', body, 9), compress('gzip', body, 9)]);
  return br.length < body.length && gzipped.length < body.length ? { br, gzip: gzipped } : {};
}

/**
 * Compresses pages on Bun, which does not do so itself. If a page contains both a secret and text that an attacker put
 * into its URL, its compressed length leaks the secret (BREACH). So the response to a request with a person's cookies
 * is compressed only if no other site, not even a sibling, was involved, which the browser reports for the whole
 * redirect chain. Without such cookies no page repeats a secret.
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
