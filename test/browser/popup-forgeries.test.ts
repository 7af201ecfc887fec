import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeChannel } from '../support/popup-channel.ts';
import { endOf, idOf, pageAt, useStage } from '../support/popup-stage.ts';

// A name that no setting allows: in development every page of this machine may sign people in.
const stranger = 'app.attacker.test';
const stage = useStage({}, [`--host-resolver-rules=MAP ${stranger} 127.0.0.1`]);

const error = (code: string, reason: string) => ({ error: { code, reason } });
const signedIn = { value: { type: 'signed_in' } };
const approve = 'button[value=approved]';

/** Posts to the service as a program does, with the origin it claims to have. */
function post(path: string, body: unknown, origin: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Origin: origin };
  return fetch(`${stage.hosts.local}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A popup that is shown, with what its opener hears and asks from then on. */
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

/** A page of another host that opens the app, so that it has the app's window at hand. */
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
    'from a page of %s, which has opened the app, does nothing',
    async (host) => {
      const { attacker, app } = await opensTheApp(host);
      const polls: string[] = [];
      app.on('request', (request) => void (request.url().endsWith('/poll') && polls.push(request.url())));
      await app.evaluate(`(window.heard = [], window.phases = [], pid.on('popup', ({ phase }) => phases.push(phase)),
      addEventListener('message', ({ data }) => heard.push(data.t)),
      act.onclick = () => { keep(pid.auth.loginWithPopup()); }, 0)`);
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

  it('from a frame in the app, of its own origin or another, or from another window of the service does nothing', async () => {
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
    const [other] = await Promise.all([
      stage.context.waitForEvent('page'),
      app
        .evaluate(
          `(setTimeout(() => open('${stage.hosts.service}/signin'), 0), act.onclick = () => open('${stage.hosts.service}/signin'), 0)`,
        )
        .then(() => app.click('#act')),
    ]);
    await other.waitForLoadState();
    await other.evaluate(`opener.postMessage(${message}, '*')`);
    await expect.poll(() => app.evaluate('heard.length')).toBe(3);
    await pause(600);
    expect(asked).toEqual([]);
    expect(await app.evaluate('phases')).toEqual(['open', 'ready']);
  });

  it('from the popup itself of another shape does nothing, and poisons nothing', async () => {
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
    expect(await app.evaluate('[{}.polluted, {}.pid, Object.prototype.t]')).toEqual(
      [null, null, null].map(() => undefined),
    );
    await popup.evaluate(`opener.postMessage({ pid: 1, c: '${c}', t: 'decided' }, '*')`);
    await expect.poll(() => asked).toEqual([`/v1/popup/requests/${c}/poll`]);
    expect(await app.evaluate('outcomes.length')).toBe(0);
  });
});

describe('a page of somebody else', () => {
  it('whose origin is not allowed gets a refusal, and the popup posts it nothing [case 14]', async () => {
    const address = stage.hosts.app('app', '/raw').replace('app.pid.localhost', stranger);
    const attacker = await stage.open(address);
    await attacker.evaluate(
      `(window.heard = [], addEventListener('message', ({ data }) => heard.push(data)))`,
    );
    const popup = await stage.popup(attacker);
    const id = idOf(popup);
    expect(await stage.outcome(attacker)).toMatchObject(error('popup_rejected', 'origin'));
    expect(await attacker.evaluate('heard')).toEqual([]);
    // Opened by hand, without the SDK, the window finds nothing to show either.
    const [bare] = await Promise.all([
      stage.context.waitForEvent('page'),
      attacker
        .evaluate(`(act.onclick = () => open('${stage.hosts.service}/popup/login?c=${id}'), 0)`)
        .then(() => attacker.click('#act')),
    ]);
    await bare.getByRole('heading', { name: 'This window has no request' }).waitFor({ timeout: 20_000 });
    expect(await attacker.evaluate('heard')).toEqual([]);
  });

  it('that has registered the same id first is nobody’s popup: 409, and the app is told [case 15]', async () => {
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
    const popup = await stage.popup();
    expect(await stage.outcome()).toMatchObject(error('popup_rejected', 'tampered'));
    expect(first).toBe(200);
    expect(answers).toEqual([409]);
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  it('cannot show the popup inside itself [case 21]', async () => {
    const { app, c } = await watched();
    const refused = app.waitForEvent('console', ({ text }) => undefined as never).catch(() => {});
    void refused;
    for (const path of [`/popup/login?c=${c}`, `/popup/done?c=${c}`]) {
      await app.evaluate(`new Promise((done) => document.body.append(Object.assign(document.createElement('iframe'),
        { src: '${stage.hosts.service}${path}', onload: done })))`);
    }
    const frames = app.frames().slice(1);
    expect(frames.map((frame) => frame.url())).toEqual(frames.map(() => 'chrome-error://chromewebdata/'));
    expect(frames.length).toBe(2);
  });
});

describe('what the popup shows', () => {
  it('is text, whatever a provider or an address says, and the origin is always there [case 20]', async () => {
    const popup = await stage.popup();
    const script = `"><img src=x onerror="opener.pwned = 1"><script>opener.pwned = 1</script>`;
    const query = new URLSearchParams({
      c: idOf(popup),
      theme: script,
      ui_locales: script,
      app: 'Bank Login',
      name: script,
    });
    await popup.goto(`${stage.hosts.service}/popup/login?${query}`);
    const { origin } = new URL(stage.hosts.app('app'));
    expect(await popup.locator('.lead').textContent()).toContain(origin);
    expect(await popup.locator('body').textContent()).not.toContain('Bank Login');
    await popup.click('a[data-away=idp]');
    await popup.fill('input[name=name]', 'Bank Login <img src=x onerror=alert(1)>');
    await popup.fill('input[name=email]', 'bank@example.com');
    await popup.getByRole('button', { name: 'Continue as this person' }).click();
    await popup.waitForSelector('input[name=handle]');
    expect(await popup.locator('body').textContent()).toContain('Bank Login <img src=x onerror=alert(1)>');
    expect(await popup.locator('img').count()).toBe(0);
    expect(await stage.app.evaluate('window.pwned')).toBeUndefined();
  });

  it('takes no click that comes too early, or the second half of a double-click, for an approval [case 22]', async () => {
    await stage.member('double-click');
    await stage.context.clock.install();
    await stage.context.clock.pauseAt(Date.now() + 1_000);
    const popup = await stage.popup();
    const button = await popup.waitForSelector(approve);
    const id = idOf(popup);
    const box = await button.boundingBox();
    if (!box) throw new Error('no button');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await popup.evaluate(`(window.clicks = [], addEventListener('click', (event) =>
      clicks.push([event.detail, event.isTrusted, event.defaultPrevented])))`);
    await popup.mouse.click(x, y);
    await popup.mouse.dblclick(x, y);
    await stage.context.clock.runFor(1_000);
    await popup.mouse.down({ clickCount: 2 });
    await popup.mouse.up({ clickCount: 2 });
    expect(await popup.evaluate('clicks')).toEqual([1, 1, 2, 2].map((detail) => [detail, true, true]));
    expect(await endOf(stage.hosts, id)).toBe('open');
    const closed = popup.waitForEvent('close');
    await popup.mouse.click(x, y);
    await closed;
    await stage.context.clock.resume();
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});

