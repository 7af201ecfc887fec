import { expect, it } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { freshEmail, goodPassword } from '../support/passwords.ts';
import { freshHandle } from '../support/people.ts';
import { registered } from '../support/popup.ts';
import { form, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, useService } from '../support/service.ts';

const target = useService(sandboxProvider);

interface Case {
  readonly path: string;
  readonly fields: Record<string, string>;
  /** The page with the rejected form. */
  readonly start?: (browser: Browser) => Promise<unknown>;
  readonly status?: number;
}

const post = (browser: Browser, path: string, fields: Record<string, string>) =>
  browser.navigate(path, form(fields, target.origin));

const email = '/v1/auth/email';
const password = 'a wrong password, certainly';
const asked = (name: 'register' | 'forgot') => (browser: Browser) =>
  post(browser, `${email}/${name}`, { email: freshEmail(), password: goodPassword });
const newcomer = (browser: Browser) => signInAtSandbox(browser, { name: 'Rani', email: freshEmail() });
const claim = '/v1/auth/claim';

/**
 * Every form that people fill in during sign-in or claim, with an entry that is rejected or still has to be confirmed.
 */
const signingIn: Record<string, Case> = {
  'a wrong password': { path: `${email}/login`, fields: { email: 'ada@example.com', password }, status: 401 },
  'a registration': { path: `${email}/register`, fields: { email: 'nobody', password: '' } },
  'a forgotten password': { path: `${email}/forgot`, fields: { email: 'nobody' } },
  'a wrong code': {
    path: `${email}/verify`,
    fields: { email: 'ada@example.com', code: '1' },
    start: asked('register'),
  },
  'a wrong code for a new password': {
    path: `${email}/reset`,
    fields: { email: 'ada@example.com', code: '1', password },
    start: asked('forgot'),
  },
  'an invalid handle': { path: claim, fields: { handle: '!' }, start: newcomer },
  'a reserved handle': {
    path: claim,
    fields: { handle: 'admin', confirmed: 'admin' },
    start: newcomer,
    status: 409,
  },
  'an unconfirmed handle': { path: claim, fields: { handle: 'rani.asks' }, start: newcomer, status: 200 },
};

/** Follows the link to the other language. @returns the resulting page */
async function translated(browser: Browser, answer: Response): Promise<string> {
  const [, link = ''] = /<a href="([^"]*)" lang="id"/.exec(await answer.text()) ?? [];
  const other = await browser.navigate(link.replaceAll('&amp;', '&'));
  const page = await other.text();
  expect([link, other.status, page.includes('<html lang="id"')]).toEqual([link, 200, true]);
  return page;
}

it.each(Object.entries(signingIn))(
  'after %s, the language link leads to the same form, in a popup too',
  async (_, refused) => {
    const { path, fields, start, status = 400 } = refused;
    const { id: popup } = await registered(target);
    for (const way of [{ returnTo: '/settings?tab=1' }, { popup }]) {
      const browser = openBrowser(target);
      await start?.(browser);
      const answer = await post(browser, path, { ...fields, ...way });
      expect(answer.status).toBe(status);
      const page = await translated(browser, answer);
      const [[name, value] = []] = Object.entries(way);
      for (const part of [`action="${path}"`, `name="${name}" value="${value}"`])
        expect(page).toContain(part);
      expect(page.includes(`data-popup="${popup}"`)).toBe('popup' in way);
    }
  },
);

it.each([
  ['/account/wallet/send', { to: 'nobody', amount: 'lots' }],
  ['/account/wallet/top-up', { amount: 'lots' }],
])('after a rejected form at %s, the language link leads to the same form', async (path, fields) => {
  const browser = openBrowser(target);
  await newcomer(browser);
  const handle = freshHandle();
  await post(browser, claim, { handle, confirmed: handle });
  await browser.fetch('/v1/wallet', { method: 'POST' });
  const answer = await post(browser, path, fields);
  expect(answer.status).toBe(400);
  expect(await translated(browser, answer)).toContain(`action="${path}"`);
});
