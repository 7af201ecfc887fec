import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The list of a release, in the format of `sha256sum`, which treats the lines about key and signature as comments. */
export const listName = 'SHA256SUMS';

/** @param key a private Ed25519 key as PEM */
export function signedList(files: ReadonlyMap<string, Buffer>, key: string): string {
  const secret = createPrivateKey(key);
  const sums = [...files].sort().map(([name, content]) => `${sha256(content)}  ${name}\n`);
  const text = `# key ${textOf(createPublicKey(secret))}\n${sums.join('')}`;
  return `${text}# signature ${sign(null, Buffer.from(text), secret).toString('base64url')}\n`;
}

/** A public key in the format of the list and of `--key`: its 32 bytes in base64url. */
export function textOf(key: KeyObject): string {
  return key.export({ format: 'jwk' }).x ?? '';
}

/**
 * Compares a file with the list in its folder.
 * @param pinned the key that must have signed the list; by default the list's own key
 * @returns the problem, or null
 */
export function problemOf(file: string, pinned?: string): string | null {
  const name = basename(file);
  const list = join(dirname(file), listName);
  if (!existsSync(list)) return `${name}: there is no ${listName} next to it`;
  const text = readFileSync(list, 'utf8');
  const [, key = '', signature = ''] = /^# key ([\w-]{43})\n[^#]*# signature ([\w-]{86})\n$/.exec(text) ?? [];
  if (pinned !== undefined && pinned !== key) return `${listName}: not signed with the key ${pinned}`;
  const signed = Buffer.from(text.slice(0, text.lastIndexOf('# signature')));
  if (key === '' || !verify(null, signed, publicKey(key), Buffer.from(signature, 'base64url')))
    return `${listName}: its signature does not match`;
  const listed = text.split('\n').find((line) => line.slice(66) === name);
  if (listed === undefined) return `${name}: not a file of this release`;
  if (!existsSync(file)) return `${name}: does not exist`;
  return listed.startsWith(sha256(readFileSync(file))) ? null : `${name}: differs from the released file`;
}

function publicKey(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
