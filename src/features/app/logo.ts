import { first, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, fromUtf8, toBase64url } from '../../lib/encoding.ts';
import { secretHash } from '../../lib/secret.ts';
import { mayCall } from './address.ts';
import type { appLogos } from './tables.ts';

const maxLogoBytes = 64_000;
const timeoutMs = 5000;

/** A fetched logo. */
export type Logo = Pick<Row<typeof appLogos>, 'hash' | 'type' | 'data'>;

/**
 * Fetches a logo once, at registration. Pages show the stored copy, so no visitor's browser calls the app.
 * @throws AppError validation_failed
 */
export async function fetchLogo(deps: Deps, url: string): Promise<Logo> {
  if (!mayCall(deps, url)) throw new AppError('validation_failed', ['logoUrl must be a public https URL']);
  const headers = { Accept: 'image/*', 'User-Agent': 'Peridot' };
  const { status, bytes } = await deps
    .callOut({ url, headers, timeoutMs, maxBytes: maxLogoBytes })
    .catch((cause: unknown) => {
      throw refused('no answer', cause);
    });
  const type = status === 200 && bytes ? typeOf(bytes) : null;
  if (!bytes || type === null) throw refused(`status ${status}, or no image`);
  const data = toBase64url(bytes);
  return { hash: secretHash(data).slice(0, 32), type, data };
}

/** One text for all faults, because details would reveal the operator's network. */
function refused(reason: string, cause?: unknown): AppError {
  const rule =
    'logoUrl must answer within 5 seconds without a redirect: a PNG, JPEG or WebP image, or an SVG of plain shapes, of at most 64 kB';
  return new AppError('validation_failed', [rule], { reason, cause });
}

/** Formats by their magic bytes and offset (WHATWG MIME Sniffing); the Content-Type header is ignored. */
const formats = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/webp', 8, 'WEBPVP'],
] as const;

function typeOf(bytes: Uint8Array): Logo['type'] | null {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const [type] = formats.find(([, at, mark]) => start.startsWith(mark, at)) ?? [];
  return type ?? (isPlainSvg(fromUtf8(bytes)) ? 'image/svg+xml' : null);
}

/** An SVG without scripts, styles, links, entities or other documents. The check is an allowlist. */
function isPlainSvg(text: string): boolean {
  const body = withoutComments(text.replace(/^\ufeff?\s*(<\?xml[^>]*\?>)?\s*/, ''));
  if (!/^<svg[\s>]/.test(body) || /<[!?]/.test(body) || !body.trimEnd().endsWith('>')) return false;
  const elements = [...body.matchAll(/<\/?([^\s/>]*)/g)].map(([, name = '']) => name);
  const attributes = [...body.matchAll(/[\s"'/]([^\s=<>"'/]+)\s*=/g)].map(([, name = '']) => name);
  return (
    elements.every((name) => shapes.has(name)) && !attributes.some(isActive) && !/url\(\s*[^#\s]/i.test(body)
  );
}

/**
 * Scans each part only once: a regular expression would search the rest of the text for the end of every unclosed
 * comment.
 */
function withoutComments(text: string): string {
  const [before, ...comments] = text.split('<!--');
  const rests = comments.map((comment) => {
    const end = comment.indexOf('-->');
    return end < 0 ? '<!--' : comment.slice(end + '-->'.length);
  });
  return [before, ...rests].join('');
}

const shapes = new Set(
  (
    'svg g path circle ellipse rect line polyline polygon text tspan title desc defs symbol mask clipPath ' +
    'linearGradient radialGradient stop'
  ).split(' '),
);
const isActive = (name: string) => /^(on|href|xlink:href|style|src)/i.test(name);

/** Replaces an app's stored logo; null removes it. */
export function keepLogo(id: string, logo: Logo | null, when: SQL): Statement {
  if (logo === null) return statement(sql`DELETE FROM app_logos WHERE app_id = ${id} AND ${when}`);
  return statement(sql`INSERT INTO app_logos (app_id, hash, type, data)
    SELECT ${id}, ${logo.hash}, ${logo.type}, ${logo.data} WHERE ${when}
    ON CONFLICT (app_id) DO UPDATE SET hash = excluded.hash, type = excluded.type, data = excluded.data`);
}

/** An active app's logo. @throws AppError not_found, also for a former logo */
export async function readLogo(
  { db }: Deps,
  id: string,
  hash: string,
): Promise<{ readonly type: Logo['type']; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const row = await first(
    db,
    statement<Logo>(sql`SELECT l.hash, l.type, l.data FROM app_logos l
      JOIN apps a ON a.id = l.app_id AND a.status = 'active' WHERE l.app_id = ${id} AND l.hash = ${hash}`),
  );
  const bytes = row && fromBase64url(row.data);
  if (!bytes) throw new AppError('not_found');
  return { type: row.type, bytes };
}