describe('a decision', () => {
  it('that is posted again changes nothing, nor does the verifier to anybody else [case 16]', async () => {
    await stage.member('replayed');
    const bodies: string[] = [];
    stage.context.on('request', (request) => {
      if (/\/(decision|requests|poll)$/.test(request.url()))
        bodies.push(`${request.url()} ${request.postData()}`);
    });
    const [first, second] = [await stage.popup(), null];
    void second;
    const c = idOf(first);
    await first.waitForSelector(approve);
    await pause(900);
    const closed = first.waitForEvent('close');
    await first.click(approve);
    await closed;
    expect(await stage.outcome()).toMatchObject(signedIn);
    const [decided = ''] = bodies.filter((body) => body.includes('/decision'));
    const [polled = ''] = bodies.filter((body) => body.includes('/poll'));
    const form = decided.slice(decided.indexOf(' ') + 1);
    const sessions = () => stage.app.evaluate('pid.auth.sessions.list().then((list) => list.length)');
    const before = await sessions();
    const page = await stage.open();
    await page.goto(`${stage.hosts.service}/popup/done?c=${c}`);
    await pause(100);
    const ours = await stage.context.newPage();
    await ours.goto(`${stage.hosts.service}/signin`);
    const replay = (id: string, body: string) =>
      ours.evaluate(`fetch('/popup/requests/${id}/decision', { method: 'POST', redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: ${JSON.stringify(body)} }).then(({ type, status }) => [type, status])`);
    expect(await replay(c, form)).toEqual(['opaqueredirect', 0]);
    expect(await replay(c, form.replace('decision=approved', 'decision=denied'))).toEqual([
      'opaqueredirect',
      0,
    ]);
    expect(await endOf(stage.hosts, c)).toBe('You are signed in');
    expect(await sessions()).toBe(before);
    // The same form does not decide the next request.
    const next = await stage.popup();
    await next.waitForSelector(approve);
    expect(await replay(idOf(next), form)).toEqual(['basic', 400]);
    expect(await endOf(stage.hosts, idOf(next))).toBe('open');
    const verifier = JSON.parse(polled.slice(polled.indexOf(' ') + 1));
    const stolen = await post(
      `/v1/popup/requests/${c}/poll`,
      verifier,
      new URL(stage.hosts.app('evil.example')).origin,
    );
    expect(stolen.status).toBe(404);
  });

  it('of somebody who has signed out in another tab is refused, and they sign in again in the popup [case 26]', async () => {
    await stage.member('signed-out');
    const other = await stage.open();
    const popup = await stage.popup();
    await popup.waitForSelector(approve);
    await pause(900);
    await other.evaluate('pid.auth.logout()');
    await popup.click(approve);
    await popup.getByRole('heading').waitFor();
    expect(await endOf(stage.hosts, idOf(popup) || (await popup.url()))).not.toBe('You are signed in');
    await popup.locator('a[href*="/popup/login"]').first().click();
    await popup.click('a[data-away=idp]');
    await popup.getByRole('button', { name: 'signed-out@example.com' }).click();
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});

describe('a newcomer', () => {
  it('whose claim has run out signs in again in the popup, and claims [case 28]', async () => {
    const popup = await stage.popup();
    await popup.click('a[data-away=idp]');
    await popup.fill('input[name=name]', 'Rani Wijaya');
    await popup.fill('input[name=email]', 'ticket@example.com');
    await popup.getByRole('button', { name: 'Continue as this person' }).click();
    await popup.waitForSelector('input[name=handle]');
    await stage.context.clearCookies({ name: 'pid_claim' });
    await popup.fill('input[name=handle]', 'ticket');
    await popup.getByLabel('Type your handle once more').fill('ticket');
    await popup.getByRole('button', { name: 'Claim this PID' }).last().click();
    const back = popup.locator('a[href*="/popup/login"]').first();
    await back.waitFor();
    expect(await stage.app.evaluate('outcomes.length')).toBe(0);
    await back.click();
    await stage.join(popup, 'ticket');
    expect(await stage.outcome()).toMatchObject(signedIn);
  });

  it('whose address is somebody else’s is told so, and signs in with another account [case 29]', async () => {
    await fetch(`${stage.hosts.local}/dev/seed`, { method: 'POST' });
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.click('a[data-away=google]');
    await popup.fill('input[name=email]', 'conflict@example.com');
    await popup.check('input[name=conflict]');
    await popup.getByRole('button', { name: 'Continue as this person' }).click();
    await popup.getByText('Email sudah terhubung dengan akun lain').waitFor();
    expect(await endOf(stage.hosts, id)).toBe('open');
    await popup.locator('a[href*="/popup/login"]').first().click();
    await stage.join(popup, 'conflict');
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});
