import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AxeResults, axeFile, htmlChecker, type RunOptions } from '../../checks/pages.ts';
import type { Browser, BrowserContext, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';
import { sendTo } from '../support/send-to.ts';

let browser: Browser;
let server: RunningProcess;
let folder: string;
let origin: string;
let states: string[];
let axe: string;
let env: Record<string, string>;
const administrator = 'night.keeper@pid';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-pages-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  env = {
    PORT: String(port),
    BASE_URL: origin,
    ADMIN_PIDS: administrator,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  axe = await readFile(axeFile, 'utf8');
  [server, browser] = await Promise.all([
    runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
  const gallery = await (await fetch(`${origin}/dev/pages`)).text();
  states = [...gallery.matchAll(/data-state="([\w-]+)"/g)].map(([, name = '']) => name);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Lists the axe findings that would prevent people from using a page: all rules in one theme, only colour rules in the
 * other.
 */
async function findings(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.evaluate(axe);
  const options: RunOptions =
    theme === 'light'
      ? { resultTypes: ['violations'] }
      : { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] };
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(o: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** The same for pages without scripts: axe needs timers, which such a context lacks, so it runs on addresses. */
async function findingsFor(visitor: BrowserContext, addresses: string[]): Promise<string[]> {
  const context = await browser.newContext({
    ...{ baseURL: origin, storageState: await visitor.storageState() },
    ...{ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  const found: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    found.push(...(await findings(page, 'light')));
  }
  await context.close();
  return found;
}

/** Lists the parts of a page that overflow its width. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((node) => node.getBoundingClientRect().right > root.clientWidth + 1)
      .map((node) => node.outerHTML.slice(0, 120));
  })()`);
}

/**
 * Lists the Nu Html Checker's errors for all pages of a folder together, because starting one Java process takes a
 * second.
 */
async function htmlErrors(pages: string): Promise<string[]> {
  const options = ['--errors-only', '--exit-zero-always', '--format', 'json'];
  const run = promisify(execFile)('java', ['-jar', htmlChecker, ...options, pages], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const { messages } = JSON.parse((await run).stderr) as { messages: HtmlMessage[] };
  return messages.map(({ url, message, extract }) => `${basename(url)}: ${message} ${extract ?? ''}`);
}

/** The API pages, which are files. */
const apiPages = globSync(['docs.html', 'docs/*.html'], {
  cwd: join(import.meta.dirname, '../../public'),
}).map((name) => `/${name.replace('.html', '')}`);

interface HtmlMessage {
  readonly url: string;
  readonly message: string;
  readonly extract?: string;
}

it.concurrent('every state of every page is valid HTML in both languages, and so are the development pages', async () => {
  const pages = join(folder, 'html');
  await mkdir(pages);
  const addresses = [
    ...states.flatMap((state) => ['en', 'id'].map((locale) => `/dev/pages/${state}?ui_locales=${locale}`)),
    ...['/dev', '/dev/welcome', '/dev/mail', '/dev/webhooks', '/dev/pages', '/signin', '/nowhere'],
    ...apiPages,
  ];
  const headers = { Accept: 'text/html', Host: new URL(origin).host };
  for (const address of addresses) {
    const answer = await sendTo(Number(new URL(origin).port), address, { headers });
    expect([address, answer.headers.get('Content-Type')?.split(';')[0]]).toEqual([address, 'text/html']);
    await writeFile(join(pages, `${address.slice(1).replace(/\W/g, '-')}.html`), await answer.text());
  }
  expect(await htmlErrors(pages)).toEqual([]);
}, 600_000);

// The pages are checked in parallel, because each mostly waits for the browser.
describe.concurrent.each([
  ['light', 'own'],
  ['dark', 'own'],
  ['dark', 'second'],
] as const)('every state of every page, %s, in the brand %s', (theme, brand) => {
  it('has no serious axe finding, fits within 320 pixels, and complies with its own content security policy', async () => {
    const reducedMotion = 'reduce' as const;
    const context = await browser.newContext({ baseURL: origin, colorScheme: theme, reducedMotion });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|Uncaught/.test(message.text())) refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(String(error)));
    expect(states.length).toBeGreaterThan(40);
    const locale = theme === 'light' ? 'en' : 'id';
    for (const state of states) {
      await page.setViewportSize({ width: 1100, height: 800 });
      await page.goto(`/dev/pages/${state}?ui_locales=${locale}&brand=${brand}`);
      expect([state, await findings(page, theme)]).toEqual([state, []]);
      await page.setViewportSize({ width: 320, height: 640 });
      expect([state, await overflowing(page)]).toEqual([state, []]);
    }
    expect(refused).toEqual([]);
    await context.close();
  }, 600_000);
});

/** Returns the name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const node = document.activeElement;
    // Between the last element and the first one the focus is on the page as a whole.
    if (node === document.body) return '';
    return node?.getAttribute('aria-label') ?? node?.labels?.[0]?.textContent ?? node?.textContent ?? '';
  })()`);
}

/** Presses Tab until an element with this name has the focus, as a person without a mouse would. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press('Tab');
    if (name.test(await focused(page))) return;
  }
  throw new Error(`nothing called ${name} can be reached by Tab on ${page.url()}`);
}

async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** A new person signs in at the sandbox. */
async function signIn(page: Page, name: string): Promise<void> {
  await tabTo(page, /^Name$/);
  await page.keyboard.type(name);
  await tabTo(page, /^Email$/);
  await page.keyboard.type(`${name.toLowerCase()}@example.com`);
  await page.keyboard.press('Enter');
}

async function addCredential(context: BrowserContext): Promise<void> {
  expect(
    (await context.request.post(`${origin}/dev/credentials`, { headers: { Origin: origin } })).ok(),
  ).toBe(true);
}

describe('a person using only the keyboard', () => {
  it('can sign in, claim a PID, open the account page and unlink a credential', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const page = await context.newPage();
    await page.goto('/account/credentials');
    await page.waitForURL('**/signin?*');
    await press(page, /Continue with Sandbox/);
    await page.waitForURL('**/dev/idp/**');
    await signIn(page, 'Kirana');
    await page.waitForURL('**/v1/auth/claim?*');
    await tabTo(page, /^Handle$/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Admin');
    await page.getByText('This handle is reserved').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('kirana');
    await page.getByText('kirana@pid is free').waitFor();
    await page.keyboard.press('Enter');
    await press(page, /^Claim kirana@pid$/);
    await page.getByRole('heading', { name: 'kirana@pid is yours' }).waitFor();
    await press(page, /Go to your account/);
    await page.waitForURL('**/account/credentials');

    await addCredential(context);
    await page.reload();
    await press(page, /^Remove/);
    expect(await page.evaluate(`document.querySelector('dialog').contains(document.activeElement)`)).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    expect(await focused(page)).toMatch(/^Remove/);
    await page.keyboard.press('Enter');
    await press(page, /^Remove$/);
    await page.getByRole('status').getByText('Sign-in method removed').waitFor();
    expect(page.url()).toBe(`${origin}/account/credentials`);
    await press(page, /Sign out/);
    await page.getByText('You are signed out').waitFor();
    await context.close();
  });
});

describe('the page of a limit', () => {
  it.each([
    ['en', 'Asia/Makassar', /^Try again at \d\d:\d\d\.$/],
    ['id', 'America/New_York', /^Coba lagi pukul \d\d\.\d\d\.$/],
  ])('says when a long wait ends on the clock of a reader in %s', async (locale, timezoneId, text) => {
    const context = await browser.newContext({ baseURL: origin, timezoneId });
    const page = await context.newPage();
    await page.goto(`/dev/pages/error-429-form?ui_locales=${locale}`);
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(text);
    const shown = /\d\d/.exec((await page.getByRole('timer').textContent()) ?? '')?.[0];
    const later = `new Date(Date.now() + 360e3).toLocaleTimeString('en', { hour: '2-digit', hourCycle: 'h23' })`;
    expect(shown).toBe(await page.evaluate(later));
    await context.close();
  });
});

describe('a session that needs to be renewed', () => {
  it('is renewed by a script, in two tabs concurrently', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto('/signin?returnTo=self:/account/profile');
    await page.getByRole('link', { name: /Continue with Sandbox/ }).click();
    await page.waitForURL('**/dev/idp/**');
    await signIn(page, 'Laras');
    await page.waitForURL('**/v1/auth/claim?*');
    await claimHandle(page, 'laras');
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.waitForURL('**/account/profile');
    await context.clearCookies({ name: 'pid_access' });
    await Promise.all([page.goto('/account/sessions'), other.goto('/account/activity')]);
    await page.getByText('This device').waitFor();
    await other.getByRole('table').waitFor();
    await context.close();
  });
});

describe('without JavaScript', () => {
  it('an app is registered, its secret is shown once, its webhook is set and tested, and the app is deleted', async () => {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/account/profile');
    await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bayu');
    await page.getByLabel('Email', { exact: true }).fill('bayu@example.com');
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await claimHandle(page, 'bayu-apps');
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.waitForURL('**/account/profile');

    await page.goto('/developers/register');
    await page.getByLabel('Name', { exact: true }).fill('Corner Shop');
    await page.getByLabel('Address', { exact: true }).fill('http://shop.example.com/callback');
    await page.getByRole('button', { name: 'Register an app' }).click();
    expect(await page.getByText('http://shop.example.com/callback is not an https').count()).toBe(1);
    await page.getByLabel('Address', { exact: true }).fill('https://shop.example.com/callback');
    await page.getByRole('button', { name: 'Register an app' }).click();
    const secret = await page.getByRole('textbox', { name: 'Your new secret' }).inputValue();
    expect(secret).toMatch(/^pids_/);

    await page.goto('/developers');
    await page.getByRole('link', { name: 'Corner Shop' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Webhook' }).click();
    await page.getByLabel('Address', { exact: true }).fill(`${origin}/dev/webhooks`);
    await page.getByRole('button', { name: 'Set webhook' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    expect(await page.getByText('accepted the test with status 204').count()).toBe(1);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    expect(await page.getByText('You have no apps').count()).toBe(1);
    await context.close();
  });

  it('money is sent on a small screen: an invalid entry is kept, and the confirmation shows name, PID and total', async () => {
    expect((await fetch(`${origin}/dev/seed`, { method: 'POST' })).ok).toBe(true);
    const viewport = { width: 320, height: 640 };
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false, viewport });
    const page = await context.newPage();
    await page.goto('/account/wallet');
    await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
    await page.getByRole('button', { name: /^Ayu Lestari/ }).click();
    await page.waitForURL('**/account/wallet');
    await page.getByText('IDR 355,000').first().waitFor();
    await page.getByRole('link', { name: 'Send money' }).click();
    await page.getByLabel('To', { exact: true }).fill('budi');
    await page.getByLabel('Amount', { exact: true }).fill('lots');
    await page.locator('button.main', { hasText: 'Continue' }).click();
    await page.getByText('Enter an amount in whole rupiah').waitFor();
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('budi');
    await page.getByLabel('Amount', { exact: true }).fill('15.000');
    await page.getByLabel('Message (optional)').fill('Soto');
    await page.locator('button.main', { hasText: 'Continue' }).click();
    for (const text of ['Budi Santoso', 'budi@pid', 'Soto'])
      await page.getByText(text, { exact: true }).waitFor();
    expect(await overflowing(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send IDR 15,000' }).click();
    await page.waitForURL('**/account/wallet/transactions/*?sent=1');
    await page.getByRole('heading', { name: 'Money sent' }).waitFor();
    await page.goto('/account/wallet');
    await page.getByText('-IDR 15,000').waitFor();
    await page.getByText('Filter or download').click();
    await page.getByLabel('Direction').selectOption('in');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    expect(await page.getByText('-IDR 15,000').count()).toBe(0);
    expect(await overflowing(page)).toEqual([]);
    await context.close();
  });

  it('money is deposited in every way the sandbox offers, and the wallet shows the result', async () => {
    const viewport = { width: 320, height: 640 };
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false, viewport });
    const page = await context.newPage();
    await page.goto('/account/wallet');
    await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
    await page.getByRole('button', { name: /^Ayu Lestari/ }).click();
    await page.waitForURL('**/account/wallet');
    async function topUp(amount: string): Promise<string> {
      await page.goto('/account/wallet');
      await page.getByRole('link', { name: 'Top up', exact: true }).click();
      await page.getByLabel('Amount', { exact: true }).fill(amount);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL('**/account/wallet/deposits/*');
      expect(await overflowing(page)).toEqual([]);
      const deposit = page.url();
      await page.getByRole('link', { name: 'Pay through Sandbox' }).click();
      await page.waitForURL('**/dev/gateway/*');
      expect(await overflowing(page)).toEqual([]);
      return deposit;
    }
    async function choose(button: string, notice: string): Promise<void> {
      await page.getByLabel('The service is notified').selectOption(notice);
      await page.getByRole('button', { name: button, exact: true }).click();
    }
    /** Reloads the deposit until it shows the text, because a notification is processed after its response. */
    async function shows(deposit: string, text: string): Promise<void> {
      await expect
        .poll(async () => {
          await page.goto(deposit);
          return page.getByText(text).count();
        })
        .toBeGreaterThan(0);
    }
    for (const [button, notice, text] of [
      ['Pay', 'once', 'In your wallet'],
      ['Pay', 'twice', 'In your wallet'],
      ['Pay', 'disordered', 'In your wallet'],
      ['Pay', 'forged', 'In your wallet'],
      ['Pay', 'never', 'In your wallet'],
      ['Pay twice', 'once', 'In your wallet'],
      ['Pay a wrong amount', 'once', 'Under review'],
    ] as const) {
      const deposit = await topUp('20.000');
      await choose(button, notice);
      // The provider redirects the payer back, which credits payments without a notification.
      await page.waitForURL(deposit);
      await shows(deposit, text);
    }
    for (const [button, text] of [
      ['Let it expire', 'Expired'],
      ['Let it fail', 'Failed'],
    ] as const) {
      const deposit = await topUp('20.000');
      const provider = page.url();
      await choose(button, 'once');
      await shows(deposit, text);
      await page.goto(provider);
      await choose('Pay late', 'never');
      await page.waitForURL(deposit);
      await shows(deposit, 'In your wallet');
    }
    const deposit = await topUp('20.000');
    const provider = page.url();
    await tabTo(page, /^The service is notified$/);
    await page.keyboard.type('never');
    await press(page, /^Pay$/);
    await page.waitForURL(deposit);
    expect(await findingsFor(context, [provider])).toEqual([]);
    await page.goto(provider);
    await choose('Give the whole payment back', 'once');
    // Notifications of one order within a second are handled as one; the scheduled job handles the rest.
    expect((await fetch(`${origin}/dev/scheduled`, { method: 'POST' })).ok).toBe(true);
    await shows(deposit, 'Refunded');
    await page.goto('/account/wallet');
    expect(await overflowing(page)).toEqual([]);
    await context.close();
  });

  it('money is withdrawn on a small screen: the bank accepts or rejects the payout, and a held withdrawal can be cancelled', async () => {
    expect((await fetch(`${origin}/dev/seed`, { method: 'POST' })).ok).toBe(true);
    const viewport = { width: 320, height: 640 };
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false, viewport });
    const page = await context.newPage();
    const work = async (seconds: number) => {
      const body = JSON.stringify({ advanceSeconds: seconds });
      const headers = { 'Content-Type': 'application/json' };
      expect((await fetch(`${origin}/dev/clock`, { method: 'POST', headers, body })).ok).toBe(true);
      expect((await fetch(`${origin}/dev/scheduled`, { method: 'POST' })).ok).toBe(true);
      await page.goto('/account/wallet');
      const renew = page.getByRole('button', { name: 'Continue', exact: true });
      if ((await renew.count()) > 0) await renew.click();
    };
    const withdraw = async (digit: number) => {
      await page.getByRole('link', { name: 'Withdraw to a bank account' }).click();
      await page.getByLabel('Bank', { exact: true }).selectOption('Bank Mandiri');
      await page.getByLabel('Account number').fill(`1234 5678 ${digit}`);
      await page.getByLabel('Amount', { exact: true }).fill('10.000');
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await page.goto('/account/wallet');
    await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
    await page.getByRole('button', { name: /^Ayu Lestari/ }).click();
    await page.waitForURL('**/account/wallet');
    await withdraw(0);
    await page.getByText('Unknown bank account').waitFor();
    expect(await page.getByLabel('Account number').inputValue()).toBe('1234 5678 0');
    expect(await overflowing(page)).toEqual([]);
    await page.goto('/account/wallet');
    for (const digit of [1, 2, 3, 4]) {
      await withdraw(digit);
      for (const text of ['Budi Santoso', `MANDIRI ••••678${digit}`])
        await page.getByText(text, { exact: true }).waitFor();
      expect(await overflowing(page)).toEqual([]);
      await page.getByRole('button', { name: 'Withdraw IDR 10,000' }).click();
      await page.waitForURL('**/account/wallet?done=withdrawalHeld');
    }
    const rows = () => page.locator('#withdrawals .moves > li').allInnerTexts();
    const withText = (text: string) => expect.stringContaining(text);
    await work(0);
    // The first response about the third was lost. The newest come first.
    await work(90);
    expect(await rows()).toEqual(
      ['Paid', 'Paid', 'On its way to the bank', 'The account is closed'].map(withText),
    );
    // The service's own clock may send it first, because it runs the jobs every minute.
    await expect
      .poll(async () => {
        await withdraw(5);
        await page.getByRole('button', { name: 'Withdraw IDR 10,000' }).click();
        const cancel = page.getByRole('button', { name: 'Cancel the withdrawal of IDR 10,000' });
        if ((await cancel.count()) > 0) await cancel.click();
        return page.url();
      })
      .toContain('done=withdrawalCancelled');
    expect((await rows())[0]).toContain('Cancelled; the money is back in your wallet');
    await work(3700);
    expect(await rows()).toContainEqual(withText('Returned by the bank; the amount is back in your wallet'));
    expect(await overflowing(page)).toEqual([]);
    await context.close();
  });

  it('an administrator freezes and unfreezes a wallet on a small screen, using only the keyboard', async () => {
    expect((await fetch(`${origin}/dev/seed`, { method: 'POST' })).ok).toBe(true);
    const viewport = { width: 320, height: 640 };
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false, viewport });
    const page = await context.newPage();
    const signInAtDesk = async () => {
      await page.goto('/admin');
      await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
      await signIn(page, 'Keeper');
    };
    await signInAtDesk();
    await page.getByLabel('Handle', { exact: true }).waitFor();
    const cli = ['scripts/cli.ts', 'admin', 'claim', administrator, 'idp', 'keeper@example.com', '--yes'];
    await promisify(execFile)(process.execPath, cli, { env: { ...process.env, ...env } });
    await signInAtDesk();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const find = async (text: string, label: string) => {
      await tabTo(page, new RegExp(`^${label}$`));
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    const carryOut = async (action: string, label: string) => {
      await page.locator('summary', { hasText: action }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('reason');
      await page.keyboard.type(label);
      await page.keyboard.press('Enter');
    };
    await find('budi-typo', 'Find a person or a transaction');
    await page.getByRole('alert').getByText('Nobody found for').waitFor();
    expect(await page.getByLabel('Find a person or a transaction').inputValue()).toBe('budi-typo');
    await page.goto('/admin');
    await find('budi', 'Find a person or a transaction');
    await page.waitForURL('**/admin/people/budi');
    await carryOut('Freeze wallet', 'Reported stolen');
    await page.waitForURL('**/admin/people/budi?done=freeze');
    await page.getByText('wallet.status').first().waitFor();
    expect(await overflowing(page)).toEqual([]);
    const paths = ['/admin', '/admin/people/budi', '/admin/audit?actor=keeper'].flatMap((path) =>
      ['en', 'id'].map((language) => `${path}${path.includes('?') ? '&' : '?'}ui_locales=${language}`),
    );
    expect(await findingsFor(context, paths)).toEqual([]);
    await page.goto('/admin/people/budi?ui_locales=id');
    await carryOut('Cairkan dompet', 'Sudah ketemu');
    await page.waitForURL('**/admin/people/budi?done=unfreeze');
    await context.close();
  });

  it('sign-in, a claim with a suggestion, renewal, profile, unlinking and sign-out all work', async () => {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/account/profile?ui_locales=id');
    await page.getByRole('link', { name: 'Lanjutkan dengan Sandbox' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Sekar');
    await page.getByLabel('Email', { exact: true }).fill('sekar@example.com');
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await page.getByLabel('Handle', { exact: true }).fill('admin');
    await page.getByRole('button', { name: 'Klaim PID ini' }).last().click();
    expect(await page.getByRole('alert').innerText()).toContain('PID ini sudah dipakai');
    await page
      .getByRole('button', { name: /^Pakai / })
      .first()
      .click();
    const handle = await page.getByLabel('Handle', { exact: true }).inputValue();
    await claimHandle(page, handle);
    await page.getByRole('link', { name: 'Buka akun Anda' }).click();
    await page.waitForURL('**/account/profile');

    await context.clearCookies({ name: 'pid_access' });
    await page.reload();
    await page.getByRole('button', { name: 'Lanjutkan' }).click();
    await page.waitForURL('**/account/profile');
    await page.getByLabel('Nama yang dilihat orang lain').fill('Sekar Ayu');
    await page.getByRole('button', { name: 'Simpan' }).click();
    expect(await page.getByRole('status').innerText()).toContain('Profil disimpan');

    await addCredential(context);
    await page.getByRole('link', { name: 'Cara masuk' }).click();
    await page
      .getByRole('link', { name: /^Hapus/ })
      .first()
      .click();
    await page.waitForURL('**/account/credentials/unlink?*');
    await page.getByRole('button', { name: 'Hapus' }).click();
    expect(await page.getByRole('status').innerText()).toContain('Cara masuk dihapus');
    await page.getByRole('button', { name: 'Keluar' }).click();
    expect(await page.getByRole('status').innerText()).toContain('Anda sudah keluar');
    await context.close();
  });
});
