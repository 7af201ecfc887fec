import { createHash } from 'node:crypto';

/** Gallery states shown in the documents, by the name of their picture in docs/images. */
export const documented = { signin: 'sign-in-email', claim: 'claim-free', account: 'account-credentials' };

/** A page's appearance, whenever and wherever it is rendered: nonces, times, numbers and its origin are ignored. */
export function fingerprint(html: string): string {
  const same = html
    .replace(/ nonce="[^"]*"/g, '')
    .replace(/<time[^>]*>[^<]*/g, '<time>')
    .replace(/https?:\/\/[^\s"'/<]+/g, '')
    .replace(/\d+/g, '');
  return createHash('sha256').update(same).digest('base64url').slice(0, 12);
}
