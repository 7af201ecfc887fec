import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AxeResults, axeFile } from '../../checks/pages.ts';
import type { Browser, BrowserContextOptions, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const approve = 'button[value=approved][aria-disabled=false]';

let folder: string;
let server: RunningProcess;
let browser: Browser;
let shop: string;
let service: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-shop-'));
  const [port, shopPort] = [await freePort(), await freePort()];
  shop = `http://localhost:${shopPort}`;
  service = `http://localhost:${port}`;
  const script = ['dev', '--', '--port', `${port}`, '--inspector-port', '0', '--persist-to', folder];
  const isReady = async () => (await fetch(`${service}/readyz`)).ok;
  server = await runScript(script, { SPA_PORT: `${shopPort}` }, isReady);
  browser = await launchChromium();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the shop as a first-time visitor. The page counts its own layout shifts. */
async function visit(options: BrowserContextOptions = {}): Promise<Page> {
  await expect.poll(() => server.lines.join('')).toContain(`Start here    ${shop}`);
  const context = await browser.newContext({ viewport: sizes.desktop, ...options });
  const page = await context.newPage();
  await page.addInitScript(`window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  await page.goto(shop);
  return page;
}

/** Presses a button, or follows a link, that opens a window. */
async function windowOf(page: Page, name: string | RegExp): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
  return opened;
}

/** Signs in as a new person of the sandbox, who accepts the suggested PID. */
async function signInAsNewcomer(page: Page, name: string): Promise<void> {
  const popup = await windowOf(page, 'Sign in to pay');
  await popup.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await popup.getByLabel('Name', { exact: true }).fill(name);
  await popup.getByLabel('Email', { exact: true }).fill(`${name.toLowerCase()}@example.com`);
  await popup.getByRole('button', { name: 'Continue as this person' }).click();
  await claimSuggested(popup);
}

async function claimSuggested(popup: Page): Promise<void> {
  const closed = popup.waitForEvent('close');
  await confirmSuggested(popup);
  await closed;
}

async function confirmSuggested(page: Page): Promise<void> {
  await page.waitForSelector('input[name=handle]');
  await page.click('.act .main');
  await page.click('button[name=confirmed]:visible');
}

async function approveIn(popup: Page): Promise<void> {
  await popup.click(approve);
}

const add = (page: Page, product: string) => page.getByRole('button', { name: `Add ${product}` }).click();
const balance = (page: Page) => page.locator('#balance').innerText();
const badges = (page: Page) => page.locator('.orders .badge:visible').allInnerTexts();
const shift = (page: Page) => page.evaluate<number>('window.shift');

/** Lists all axe findings, and whether the page is wider than its window. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  const isWide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
    ...(isWide ? ['wider than its window'] : []),
  ];
}

describe.each(Object.entries(sizes))('a newcomer on a %s', (name, viewport) => {
  it('signs in, claims a PID and buys; the webhook marks the order as paid', async () => {
    const page = await visit({ viewport });
    const startedAt = performance.now();
    await page.getByText('Newcomers get IDR 250,000 of play money from the sandbox').waitFor();
    await add(page, 'Iced palm sugar coffee');
    await signInAsNewcomer(page, `Rani-${name}`);
    await approveIn(await windowOf(page, 'Pay IDR 22,000'));
    await page.getByText('Thank you! We are making order').waitFor();
    await expect.poll(() => badges(page)).toEqual(['Paid']);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    await expect.poll(() => balance(page)).toMatch(/228,000$/);
    const receipt = await windowOf(page, 'Receipt');
    await receipt.getByRole('heading', { name: 'Sent to Kedai Pagi' }).waitFor();
    expect(await shift(page)).toBe(0);

    await add(page, 'Jasmine tea');
    await approveIn(await windowOf(page, 'Pay IDR 15,000'));
    await expect.poll(() => badges(page)).toEqual(['Paid', 'Paid']);
    expect(await shift(page)).toBe(0);
    await page.context().close();
  });
});

describe('a buyer', () => {
  it('tops up a balance that is too low, and the popup then continues automatically', async () => {
    const page = await visit();
    await add(page, 'Pour-over set');
    await signInAsNewcomer(page, 'Tono');
    const popup = await windowOf(page, 'Pay IDR 285,000');
    const topUp = await windowOf(popup, 'Top up IDR 35,000');
    await topUp.locator('main form button.main').click();
    await topUp.getByRole('link', { name: 'Pay through Sandbox' }).click();
    await topUp.getByRole('button', { name: 'Pay', exact: true }).click();
    await approveIn(popup);
    await expect.poll(() => badges(page)).toEqual(['Paid']);
    await expect.poll(() => balance(page)).toMatch(/\b0$/);
    await page.context().close();
  });

  it('gets play money only once, even in an empty wallet opened elsewhere', async () => {
    const page = await visit();
    await page.goto(`${service}/signin?returnTo=self:/account/wallet`);
    await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
    await page.getByLabel('Email', { exact: true }).fill('wulan@example.com');
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await confirmSuggested(page);
    await page.locator('a.button.main').waitFor();
    const opened = await page.evaluate<number>(
      "fetch('/v1/wallet', { method: 'POST' }).then(({ status }) => status)",
    );
    expect(opened).toBeLessThan(300);
    for (let visits = 0; visits < 2; visits += 1) {
      await page.goto(shop);
      await expect.poll(() => balance(page)).toMatch(/250,000$/);
    }
    await page.context().close();
  });

  it('can continue in Indonesian after a wrong password', async () => {
    const page = await visit();
    const credentials = { email: 'wayan@example.org', password: 'merpati hijau naik kereta' };
    const signUp = await windowOf(page, 'Sign in');
    await signUp.getByRole('link', { name: 'Register with email' }).click();
    await signUp.getByLabel('Email address').fill(credentials.email);
    await signUp.getByLabel('Password', { exact: true }).fill(credentials.password);
    await signUp.getByRole('button', { name: 'Send code' }).click();
    await signUp.getByLabel('Code').fill(await mailedCode(credentials.email));
    await claimSuggested(signUp);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await page.getByRole('button', { name: 'Tambah Teh melati' }).click();
    const popup = await windowOf(page, 'Masuk untuk membayar');
    await popup.getByLabel('Alamat email').fill(credentials.email);
    await popup.getByLabel('Kata sandi', { exact: true }).fill('kereta naik merpati hijau');
    await popup.getByRole('button', { name: /^Masuk/ }).click();
    await popup.getByText('Email atau kata sandi salah').waitFor();
    await popup.getByRole('link', { name: 'English' }).click();
    await popup.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await popup.getByLabel('Alamat email').fill(credentials.email);
    await popup.getByLabel('Kata sandi', { exact: true }).fill(credentials.password);
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: /^Masuk/ }).click();
    await closed;
    await approveIn(await windowOf(page, /^Bayar Rp\s15\.000/));
    await expect.poll(() => badges(page)).toEqual(['Lunas']);
    await page.context().close();
  });

  it('can buy without a mouse, and is told why a payment failed', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'Add Jasmine tea' }).waitFor();
    const focused = () =>
      page.evaluate<string>(
        "(document.activeElement.ariaLabel ?? document.activeElement.innerText).replace(/\\s/g, ' ')",
      );
    const press = async (name: string) => {
      for (let tabs = 0; tabs < 30 && (await focused()) !== name; tabs += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
      await page.keyboard.press('Enter');
    };
    await press('Add Jasmine tea to the cart');
    await press('One more: Jasmine tea');
    await press('One fewer: Jasmine tea');
    await signInAsNewcomer(page, 'Bima');
    const opened = page.context().waitForEvent('page');
    await press('Pay IDR 15,000');
    const popup = await opened;
    await popup.waitForSelector(approve);
    await popup.keyboard.press('Escape');
    await page.getByText('you declined the payment').waitFor();
    expect(await badges(page)).toEqual([]);
    await page.context().close();
  });
});

it('the owner, who is not in the sandbox’s picker, sees the sale and refunds it, and the order shows the refund', async () => {
  const page = await visit();
  await add(page, 'Layer cake');
  await signInAsNewcomer(page, 'Sari');
  await approveIn(await windowOf(page, 'Pay IDR 20,000'));
  await expect.poll(() => badges(page)).toEqual(['Paid']);
  const [id] =
    /trf_\w+/.exec((await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')) ?? '') ?? [];

  const owner = await (await browser.newContext({ baseURL: service })).newPage();
  await owner.goto('/signin');
  await owner.getByRole('link', { name: 'Continue with Sandbox' }).click();
  expect(await owner.getByRole('button', { name: 'Kedai Pagi' }).count()).toBe(0);
  await owner.getByLabel('Email', { exact: true }).fill('owner@kedaipagi.example');
  await owner.getByRole('button', { name: 'Continue as this person' }).click();
  await owner.goto(`/account/wallet/transactions/${id}/refund`);
  await owner.locator('main form button.main').click();
  await owner.getByRole('button', { name: /^Refund IDR/ }).click();
  await owner.waitForURL(/transactions\/\w+(\?|$)/);
  await expect
    .poll(async () => {
      await page.evaluate("window.dispatchEvent(new Event('focus'))");
      return badges(page);
    })
    .toEqual(['Refunded']);
  await owner.context().close();
  await page.context().close();
});

it.each(['light', 'dark'] as const)(
  'the shop has no axe findings in either language, %s',
  async (colorScheme) => {
    const page = await visit({ colorScheme });
    await add(page, 'Klepon');
    await signInAsNewcomer(page, `Made-${colorScheme}`);
    await approveIn(await windowOf(page, 'Pay IDR 18,000'));
    await expect.poll(() => badges(page)).toEqual(['Paid']);
    for (const lang of ['en', 'id']) {
      await page.goto(`${shop}/?lang=${lang}`);
      await page.locator('.badge.paid').waitFor();
      await page.locator('.shelf button').first().click();
      for (const size of [sizes.desktop, sizes.phone, { width: 320, height: 640 }]) {
        await page.setViewportSize(size);
        expect([lang, size.width, await findings(page)]).toEqual([lang, size.width, []]);
      }
    }
    await page.context().close();
  },
);

/** The code in the person's newest email, once it has been sent. */
async function mailedCode(to: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const { data } = (await (await fetch(`${service}/dev/mail.json`)).json()) as {
        data: { to: string; content: { subject: string } }[];
      };
      code = /\d{6}/.exec(data.find((mail) => mail.to === to)?.content.subject ?? '')?.[0];
      return code;
    })
    .toBeDefined();
  return code ?? '';
}
