import { describe, expect, it } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import { hashPassword, verifyPassword } from '../../../src/features/email/password-hash.ts';
import { randomBytes } from '../../support/random.ts';
import { scrypt } from '../../support/scrypt.ts';

const deps = { randomBytes, scrypt, log: { debug() {} } } as unknown as Deps;
const cheap = '$scrypt$ln=4,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$';

describe('stored hashes', () => {
  it('match only their own password, up to all 256 characters [D-51]', async () => {
    const long = 'ж'.repeat(80);
    const [one, two] = [`${long}a${long}`, `${long}b${long}`];
    const hash = await hashPassword(deps, one);
    expect(await verifyPassword(deps, one, hash)).toEqual({ fits: true, isOutdated: false });
    expect(await verifyPassword(deps, two, hash)).toEqual({ fits: false, isOutdated: false });
  });

  it('match however the keyboard composes the characters of the password', async () => {
    const hash = await hashPassword(deps, 'cafe\u0301 di pojok jalan');
    expect(await verifyPassword(deps, 'caf\u00e9 di pojok jalan', hash)).toMatchObject({ fits: true });
  });

  it('are rejected if they would cost too much to compute or cannot be parsed', async () => {
    const key = 'A'.repeat(43);
    for (const text of [
      'plain',
      `${cheap}short`,
      `$scrypt$ln=30,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$${key}`,
      `$scrypt$ln=14,r=99,p=1$AAECAwQFBgcICQoLDA0ODw$${key}`,
      `$argon2id$v=19$m=65536,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$${key}`,
    ]) {
      await expect(verifyPassword(deps, 'x', text), text).rejects.toThrow('cannot be read');
    }
  });

  it('are computed two at a time, and further requests get 503 while fifty are waiting', async () => {
    const work = () => verifyPassword(deps, 'x', `${cheap}${'A'.repeat(43)}`);
    const settled = await Promise.allSettled(Array.from({ length: 60 }, work));
    const refused = settled.filter(({ status }) => status === 'rejected');
    // Two are computed alongside the fifty that are waiting.
    expect(refused).toHaveLength(8);
    for (const one of refused)
      expect(one).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 2 } });
    expect(await work()).toMatchObject({ fits: false });
  });
});
