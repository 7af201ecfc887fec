import { first, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, toBase64url } from '../../lib/encoding.ts';
import { secretHash } from '../../lib/secret.ts';
import { mayCall } from './address.ts';
import type { appLogos } from './tables.ts';

const maxLogoBytes = 64_000;
const maxPixels = 1024;
const timeoutMs = 5000;
const signatureBytes = 8;

/** A fetched logo. */
export type Logo = Pick<Row<typeof appLogos>, 'hash' | 'data'>;

/**
 * Fetches a logo once, at registration. Pages show the stored copy, so no visitor's browser calls the app.
 * @throws AppError validation_failed
 */
export async function fetchLogo(deps: Deps, url: string): Promise<Logo> {
  if (!mayCall(deps, url)) throw new AppError('validation_failed', ['logoUrl must be a public https URL']);
  const headers = { Accept: 'image/png', 'User-Agent': 'Peridot' };
  const { status, bytes } = await deps
    .callOut({ url, headers, timeoutMs, maxBytes: maxLogoBytes })
    .catch((cause: unknown) => {
      throw refused('no answer', cause);
    });
  if (status !== 200 || !bytes || !isSmallPng(bytes)) throw refused(`status ${status}, or no small PNG`);
  const data = toBase64url(bytes);
  return { hash: secretHash(data).slice(0, 32), data };
}

/** All faults have the same text, because details would reveal the operator's network. */
function refused(reason: string, cause?: unknown): AppError {
  const rule =
    'logoUrl must answer within 5 seconds without a redirect: a PNG of at most 1,024 by 1,024 pixels and 64 kB';
  return new AppError('validation_failed', [rule], { reason, cause });
}

/**
 * The signature of a PNG, and its header up to the name, that is, its first chunk, of 13 bytes (PNG, section 11.2.1).
 */
const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

/**
 * Checks that a browser can render an image cheaply. Only a PNG states its size in its first bytes. A few nested shapes
 * in an SVG, or a few bytes that decompress to gigabytes, would freeze the page. Animated images are also rejected.
 */
function isSmallPng(bytes: Uint8Array): boolean {
  if (bytes.length < 33 || pngStart.some((byte, at) => bytes[at] !== byte)) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sides = [view.getUint32(16), view.getUint32(20)];
  return sides.every((side) => side >= 1 && side <= maxPixels) && isStill(view);
}

/**
 * Whether the image comes before a chunk `acTL`, which would animate it (PNG, section 11.3.6.1). Each chunk begins with its length and
 * name, and ends with a checksum.
 */
function isStill(view: DataView): boolean {
  const [image, animation] = [0x49444154, 0x6163544c];
  for (let at = signatureBytes; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const name = view.getUint32(at + 4);
    if (name === image || name === animation) return name === image;
  }
  return false;
}

/** Replaces an active app's stored logo; null removes it. */
export function keepLogo(id: string, logo: Logo | null, when: SQL): Statement {
  if (logo === null) return statement(sql`DELETE FROM app_logos WHERE app_id = ${id} AND ${when}`);
  return statement(sql`INSERT INTO app_logos (app_id, hash, data)
    SELECT a.id, ${logo.hash}, ${logo.data} FROM apps a WHERE a.id = ${id} AND a.status = 'active' AND ${when}
    ON CONFLICT (app_id) DO UPDATE SET hash = excluded.hash, data = excluded.data`);
}

/** Returns an active app's logo, a PNG. @throws AppError not_found, including for a former logo */
export async function readLogo({ db }: Deps, id: string, hash: string): Promise<Uint8Array<ArrayBuffer>> {
  const row = await first(
    db,
    statement<Pick<Logo, 'data'>>(sql`SELECT l.data FROM app_logos l
      JOIN apps a ON a.id = l.app_id AND a.status = 'active' WHERE l.app_id = ${id} AND l.hash = ${hash}`),
  );
  const bytes = row && fromBase64url(row.data);
  if (!bytes) throw new AppError('not_found');
  return bytes;
}
