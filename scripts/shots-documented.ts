import { createHash } from 'node:crypto';

/**
 * Gallery states shown in the README, by the name of their picture in docs/images: sized so that two of them fit next
 * to each other.
 */
export const inReadme = { signin: 'sign-in-email', approval: 'approval', wallet: 'account-wallet' };

/** All gallery states shown in the documentation. */
export const documented = { ...inReadme, claim: 'claim-free', account: 'account-credentials' };

/**
 * A page's appearance, independent of when and where it is rendered: nonces, times, numbers and the origin are ignored.
 */
export function fingerprint(html: string): string {
  const same = html
    .replace(/ nonce="[^"]*"/g, '')
    .replace(/<time[^>]*>[^<]*/g, '<time>')
    .replace(/https?:\/\/[^\s"'/<]+/g, '')
    .replace(/\d+/g, '');
  return createHash('sha256').update(same).digest('base64url').slice(0, 12);
}
