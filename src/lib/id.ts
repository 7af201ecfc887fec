import { toBase32, utf8 } from './encoding.ts';
import { secretHash } from './secret.ts';

/**
 * Creates an id: the prefix and a UUIDv7 (RFC 9562) in base32, so that ids sort by creation time.
 * @param now epoch milliseconds
 */
export function createId(
  prefix:
    | 'ses'
    | 'crd'
    | 'mai'
    | 'app'
    | 'sec'
    | 'evt'
    | 'grt'
    | 'aps'
    | 'trf'
    | 'adj'
    | 'wdr'
    | 'dep'
    | 'prp'
    | 'rep',
  now: number,
  randomBytes: (length: number) => Uint8Array,
): string {
  const bytes = new Uint8Array(16);
  bytes.set(randomBytes(10), 6);
  new DataView(bytes.buffer).setUint32(0, Math.floor(now / 0x10000));
  new DataView(bytes.buffer).setUint16(4, now % 0x10000);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${prefix}_${toBase32(bytes)}`;
}

/** An id derived from text, so that its subject is stored only once. */
export function derivedId(prefix: 'adj', text: string): string {
  return `${prefix}_${toBase32(utf8(secretHash(text)).slice(0, 16))}`;
}

/** A permanent identity as shown to people; only the handle is stored. */
export function pidOf(handle: string): string {
  return `${handle}@pid`;
}

const pidPattern = /^([a-z0-9][a-z0-9._-]{1,28}[a-z0-9])@pid$/;

/** Returns the handle of a PID; null for anything else. */
export function handleOf(pid: string): string | null {
  return pidPattern.exec(pid)?.[1] ?? null;
}

/** The id of a popup request, created by its opener: 128 bits in canonical base64url. */
export const popupIdPattern: RegExp = /^[\w-]{21}[AQgw]$/;

export function isPopupId(text: string | null | undefined): text is string {
  return typeof text === 'string' && popupIdPattern.test(text);
}

/** A time as formatted in JSON and on pages. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
