import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../checks/playwright.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { becomePayer } from '../support/popup-person.ts';
import { idOf, pageAt, useStage } from '../support/popup-stage.ts';

// In development every page on this machine is allowed, so the browser sees this one on another host.
const stranger = 'https://app.attacker.test';
const stage = useStage();

const error = (code: string, reason: string) => ({ error: { code, reason } });

/** Posts to the service like a program, with a forged origin. */
function post(path: string, body: unknown, origin: string, more: Record<string, string> = {}) {
  const headers = { 'Content-Type': 'application/json', Origin: origin, ...more };
  return fetch(`${stage.hosts.local}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** An open popup, with the messages and requests of its opener from then on. */
async function watched() {
  const { app } = stage;
  const asked: string[] = [];
  app.on('request', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
  });
  const popup = await stage.popup();
  await expect.poll(() => app.evaluate('phases')).toEqual(['open', 'ready']);
  asked.length = 0;
  await app.evaluate(`(window.heard = [], addEventListener('message', ({ data }) => heard.push(data)))`);
  return { app, popup, asked, c: idOf(popup) };
}

/** A page on another host that opens the app, and so has a reference to the app's window. */
async function opensTheApp(host: string): Promise<{ attacker: Page; app: Page }> {
  const attacker = await stage.context.newPage();
  await attacker.goto(pageAt(stage.hosts, host, '<button id="lure">Win</button>'));
  await attacker.evaluate(`lure.onclick = () => { victim = open('${stage.hosts.app('app', '/raw')}'); }`);
  const [app] = await Promise.all([stage.context.waitForEvent('page'), attacker.click('#lure')]);
  await app.waitForFunction('window.pid');
  return { attacker, app };
}

describe('a forged message [case 13]', () => {
  it.each(['shop', 'evil.example'])(
    'has no effect when it comes from a page of %s that opened the app',
    async (host) => {
      const { attacker, app } = await opensTheApp(host);
      const polls: string[] = [];
      app.on('request', (request) => void (request.url().endsWith('/poll') && polls.push(request.url())));
      await app.evaluate(
        `(window.heard = [], addEventListener('message', ({ data }) => heard.push(data.t)))`,
      );
      const popup = await stage.popup(app);
      await expect.poll(() => app.evaluate('phases.at(-1)')).toBe('ready');
      for (const t of ['away', 'decided', 'closing']) {
        await attacker.evaluate(`victim.postMessage({ pid: 1, c: '${idOf(popup)}', t: '${t}' }, '*')`);
      }
      await expect.poll(() => app.evaluate('heard')).toEqual(['ready', 'away', 'decided', 'closing']);
      await pause(600);
      expect([polls, await app.evaluate('phases')]).toEqual([[], ['open', 'ready']]);
      expect(await app.evaluate('outcomes.length')).toBe(0);
      await popup.click('button[value=denied]');
      expect(await stage.outcome(app)).toMatchObject(error('popup_rejected', 'denied'));
      expect(polls.length).toBe(1);
    },
  );

  it('has no effect when it comes from a frame in the app, on any origin, or from another window of the service', async () => {
    const { app, asked, c } = await watched();
    const message = `{ pid: 1, c: '${c}', t: 'decided' }`;
    const script = `<script>parent.postMessage(${message}, '*')</script>`;
    for (const address of [
      stage.hosts.app('app', `/file?${new URLSearchParams({ body: script })}`),
      pageAt(stage.hosts, 'evil.example', script),
    ]) {
      await app.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)} }))`,
      );
    }
    await expect.poll(() => app.evaluate('heard.length')).toBe(2);
    await app.evaluate(`(act.onclick = () => { open('${stage.hosts.service}/signin'); }, 0)`);
    const other = await stage.window(app);
    await other.waitForLoadState();
    await other.evaluate(`opener.postMessage(${message}, '*')`);
    await expect.poll(() => app.evaluate('heard.length')).toBe(3);
    await pause(600);
    expect(asked).toEqual([]);
    expect(await app.evaluate('phases')).toEqual(['open', 'ready']);
  });

  it('has no effect from the popup itself if it is malformed, and causes no error', async () => {
    const { app, popup, asked, c } = await watched();
    const forged = [
      `{ pid: 1, c: '${makeChannel().id}', t: 'decided' }`,
      `{ pid: '1', c: '${c}', t: 'decided' }`,
      `{ pid: 1, c: ['${c}'], t: 'decided' }`,
      `{ pid: 1, c: '${c}', t: '__proto__' }`,
      `{ pid: 1, c: '${c}', t: 'constructor' }`,
      `{ pid: 1, c: '${c}', t: { decided: true } }`,
      `JSON.parse('{ "__proto__": { "pid": 1, "c": "${c}", "t": "decided", "polluted": true } }')`,
      `JSON.parse('{ "constructor": { "prototype": { "polluted": true } }, "pid": 1 }')`,
      ...[
        'null',
        'undefined',
        '0',
        '"decided"',
        '[1]',
        'new Map([["pid", 1]])',
        'new ArrayBuffer(8)',
        'new Error("decided")',
      ],
    ];
    for (const data of forged) await popup.evaluate(`opener.postMessage(${data}, '*')`);
    await expect.poll(() => app.evaluate('heard.length')).toBe(forged.length);
    await pause(600);
    expect([asked, await app.evaluate('phases')]).toEqual([[], ['open', 'ready']]);
    expect(await app.evaluate('[{}.polluted, {}.pid, Object.prototype.t]')).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await popup.evaluate(`opener.postMessage({ pid: 1, c: '${c}', t: 'decided' }, '*')`);
    await expect.poll(() => asked).toEqual([`/v1/popup/requests/${c}/poll`]);
    expect(await app.evaluate('outcomes.length')).toBe(0);
  });
});

