import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import type { Deps } from '../../../src/deps.ts';
import { commonWords, isBlocked } from '../../../src/features/email/password-blocklist.ts';
import { requireGoodPassword } from '../../../src/features/email/password-rules.ts';
import { fastestMs } from '../../support/fastest.ts';
import { testDefaults } from '../../support/target.ts';

/** Returns the reason why a password is not acceptable, or null. */
async function judge(password: string, variables: Record<string, string> = {}): Promise<string | null> {
  const deps = { config: parseConfig({ ...testDefaults, ...variables }) } as Deps;
  const owner = { email: 'budi.santoso@warung-kita.example', handle: 'budi.s', displayName: 'Rangga' };
  return requireGoodPassword(deps, password, owner).then(
    () => null,
    (error: { texts: string[] }) => error.texts.join(),
  );
}

const tooShort = 'password must be at least 15 characters long';
const tooLong = 'password must be at most 256 characters long';
const common = 'password must not be a common one, or put together from few common words, names or patterns';

describe('the password rules', () => {
  it('require 15 to 256 characters of any kind [D-51]', async () => {
    expect(await judge('kqzvwjxhbnmpfg')).toBe(tooShort);
    for (const good of [
      'kqzvwjxhbnmpfgd',
      'KQZVWJXHBNMPFGD',
      '804917365202846',
      'k q z v w j x h',
      '  spasi  di mana  mana  ',
      '🦊🐢🍜🚲🎻🌋🧵🪁🥁🛶🧭🪴🦉🍋🎲',
      'пельмени в среду вечером',
      'merpati hijau naik kereta '.repeat(9).slice(0, 200),
    ]) {
      expect(await judge(good), good).toBeNull();
    }
    const long = Array.from({ length: 257 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('');
    expect([await judge(long.slice(0, 256)), await judge(long)]).toEqual([null, tooLong]);
    // Fourteen characters, although there are more code units, and more characters before normalisation.
    expect(await judge('🦊🐢🍜🚲🎻🌋🧵🪁🥁🛶🧭🪴🦉🍋')).toBe(tooShort);
    expect(await judge('e\u0301i\u0301'.repeat(7))).toBe(tooShort);
    expect(await judge('kqzvwjxhbnmpfg\ud800')).toBe('password must be valid Unicode text');
  });

  it('reject common passwords and names of any length [D-52]', async () => {
    for (const bad of [
      'passwordpassword',
      'Password123456789',
      'P@ssw0rd12345678!',
      '123456789012345',
      'aaaaaaaaaaaaaaaa',
      ' '.repeat(15),
      '?.?.?.?.?.?.?.?.',
      '🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊',
      'password+password',
      'budi+santoso@warung-kita.example',
      'abcabcabcabcabcabc',
      'qwertyuiopasdfgh',
      '1qaz2wsx3edc4rfv',
      'iloveyouforever',
      'correcthorsebatterystaple',
      'bismillahirrahmanirrahim',
      'terserahterserah',
      'password2026!!!!',
      '17081945merdeka',
      'BudiSantoso2026!',
      'peridot-peridot',
      'warung-kita-12345',
      'budi.s budi.s 9',
      'Rangga password 9',
      '2026 Rangga Budi Santoso Kita!',
    ]) {
      expect(await judge(bad), bad).toBe(common);
    }
  });

  it('reject each of three thousand common passwords even if shorter ones are allowed [D-52]', async () => {
    expect(commonWords().size).toBeGreaterThanOrEqual(3000);
    for (const word of commonWords()) expect(isBlocked(word, { words: [], minLength: 8 }), word).toBe(true);
    const short = { PASSWORD_MIN_LENGTH: '8' };
    for (const bad of ['password', 'trustno1', 'letmein1', 'superman12', 'sayangku', 'football7!'])
      expect(await judge(bad, short), bad).toBe(common);
    expect(await judge('kqzvwjxh', short)).toBeNull();
  });

  it('accept uncommon words, and combinations of four or more common words', async () => {
    for (const good of [
      'merpati hijau naik kereta',
      'dragon soccer monkey sunshine',
      'superman batman robin joker',
      'zq7!fLp0vRt3Xk9',
    ])
      expect(await judge(good), good).toBeNull();
  });

  it('check the longest password quickly', () => {
    const longest = `${'x7qwertyasdf1!'.repeat(18).slice(0, 251)}kqzvw`;
    expect(fastestMs(() => isBlocked(longest, { words: [], minLength: 15 }))).toBeLessThan(200);
  });
});
