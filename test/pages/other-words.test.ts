import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mailTexts } from '../../src/features/mail/texts.ts';
import { signInTexts } from '../../src/pages/messages/sign-in.ts';
import { useOtherWords } from '../../src/pages/other-words.ts';
import { runBun } from '../support/bun-process.ts';
import { testDefaults } from '../support/target.ts';

const usual = { title: signInTexts.en.title, subject: mailTexts.en.password_changed.subject };
afterEach(() => {
  Object.assign(signInTexts.en, { title: usual.title });
  Object.assign(mailTexts.en.password_changed, { subject: usual.subject });
});

describe('the TEXTS setting', () => {
  it('changes a text on pages and in emails in one language', () => {
    const en = { 'signIn.title': 'Log in', 'mail.password_changed.subject': 'New password' };
    expect(useOtherWords({ en })).toEqual([]);
    expect([signInTexts.en.title, signInTexts.id.title]).toEqual(['Log in', 'Masuk']);
    expect(mailTexts.en.password_changed.subject).toBe('New password');
  });

  it('is rejected as a whole for unknown keys and placeholders', () => {
    const en = {
      'signIn.title': 'Log in',
      'signIn.titel': 'x',
      'signIn.toString': 'x',
      title: 'x',
      'error.not_found': 'x',
      'mail.password_changed.advice': 'x',
      'signIn.continueWith': 'With {provder}',
    };
    expect(useOtherWords({ en })).toEqual([
      'TEXTS must not have en signIn.titel: there is no such text',
      'TEXTS must not have en signIn.toString: there is no such text',
      'TEXTS must not have en title: there is no such text',
      'TEXTS must not have en error.not_found: there is no such text',
      'TEXTS must not have en mail.password_changed.advice: there is no such text',
      'TEXTS must not have {provder} in en signIn.continueWith',
    ]);
    expect(signInTexts.en.title).toBe(usual.title);
  });

  it('can change every page text except those that the contract fixes', async () => {
    const folder = join(import.meta.dirname, '../../src/pages/messages');
    for (const file of await readdir(folder)) {
      for (const [name, texts] of Object.entries(await import(join(folder, file)))) {
        const { en } = texts as { en: Record<string, string> };
        const words = Object.entries(en).map(([key, text]) => [`${name.replace(/Texts$/, '')}.${key}`, text]);
        expect([name, useOtherWords({ en: Object.fromEntries(words) }).length > 0]).toEqual([
          name,
          name === 'errorTexts',
        ]);
      }
    }
  });

  it('prevents startup with an invalid entry on Bun', async () => {
    const { code, output } = await runBun({ ...testDefaults, TEXTS: '{"en":{"signIn.titel":"Log in"}}' });
    expect([code, output]).toEqual([1, expect.stringContaining('TEXTS must not have en signIn.titel')]);
  });
});
