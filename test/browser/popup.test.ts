import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

/** A page that opens popups and records their messages. */
const openerPage = `<!doctype html><title>App</title><script>
const heard = [];
let popup = null;
addEventListener('message', ({ origin, data, source }) => {
  heard.push({ origin, ...data, isPopup: source === popup });
});
function openPopup(url) {
  popup = open(url, '_blank', 'popup,width=480,height=720');
}
function postFromFrame(data, target) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<!doctype html>';
    frame.onload = () => {
      const script = frame.contentDocument.createElement('script');
      frame.contentWindow.popup = popup;
      script.textContent = 'popup.postMessage(' + JSON.stringify(data) + ', ' + JSON.stringify(target) + ')';
      frame.contentDocument.body.append(script);
      resolve();
    };
    document.body.append(frame);
  });
}
async function send(url, body) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', credentials: 'include', headers, body: JSON.stringify(body) });
  return answer.json();
}
</script>`;

interface Heard {
  readonly origin: string;
  readonly pid: number;
  readonly c: string;
  readonly t: string;
  readonly isPopup: boolean;
}

let browser: Browser;
let folder: string;
let service: RunningProcess;
let apps: Server;
let id: string;
let app: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-popup-'));
  const port = await freePort();
  id = `http://id.pid.localhost:${port}`;
  apps = createServer((request, answer) => {
    const isSevering = request.url?.includes('coop') ?? false;
    const policy = isSevering ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {};
    answer.writeHead(200, { 'Content-Type': 'text/html', ...policy }).end(openerPage);
  });
  await new Promise<void>((resolve) => apps.listen(0, '127.0.0.1', resolve));
  const appPort = (apps.address() as AddressInfo).port;
  app = `http://app.pid.localhost:${appPort}`;
  const env = {
    PORT: String(port),
    BASE_URL: id,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
    COOKIE_DOMAIN: 'pid.localhost',
    RATE_LIMITS: 'off',
  };
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  service = await runScript(['start'], env, isReady);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await new Promise((resolve) => apps.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

let context: BrowserContext;
let opener: Page;
beforeEach(async () => {
  context = await browser.newContext();
  opener = await context.newPage();
});
afterEach(() => context.close());

type Channel = ReturnType<typeof makeChannel>;

/** Opens the window first, and registers its request after `pauseMs`, like an app. */
async function open(
  address = app,
  { pauseMs = 0 }: { pauseMs?: number } = {},
): Promise<Channel & { window: Page }> {
  const channel = makeChannel();
  await opener.goto(address);
  const [window] = await Promise.all([
    context.waitForEvent('page'),
    opener.evaluate(`openPopup('${id}/popup/login?c=${channel.id}&v=1')`),
  ]);
  await opener.waitForTimeout(pauseMs);
  const { id: c, challenge } = channel;
  expect(await ask('', { id: c, kind: 'login', challenge })).toMatchObject({ status: 'created' });
  return { ...channel, window };
}

/** Sends JSON from the opener's page. */
function ask(path: string, body: unknown): Promise<Record<string, unknown>> {
  return opener.evaluate(`send('${id}/v1/popup/requests${path}', ${JSON.stringify(body)})`);
}

/** The messages received by the opener. */
const messages = () => opener.evaluate<Heard[]>('heard');
const told = async () => (await messages()).map(({ t }) => t);
const poll = ({ id: c, verifier }: Channel) => ask(`/${c}/poll`, { verifier });

/** Chooses a demo person at the sandbox provider. */
async function choose(window: Page, name: string, knob?: string): Promise<void> {
  if (knob !== undefined) await window.getByLabel(knob).check();
  await window.getByRole('button', { name }).click();
}

const severing = 'Pass a page that cuts a popup from its opener';

describe('a popup in Chromium', () => {
  it('reports its state to its opener, and closes itself when it is done', async () => {
    const { window, ...channel } = await open();
    await expect.poll(told).toEqual(['ready']);
    await window
      .getByRole('link', { name: /Sandbox/ })
      .first()
      .click();
    await expect.poll(told).toEqual(['ready', 'away']);
    await choose(window, 'Budi Santoso');
    await expect.poll(told).toEqual(['ready', 'away', 'back']);
    const closed = window.waitForEvent('close');
    await claimHandle(window, 'budi');
    await closed;
    await expect.poll(told).toEqual(['ready', 'away', 'back', 'back', 'decided']);
    for (const message of await messages()) {
      expect(message).toEqual({ origin: id, pid: 1, c: channel.id, t: message.t, isPopup: true });
    }
    expect(await poll(channel)).toMatchObject({ status: 'approved', openerLost: false, seversOpener: false });
  });

  it('finds a request that is registered long after the popup opened [case 7]', async () => {
    const { window } = await open(app, { pauseMs: 3_500 });
    await expect.poll(told).toEqual(['ready']);
    expect(await window.getByText(app).isVisible()).toBe(true);
  });

  it('reports that it is closing, retracts the report if it was only reloaded, and reports nothing between its own pages [case 8]', async () => {
    const { window, ...channel } = await open();
    await expect.poll(told).toEqual(['ready']);
    await window.reload();
    await expect.poll(told).toEqual(['ready', 'closing', 'ready']);
    await expect.poll(async () => (await poll(channel))['closed']).toBe(false);
    await window.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await window.getByRole('heading', { name: 'Masuk' }).waitFor();
    expect(await poll(channel)).toMatchObject({ closed: false });
    expect(await told()).toEqual(['ready', 'closing', 'ready', 'ready']);
    await window.close({ runBeforeUnload: true });
    await expect.poll(async () => (await poll(channel))['closed']).toBe(true);
    expect((await told()).at(-1)).toBe('closing');
  });

  it('closes on a message from its opener, but not from any other window [case 13]', async () => {
    const { window, id: c } = await open();
    await expect.poll(told).toEqual(['ready']);
    const forge = (data: unknown) => opener.evaluate(`popup.postMessage(${JSON.stringify(data)}, '${id}')`);
    for (const data of [null, 'cancel', { pid: 1, c: 'other', t: 'cancel' }, { pid: 2, c, t: 'cancel' }]) {
      await forge(data);
    }
    // A frame on the same origin can access the window, but is not the window that opened it.
    await opener.evaluate(`postFromFrame(${JSON.stringify({ pid: 1, c, t: 'cancel' })}, '${id}')`);
    await window.waitForTimeout(300);
    expect(window.isClosed()).toBe(false);
    await forge({ pid: 1, c, t: 'cancel' });
    await expect.poll(() => window.isClosed()).toBe(true);
  });

  it('reports a lost opener to the service, continues alone and closes itself [case 4]', async () => {
    const { window, ...channel } = await open(`${app}/coop`);
    await expect.poll(async () => (await poll(channel))['openerLost']).toBe(true);
    await window
      .getByRole('link', { name: /Sandbox/ })
      .first()
      .click();
    await window.getByRole('button', { name: 'Siti Rahmawati' }).waitFor();
    expect(await poll(channel)).toMatchObject({ status: 'opened', openerLost: true, closed: false });
    await choose(window, 'Siti Rahmawati');
    const closed = window.waitForEvent('close');
    await claimHandle(window, 'siti');
    await closed;
    expect(await poll(channel)).toMatchObject({ status: 'approved' });
    expect(await told()).toEqual([]);
  });

  it('records which provider severed it from its opener [cases 5, 6]', async () => {
    const { window, ...channel } = await open();
    await window
      .getByRole('link', { name: /Sandbox/ })
      .first()
      .click();
    await window.getByLabel(severing).waitFor();
    await expect.poll(told).toEqual(['ready', 'away']);
    await choose(window, '陈美玲', severing);
    await window.getByLabel('Handle', { exact: true }).waitFor();
    expect(await opener.evaluate('popup.closed')).toBe(true);
    await expect.poll(async () => (await poll(channel))['openerLost']).toBe(true);
    expect(await poll(channel)).toMatchObject({ status: 'opened', seversOpener: false });
    const closed = window.waitForEvent('close');
    await claimHandle(window, 'meiling');
    await closed;
    expect(await told()).toEqual(['ready', 'away']);
    await expect.poll(() => poll(channel)).toMatchObject({ status: 'approved', seversOpener: true });
  });

  it('works without JavaScript [case 33]', async () => {
    const channel = makeChannel();
    const bare = await browser.newContext({ javaScriptEnabled: false });
    const window = await bare.newPage();
    const arrived = window.waitForURL(/visit=2/);
    await window.goto(`${id}/popup/login?c=${channel.id}`);
    await arrived;
    await opener.goto(app);
    await ask('', { id: channel.id, kind: 'login', challenge: channel.challenge });
    await window
      .getByRole('link', { name: /Sandbox/ })
      .first()
      .click();
    await choose(window, 'Olúmìdé Adébáyọ̀');
    await window.waitForURL(/claim/);
    await claimHandle(window, 'olumide');
    await window.getByText('You can close this window').waitFor();
    expect(await poll(channel)).toMatchObject({ status: 'approved' });
    await bare.close();
  });
});
