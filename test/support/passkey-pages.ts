import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Locator, Page } from '../../checks/playwright.ts';
import { claimHandle } from './claim-page.ts';

const limits = '{"*":1000000}';
/** Ways to start a separate service. */
export const runtimes = {
  'npm run dev (workerd, D1)': (port: number, folder: string) => ({
    script: [
      ...['dev', '--', '--port', String(port), '--inspector-port', '0', '--persist-to', folder],
      ...['--var', `RATE_LIMITS:${limits}`],
    ],
    env: { SPA_PORT: 'off' },
  }),
  'npm start (Bun, libSQL)': (port: number, folder: string) => ({
    script: ['start'],
    env: {
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
      RATE_LIMITS: limits,
    },
  }),
};

/** A page whose authenticator is Chromium's virtual one (WebAuthn level 3, section 11). */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/**
 * Without `autofill` the browser has no autofill, because the authenticator, which needs no user, would respond to it
 * automatically.
 */
export async function openPerson(
  browser: Browser,
  origin: string,
  { autofill = false }: { readonly autofill?: boolean } = {},
): Promise<Person> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB' });
  if (!autofill) {
    const content = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false;';
    await context.addInitScript({ content });
  }
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  return { context, page, cdp, authenticatorId: await addAuthenticator(cdp) };
}

export async function addAuthenticator(cdp: CDPSession): Promise<string> {
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  return (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId;
}

/** Sets whether a person is at the authenticator. Without a person, a ceremony stays pending. */
export async function setPresence({ cdp, authenticatorId }: Person, enabled: boolean): Promise<void> {
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
}

let people = 0;

/** Starts with a new passkey and claims a PID; ends on the account page. */
export async function signUp({ page }: Person): Promise<string> {
  people += 1;
  const handle = `pk${people}x${Date.now().toString(36)}`;
  await page.goto('/signin?returnTo=self:/account/credentials');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.waitForURL('**/v1/auth/claim?**');
  await claimHandle(page, handle);
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/credentials');
  return handle;
}

export async function signOut({ page }: Pick<Person, 'page'>): Promise<void> {
  await page.goto('/account/credentials');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/signin?**');
}

/** The signed-in person's PID, or the status that indicates that nobody is signed in. */
export const sessionOf = (page: Page): Promise<string | number> =>
  page.evaluate(async () => {
    const answer = await fetch('/v1/auth/session');
    return answer.ok ? ((await answer.json()) as { pid: string }).pid : answer.status;
  });

/** The message next to the button. */
export const said = (page: Page): Locator => page.locator('[data-passkey] [role=status]').first();
