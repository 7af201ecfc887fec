import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { openPerson, type Person, runtimes, said, signUp } from '../support/passkey-pages.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

// Runs on this machine, because the app has not been checked.
const appOrigin = 'http://shop.localhost:4000';
const approve = 'button[value=approved]';

let folder: string;
let server: RunningProcess;
let browser: Browser;
let origin: string;
let payer: Person;
let app: { id: string; secret: { value: string } };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-approval-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const { script, env } = runtimes['npm start (Bun, libSQL)'](port, folder);
  [server, browser] = await Promise.all([
    runScript(script, env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
  await post('/dev/seed', {});
  payer = await openPerson(browser, origin);
  const handle = await signUp(payer);
  await ofPayer('POST', '/v1/wallet', {});
  await post('/dev/money', { to: `${handle}@pid`, amount: 1_000_000 });
  const fields = { name: 'Corner Shop', type: 'web', redirectUris: [], allowedOrigins: [appOrigin] };
  app = (await ofPayer('POST', '/v1/apps', fields)) as typeof app;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Posts like a program on this machine. */
async function post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
  const answer = await fetch(`${origin}${path}`, { ...init, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text === '' ? (undefined as T) : JSON.parse(text);
}

/** A payer's request on one of our pages. */
function ofPayer(method: string, path: string, body: object): Promise<unknown> {
  return payer.page.evaluate(
    async ([verb, address, text]) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(address ?? '', { method: verb ?? '', headers, body: text ?? '' });
      return answer.json();
    },
    [method, path, JSON.stringify(body)],
  );
}

interface Asked {
  readonly path: string;
  status(): Promise<string>;
}

/** A request by the app's back end for a transfer of this amount. */
async function ask(amount = 5_000): Promise<Asked> {
  const cookies = await payer.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const page = { Cookie: cookie, Origin: appOrigin, 'X-App-Id': app.id };
  const { id: inquiryId } = await post<{ id: string }>(
    '/v1/fiat/transfers/inquiry',
    { to: 'ayu@pid', amount },
    page,
  );
  const { id, verifier, challenge } = makeChannel();
  const client = { client_id: app.id, client_secret: app.secret.value, origin: appOrigin };
  await post('/v1/popup/requests', { id, kind: 'approval', challenge, inquiryId, ...client });
  const status = async () =>
    (await post<{ status: string }>(`/v1/popup/requests/${id}/poll`, { verifier })).status;
  return { path: `/popup/approve?c=${id}`, status };
}

/** Another of the payer's browsers. */
async function another(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', ...options });
  await context.addCookies(await payer.context.cookies());
  return context.newPage();
}

/** The page of a request after its buttons are enabled. */
async function open(asked: Asked): Promise<Page> {
  const page = await payer.context.newPage();
  await page.goto(asked.path);
  await page.locator(`${approve}[aria-disabled=false]`).waitFor();
  return page;
}

it('the approval page focuses its heading, approves only on Enter on the button, and denies on Escape [case 22]', async () => {
  const [first, second] = [await ask(), await ask()];
  const page = await payer.context.newPage();
  await page.goto(first.path);
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await page.keyboard.press('Enter');
  await page.locator(`${approve}[aria-disabled=false]`).waitFor();
  await page.keyboard.press('Enter');
  expect(await first.status()).toBe('opened');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
  await page.keyboard.press('Enter');
  expect(await page.getByText(app.id).isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You approved the payment' }).waitFor();
  expect(await first.status()).toBe('approved');
  const other = await open(second);
  await other.keyboard.press('Escape');
  await other.getByRole('heading', { name: 'You denied the payment' }).waitFor();
  expect(await second.status()).toBe('denied');
});

it('the approval page mentions Escape only where there is a keyboard', async () => {
  const { path } = await ask();
  const hint = 'Press Escape to deny.';
  const [page, phone] = [await another(), await another({ hasTouch: true, isMobile: true })];
  await page.goto(path);
  expect(await page.getByText(hint).isVisible()).toBe(true);
  await phone.goto(path);
  expect(await phone.getByText('The payment is made when').isVisible()).toBe(true);
  expect(await phone.getByText(hint).isVisible()).toBe(false);
});

it('the approval page ignores a key press or click that began before the buttons were enabled, both on load and after regaining focus [case 22]', async () => {
  const asked = await ask();
  const page = await another();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.goto(asked.path);
  const box = await page.locator(approve).boundingBox();
  if (!box) throw new Error('no button');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const isArmed = () => page.getAttribute(approve, 'aria-disabled').then((value) => value === 'false');
  /** Holds the button down for this time. */
  async function hold(ms: number): Promise<void> {
    await page.mouse.down();
    await page.clock.runFor(ms);
    await page.mouse.up();
  }
  for (const event of ['focus', 'visibilitychange', 'focus']) {
    await page.evaluate(
      `(${event === 'focus' ? 'window' : 'document'}).dispatchEvent(new Event('${event}'))`,
    );
    expect(await isArmed()).toBe(false);
    await page.clock.runFor(500);
    await hold(500);
    expect(await isArmed()).toBe(true);
  }
  expect(await asked.status()).toBe('opened');
  await hold(100);
  await page.getByRole('heading', { name: 'You approved the payment' }).waitFor();
  expect(await asked.status()).toBe('approved');
});

it('the approval page counts down, warns 30 seconds before the end, and then links back to the app', async () => {
  const asked = await ask();
  const page = await another();
  await page.clock.install();
  await page.goto(asked.path);
  const [timer, status] = [page.getByRole('timer'), page.locator('[data-deadline] [role=status]')];
  expect(await timer.textContent()).toMatch(/^This request ends in (2:00|1:5\d)\.$/);
  expect(await status.textContent()).toBe('');
  await page.clock.fastForward(92_000);
  await expect.poll(() => status.textContent()).toBe('30 seconds left.');
  await page.clock.fastForward(31_000);
  await expect.poll(() => status.textContent()).toMatch(/^Time is up/);
  expect(await page.getByRole('link', { name: 'Return to the app' }).isVisible()).toBe(true);
});

it('the approval page works without JavaScript, even at 400 % zoom [case 33]', async () => {
  const asked = await ask();
  const viewport = { width: 320, height: 256 };
  const page = await another({ javaScriptEnabled: false, locale: 'id-ID', viewport });
  await page.goto(asked.path);
  await page.getByRole('button', { name: /^Setujui/ }).click();
  await page.getByRole('heading', { name: 'Anda menyetujui pembayaran' }).waitFor();
  expect(await asked.status()).toBe('approved');
});

it('the approval page requires a passkey above the step-up amount, even after a cancelled prompt, and a new sign-in after a sign-out [case 31]', async () => {
  await ofPayer('PATCH', '/v1/me', { stepUpAmount: 10_000 });
  const asked = await ask(10_001);
  const { page, cdp, authenticatorId } = payer;
  await page.goto(asked.path);
  await page.getByText('Sign in again for this payment').waitFor();
  expect(await page.locator(`${approve},[data-away],input[type=password]`).count()).toBe(0);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: /passkey/i }).click();
  await expect.poll(() => said(page).textContent()).toBe('No passkey was used, and nothing was changed.');
  expect(await asked.status()).toBe('opened');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: /passkey/i }).click();
  await page.locator(`${approve}[aria-disabled=false]`).waitFor();
  expect(page.url()).toContain(asked.path);
  // The person has since signed out.
  await payer.context.clearCookies();
  await page.reload();
  await page.getByText('to see the payment').waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.locator(`${approve}[aria-disabled=false]`).waitFor();
  await page.click(approve);
  await page.getByText('You approved the payment').waitFor();
  expect(await asked.status()).toBe('approved');
});
