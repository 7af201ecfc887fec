import { createHash } from 'node:crypto';
import { utf8 } from '../lib/encoding.ts';

/** Answers a request for a file of `public/`; null for all others. */
export type Assets = (request: Request) => Response | null;

const types = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
]);

interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Record<string, string>;
}

/**
 * Reads the static files that Workers serves by itself, each with its headers from `public/_headers`. Pages are
 * served without `.html`.
 * @param read reads a file of `public/`
 */
export async function readAssets(read: (name: string) => Promise<string>): Promise<Assets> {
  const assets = new Map<string, Asset>();
  for (const [path, headers] of parseHeaders(await read('_headers'))) {
    const name = (/\.\w+$/.test(path) ? path : `${path}.html`).slice(1);
    const body = utf8(await read(name));
    const type = types.get(name.split('.').at(-1) ?? '') ?? 'application/octet-stream';
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    assets.set(path, { body, headers: { ...headers, 'Content-Type': type, ETag: etag } });
  }
  return (request) => {
    const asset = assets.get(pathOf(request.url));
    if (!asset) return null;
    const { body, headers } = asset;
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(headers);
    if (isKnown(request, headers['ETag'])) return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  };
}

/** The same answer as on Workers. */
function notAllowed({ 'Content-Type': _, ETag: __, ...headers }: Record<string, string>): Response {
  return new Response(null, { status: 405, headers: { ...headers, Allow: 'GET, HEAD' } });
}

/** The path as sent: without decoding, only one spelling leads to a file. */
function pathOf(url: string): string {
  return /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? '';
}

/** Whether the client has this version (RFC 9110 section 13.1.2, weak comparison). */
function isKnown(request: Request, etag: string | undefined): boolean {
  const known = (request.headers.get('If-None-Match') ?? '').split(',').map((tag) => tag.trim());
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

function parseHeaders(text: string): Map<string, Record<string, string>> {
  const blocks = new Map<string, Record<string, string>>();
  let current: Record<string, string> = {};
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
