import { describe, expect, it } from 'vitest';
import { type Account, link, prove } from '../support/accounts.ts';
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { codeTo } from '../support/mailbox.ts';
import { askRegistration, login as loginByPasskey, sendRegistration } from '../support/passkeys.ts';
import { goodPassword, login, register } from '../support/passwords.ts';
import { freshHandle, somebody } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

/** One kind of credential, as a person uses it in a browser. */
interface Kind {
  /** Proves a credential without an owner, which gives the browser a claim ticket. */
  signUp(browser: Browser, account: Account): Promise<unknown>;
  signIn(browser: Browser, account: Account): Promise<unknown>;
  /** Links a credential to the signed-in person. */
  link(browser: Browser, account: Account): Promise<unknown>;
}

function external(provider: 'idp' | 'google' | 'github'): Kind {
  const enter = async (browser: Browser, account: Account) =>
    browser.navigate(await prove(target, browser, provider, { account }));
  return {
    signUp: enter,
    signIn: enter,
    link: (browser, account) => link(target, browser, provider, account),
  };
}

/** Each account's passkey has its own authenticator. */
function passkey(): Kind {
  const devices = new Map<string, Authenticator>();
  const deviceOf = ({ sub }: Account) => {
    const device = devices.get(sub) ?? createAuthenticator(target.origin);
    devices.set(sub, device);
    return device;
  };
  const add = async (browser: Browser, account: Account, as: 'newcomer' | 'member') => {
    const registration = await deviceOf(account).create(await askRegistration(browser, as));
    return sendRegistration(browser, as, registration);
  };
  return {
    signUp: (browser, account) => add(browser, account, 'newcomer'),
    signIn: (browser, account) => loginByPasskey(browser, deviceOf(account)),
    link: (browser, account) => add(browser, account, 'member'),
  };
}
/** Email with a password: the account is identified by its address. */
const email: Kind = {
  async signUp(browser, account) {
    const code = await register(target, browser, account.email);
    return browser.fetch('/v1/auth/email/verify', json('POST', { email: account.email, code }));
  },
  signIn: (browser, account) => login(browser, account.email, goodPassword),
  async link(browser, account) {
    const ask = json('POST', { email: account.email, password: goodPassword });
    await browser.fetch('/v1/credentials/email', ask);
    const finish = json('POST', { email: account.email, code: await codeTo(target, account.email) });
    return browser.fetch('/v1/credentials/email/verify', finish);
  },
};

const kinds: Record<string, Kind> = {
  email,
  idp: external('idp'),
  google: external('google'),
  github: external('github'),
  passkey: passkey(),
};

/** An identity has at most one password, so email is not paired with itself. */
const pairs = Object.keys(kinds).flatMap((a) =>
  Object.keys(kinds)
    .filter((b) => a !== 'email' || b !== 'email')
    .map((b) => [a, b] as const),
);

async function credentials(browser: Browser): Promise<{ id: string; provider: string }[]> {
  return (await (await browser.fetch('/v1/credentials')).json()) as { id: string; provider: string }[];
}

async function pidOf(browser: Browser): Promise<string | undefined> {
  return ((await (await browser.fetch('/v1/auth/session')).json()) as { pid?: string }).pid;
}

function kind(name: string): Kind {
  const found = kinds[name];
  if (!found) throw new Error(`no kind ${name}`);
  return found;
}

describe('a PID', () => {
  it.each(pairs)(
    'can be reached by the %s that claimed it and by the %s linked later, and always keeps the last credential',
    async (a, b) => {
      const [first, second] = [somebody(), somebody()];
      const browser = openBrowser(target);
      const handle = freshHandle();
      await kind(a).signUp(browser, first);
      expect((await browser.fetch('/v1/auth/claim', json('POST', { handle }))).status).toBe(200);
      await kind(b).link(browser, second);
      const both = await credentials(browser);
      expect(both.map(({ provider }) => provider).sort()).toEqual([a, b].sort());
      const [claimed, linked] = both[0]?.provider === a ? both : both.toReversed();
      await browser.fetch('/v1/auth/logout', { method: 'POST' });
      expect(await pidOf(browser)).toBeUndefined();

      await kind(b).signIn(browser, second);
      expect(await pidOf(browser)).toBe(`${handle}@pid`);
      const unlink = (id = '') => browser.fetch(`/v1/credentials/${id}`, { method: 'DELETE' });
      expect((await unlink(claimed?.id)).status).toBe(204);
      await browser.fetch('/v1/auth/logout', { method: 'POST' });

      await kind(b).signIn(browser, second);
      expect(await pidOf(browser)).toBe(`${handle}@pid`);
      const last = await unlink(linked?.id);
      expect([last.status, await last.json()]).toEqual([
        400,
        { statusCode: 400, message: 'Cannot unlink the last credential', code: 'last_credential' },
      ]);
    },
  );
});
