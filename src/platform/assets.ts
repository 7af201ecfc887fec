import { createHash } from 'node:crypto';
import { fromUtf8 } from '../lib/encoding.ts';
import { getOrInsert } from '../lib/memoize.ts';

/** Serves files in `public/`; null for all other requests. */
export type Assets = (request: Request) => Promise<Response> | null;

const types = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['ts', 'text/plain; charset=utf-8'],
  ['tgz', 'application/gzip'],
  ['svg', 'image/svg+xml; charset=utf-8'],
  ['png', 'image/png'],
]);

type Bytes = Uint8Array<ArrayBuffer>;
type Headers = Record<string, string>;

/** A content coding (RFC 9110 section 8.4.1), the preferred one first. */
export type Encoding = (typeof encodings)[number];
const encodings = ['br', 'gzip'] as const;

/** A body in the encodings that shrink it. */
export type Compressed = Partial<Record<Encoding, Bytes>>;

interface Asset {
  readonly body: Bytes;
  readonly headers: Headers;
  readonly compressed: () => Promise<Compressed>;
}

/**
 * Reads the static files that Workers serves without running code, each with its headers from `public/_headers`; a file
 * without headers there is not served. Pages are served without `.html`.
 * @param names all files in `public/`
 * @param read reads one of these files, on its first request
 * @param compress compresses text on the same request, if the platform does not
 */
export function readAssets(
  names: readonly string[],
  read: (name: string) => Bytes,
  compress?: (body: Bytes) => Promise<Compressed>,
): Assets {
  const assets = new Map<string, Asset>();
  const blocks = parseHeaders(fromUtf8(read('_headers')));
  const paths = new Map(names.map((name) => [`/${name.replace(/\.html$/, '')}`, name]));
  const readAsset = (name: string, headers: Headers): Asset => {
    const body = read(name);
    const type = types.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const isText = compress !== undefined && type.endsWith('charset=utf-8');
    const vary = isText ? { Vary: 'Accept-Encoding' } : {};
    let compressed: Promise<Compressed> | undefined;
    const compressOnce = () => {
      compressed ??= isText ? compress(body) : Promise.resolve({});
      return compressed;
    };
    return {
      body,
      headers: { ...headers, ...vary, 'Content-Type': type, ETag: etag },
      compressed: compressOnce,
    };
  };
  return (request) => {
    const path = pathOf(request.url);
    const name = paths.get(path);
    const headers = name === undefined ? undefined : headersOf(path, blocks);
    if (name === undefined || headers === undefined) return null;
    return respond(
      request,
      getOrInsert(assets, path, () => readAsset(name, headers)),
    );
  };
}

async function respond(request: Request, asset: Asset): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(asset.headers);
  const { body, headers } = await inEncoding(asset, acceptedEncoding(request.headers));
  if (isKnown(request, headers['ETag'])) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

/** Each encoding is a representation with a separate entity tag (RFC 9110 section 8.8.3.3). */
async function inEncoding(
  { body, headers, compressed }: Asset,
  encoding: Encoding | null,
): Promise<Omit<Asset, 'compressed'>> {
  const packed = encoding === null ? undefined : (await compressed())[encoding];
  if (encoding === null || packed === undefined) return { body, headers };
  const ETag = headers['ETag']?.replace(/"$/, `-${encoding}"`) ?? '';
  return { body: packed, headers: { ...headers, ETag, 'Content-Encoding': encoding } };
}

/** The response encoding; null for none (RFC 9110 section 12.5.3). */
export function acceptedEncoding(headers: Request['headers']): Encoding | null {
  const accepted = (headers.get('Accept-Encoding') ?? '').split(',').flatMap((part) => {
    const [name = '', weight = 'q=1'] = part.split(';').map((text) => text.trim().toLowerCase());
    return Number(weight.replace(/^q=/, '')) > 0 ? name : [];
  });
  return encodings.find((encoding) => accepted.includes(encoding)) ?? null;
}

/** The headers of a path: its own block, or that of its folder (`/folder/*`). */
function headersOf(path: string, blocks: ReadonlyMap<string, Headers>): Headers | undefined {
  return blocks.get(path) ?? blocks.get(path.replace(/[^/]+$/, '*'));
}

/** The same response as on Workers. */
function notAllowed({ 'Content-Type': _, ETag: __, ...headers }: Headers): Response {
  return new Response(null, { status: 405, headers: { ...headers, Allow: 'GET, HEAD' } });
}

/** The path as sent. Without decoding, only one spelling leads to a file. */
function pathOf(url: string): string {
  // A host has at least one character, so this finds the path for either scheme.
  const start = url.indexOf('/', 'https://'.length);
  const end = url.indexOf('?', start);
  return url.slice(start, end < 0 ? undefined : end);
}

/** Returns whether the client has this version (RFC 9110 section 13.1.2, weak comparison). */
function isKnown(request: Request, etag: string | undefined): boolean {
  const known = (request.headers.get('If-None-Match') ?? '').split(',').map((tag) => tag.trim());
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

function parseHeaders(text: string): Map<string, Headers> {
  const blocks = new Map<string, Headers>();
  let current: Headers = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    if (!line.startsWith(' ')) {
      current = {};
      blocks.set(line.trim(), current);
      continue;
    }
    const colon = line.indexOf(':');
    current[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return blocks;
}
