import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
let server: RunningProcess;
let folder: string;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-forms-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const env = {
    PORT: String(port),
    BASE_URL: origin,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  [server, browser] = await Promise.all([
    runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function open(path: string, viewport = { width: 1280, height: 800 }): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const email = 'forms@example.com';
const password = 'merpati hijau naik kereta';

describe('a form', () => {
  it('is submitted only once, however often its button is pressed, and shows that it is being sent', async () => {
    const page = await open('/v1/auth/email/register');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    // Counts the requests that the browser would send, and stays on the page.
    const pressed = await page.evaluate(`(() => {
      let sent = 0;
      document.addEventListener('submit', (event) => { sent += 1; event.preventDefault(); });
      const button = document.querySelector('form .main');
      button.click();
      button.click();
      return [sent, button.getAttribute('aria-busy')];
    })()`);
    expect(pressed).toEqual([1, 'true']);
    await page.context().close();
  });

  it('follows a provider link only once, however often the link is clicked', async () => {
    const page = await open('/signin');
    const pressed = await page.evaluate(`(() => {
      let followed = 0;
      addEventListener('click', (event) => {
        if (!event.defaultPrevented) followed += 1;
        event.preventDefault();
      });
      const link = document.querySelector('a[data-away]');
      link.click();
      link.click();
      return [followed, link.getAttribute('aria-busy')];
    })()`);
    expect(pressed).toEqual([1, 'true']);
    await page.context().close();
  });

  it('reveals a password on request, and counts its characters as the person types', async () => {
    const page = await open('/v1/auth/email/register');
    const field = page.getByLabel('Password', { exact: true });
    await field.pressSequentially('merpati');
    await page.getByText('7 of at least 15 characters').waitFor();
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await field.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await field.getAttribute('type')).toBe('password');
    await page.context().close();
  });

  it('submits a code as soon as it is complete', async () => {
    const page = await open('/v1/auth/email/register');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/verify');
    expect(await page.evaluate('document.activeElement.id')).toBe('code');
    await page.keyboard.type('000 000');
    await page.getByRole('alert').getByText('This code is wrong, expired or already used').waitFor();
    await page.context().close();
  });

  it('passes the entered address on to related pages, in every language', async () => {
    const page = await open('/signin');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await page.getByRole('link', { name: 'Lupa kata sandi?' }).click();
    await page.waitForURL('**/forgot?*');
    expect(await page.getByLabel('Alamat email').inputValue()).toBe(email);
    await page.context().close();
  });
});

/** A person who has just signed in for the first time and has to claim a handle. */
async function newcomer(name: string): Promise<Page> {
  const page = await open('/v1/auth/idp');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email', { exact: true }).fill(`${name.toLowerCase()}@example.com`);
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await page.waitForURL('**/dev/welcome?claim=1');
  await page.goto('/v1/auth/claim');
  return page;
}

describe('the live check on the claim page', () => {
  it('shows whether the handle is available, counts down, and reports an expired ticket', async () => {
    const page = await newcomer('Wulan');
    await page.getByText(/^Time left to choose: \d:\d\d$/).waitFor();
    const handle = page.getByLabel('Handle', { exact: true });
    const reserved = page.getByText('This handle is reserved');
    await handle.fill('admin');
    await reserved.waitFor();
    await handle.fill('a');
    await page.getByText('This is not a valid handle').waitFor();
    expect(await page.locator('#suggestions').isVisible()).toBe(false);
    await handle.fill('admin');
    await reserved.waitFor();
    // Typed and removed again before the check.
    await handle.fill('admi');
    await handle.fill('admin');
    await reserved.waitFor();
    await page.context().clearCookies({ name: 'pid_claim' });
    await handle.fill('wulan.x');
    await page.getByRole('heading', { name: 'This link expired' }).waitFor();
    await page.context().close();
  });
});

describe('the claim', () => {
  it('continues with the sign-in if an operator has meanwhile assigned the PID to the account', async () => {
    const page = await newcomer('Ratna');
    const given = { status: 410, json: { statusCode: 410, message: 'Claim ticket has expired' } };
    await page.route('**/v1/auth/claim', (route) => route.fulfill(given));
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByRole('button', { name: 'Continue as this person' }).waitFor();
    await page.context().close();
  });

  it('is not interrupted by a late response from the live check', async () => {
    const page = await newcomer('Intan');
    // The response to the check arrives after the form was sent and the ticket used.
    await page.evaluate(`(() => {
      globalThis.fetch = (address, { signal }) => new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        globalThis.answerLate = () => resolve(new Response('', { status: 410 }));
      });
      addEventListener('submit', (event) => event.preventDefault());
      navigation.addEventListener('navigate', () => { globalThis.hasLeft = true; });
    })()`);
    await page.getByLabel('Handle', { exact: true }).fill('intan.late');
    await expect.poll(() => page.evaluate(`'answerLate' in globalThis`)).toBe(true);
    const hasLeft = await page.evaluate(`(async () => {
      document.querySelector('.act .main').click();
      document.querySelector('[name=confirmed]').click();
      answerLate();
      await new Promise((resolve) => setTimeout(resolve));
      return globalThis.hasLeft ?? false;
    })()`);
    expect(hasLeft).toBe(false);
    await page.context().close();
  });

  it('ends by showing the new PID, ready to copy', async () => {
    const page = await newcomer('Intan');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText(/^intan\S*@pid is free$/).waitFor();
    await claimHandle(page, 'intan.copies');
    await page.getByRole('button', { name: 'Copy PID' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('intan.copies@pid');
    await page.context().close();
  });
});

describe('the sign-in page with every method, and the consent page of an unchecked app', () => {
  it.each([
    ['a desktop', { width: 1280, height: 800 }],
    ['the popup of the SDK', { width: 480, height: 720 }],
  ])('fit on the screen down to the main button in %s', async (_, viewport) => {
    const page = await open('/dev/pages/sign-in-passkey-last', viewport);
    const popups = ['popup-refused', 'popup-for-tokens-unchecked', 'approval-unchecked'];
    for (const state of ['sign-in-passkey-last', 'sign-in-refused', ...popups]) {
      for (const locale of ['en', 'id']) {
        await page.goto(`/dev/pages/${state}?ui_locales=${locale}`);
        const { y = Number.NaN, height = 0 } = (await page.locator('form .main').first().boundingBox()) ?? {};
        expect([state, locale, y + height <= viewport.height]).toEqual([state, locale, true]);
      }
    }
    await page.context().close();
  });
});