describe('a page of another site', () => {
  it.each(['login', 'approval'])(
    'gets neither %s nor a message from the popup if its origin is not allowed [case 14]',
    async (kind) => {
      const isLogin = kind === 'login';
      // It passes the app id of another person, so that the popup would show that app.
      if (!isLogin) await stage.member('victim');
      const shop = isLogin
        ? ''
        : await becomePayer(stage.hosts, stage.app, { handle: 'victim', host: 'shop' });
      const { search } = new URL(shop || stranger);
      const body = await stage.app.evaluate<string>("fetch('/raw').then((answer) => answer.text())");
      await stage.context.route(`${stranger}/**`, (route) =>
        route.fulfill({ contentType: 'text/html', body }),
      );
      await stage.context.grantPermissions(['local-network-access'], { origin: stranger });
      const page = await stage.open(`${stranger}/${search}`);
      // The SDK opens no window there, because the browser would withhold the cookies from the page.
      await page.click('#act');
      expect(await stage.outcome(page)).toMatchObject(error('popup_unavailable', 'not_same_site'));
      // A page without the SDK.
      const { id, challenge } = makeChannel();
      const request = { id, kind, challenge, ...(isLogin ? {} : { inquiryId: 'inq_1' }) };
      const headers = isLogin ? {} : { 'X-App-Id': new URLSearchParams(search).get('app') ?? '' };
      expect((await post('/v1/popup/requests', request, stranger, headers)).status).toBe(403);
      const address = JSON.stringify(`${stage.hosts.service}/popup/${isLogin ? kind : 'approve'}?c=${id}`);
      await page.evaluate(`(window.heard = [], addEventListener('message', ({ data }) => heard.push(data)),
      act.onclick = () => { open(${address}); }, 0)`);
      const popup = await stage.window(page);
      await popup.getByRole('heading', { name: 'One moment' }).waitFor();
      await pause(2000);
      expect(await page.evaluate('heard')).toEqual([]);
    },
  );

  it('cannot take over a popup by registering the request id first: the app receives a 409 error [case 15]', async () => {
    const { id: _, challenge } = makeChannel();
    let first = 0;
    const answers: number[] = [];
    stage.app.on(
      'response',
      (answer) => void (answer.url().endsWith('/requests') && answers.push(answer.status())),
    );
    await stage.app.route('**/v1/popup/requests', async (route) => {
      const { id } = route.request().postDataJSON();
      const origin = new URL(stage.hosts.app('evil.example')).origin;
      if (route.request().method() === 'POST')
        first = (await post('/v1/popup/requests', { id, kind: 'login', challenge }, origin)).status;
      await route.continue();
    });
    const popup = await stage.window(stage.app);
    expect(await stage.outcome()).toMatchObject(error('popup_rejected', 'tampered'));
    expect(first).toBe(200);
    expect(answers).toEqual([409]);
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  it('cannot frame the popup [case 21]', async () => {
    const { app, c } = await watched();
    for (const path of [`/popup/login?c=${c}`, `/popup/approve?c=${c}`, `/popup/done?c=${c}`]) {
      await app.evaluate(`new Promise((done) => document.body.append(Object.assign(document.createElement('iframe'),
        { src: '${stage.hosts.service}${path}', onload: done })))`);
    }
    const frames = app.frames().slice(1);
    expect(frames.map((frame) => frame.url())).toEqual(frames.map(() => 'chrome-error://chromewebdata/'));
    expect(frames.length).toBe(3);
  });
});
