import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { armed } from '../support/popup-person.ts';
import { endOf, idOf, pageAt, useStage } from '../support/popup-stage.ts';

const stage = useStage({ RATE_LIMITS: '{"*":1000000,"POST /v1/popup/requests/:id/poll":20}' });

const error = (code: string, reason: string) => ({ error: { code, reason } });
const signedIn = { value: { type: 'signed_in' } };
const ended = 'This request has ended';

/** A page of the app that is severed from its popups. */
const severed = () => stage.open(stage.hosts.app('app', '/raw?coop=same-origin'));

describe('a popup closed early', () => {
  it('cancels its request if it is closed before the request is registered [case 7]', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await stage.app.route('**/v1/popup/requests', async (route) => {
      await held;
      await route.continue();
    });
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.close();
    expect(await stage.outcome()).toMatchObject(error('popup_closed', 'user'));
    release();
    await expect.poll(() => endOf(stage.hosts, id)).toBe(ended);
  });

  it('cancels its request if it is closed on its own page or at the provider [cases 8, 9]', async () => {
    for (const [index, provider] of [null, 'a[data-away=google]'].entries()) {
      const popup = await stage.popup();
      const id = idOf(popup);
      await popup.waitForSelector('a[data-away=google]');
      if (provider) {
        await popup.click(provider);
        await popup.waitForSelector('input[name=coop]');
      }
      await popup.close();
      expect(await stage.outcome(stage.app, index)).toMatchObject(error('popup_closed', 'user'));
      await expect.poll(() => endOf(stage.hosts, id)).toBe(ended);
    }
  });

  it('still delivers the approval if it is closed at the moment of approval [case 10]', async () => {
    await stage.member('moment');
    const popup = await stage.popup();
    await popup.waitForSelector(armed);
    await stage.context.route('**/decision', async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fetch({ url: `${stage.hosts.local}${pathname}`, maxRedirects: 0 });
      await popup.close();
    });
    await popup.click(armed, { noWaitAfter: true }).catch(() => {});
    expect(await stage.outcome()).toMatchObject(signedIn);
  });

  it('is cancelled by an abort signal, even before it opens [case 12]', async () => {
    await stage.app.evaluate(`(act.onclick = () => {
      window.aborter = new AbortController();
      keep(pid.auth.loginWithPopup({ signal: aborter.signal }));
    }, 0)`);
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.waitForSelector('a[data-away=idp]');
    const closed = popup.waitForEvent('close');
    await stage.app.evaluate('aborter.abort()');
    expect(await stage.outcome()).toMatchObject(error('popup_closed', 'aborted'));
    await closed;
    await expect.poll(() => endOf(stage.hosts, id)).toBe(ended);
    await stage.app.evaluate(
      `(act.onclick = () => keep(pid.auth.loginWithPopup({ signal: aborter.signal })), 0)`,
    );
    await stage.app.click('#act');
    expect(await stage.outcome(stage.app, 1)).toMatchObject(error('popup_closed', 'aborted'));
    expect(stage.context.pages().length).toBe(1);
  });
});

describe('the opener', () => {
  it('opens popups in two tabs concurrently, each with its own outcome [case 23]', async () => {
    const other = await stage.open();
    const [first, second] = [await stage.popup(), await stage.popup(other)];
    expect(idOf(first)).not.toBe(idOf(second));
    await first.click('button[value=denied]');
    expect(await stage.outcome()).toMatchObject(error('popup_rejected', 'denied'));
    await stage.join(second, 'second-tab');
    expect(await stage.outcome(other)).toMatchObject(signedIn);
    expect(await stage.app.evaluate('outcomes.length')).toBe(1);
  });

  it('does not get the result again after a reload, but the session exists [case 24]', async () => {
    const popup = await stage.popup();
    await popup.waitForSelector('a[data-away=idp]');
    await stage.app.reload();
    await stage.join(popup, 'reloaded');
    expect(await stage.app.evaluate('pid.auth.getSession().then(({ pid }) => pid)')).toBe('reloaded@pid');
    expect(await stage.app.evaluate('outcomes.length')).toBe(0);
  });

  it('receives no message after navigating to another site [case 24]', async () => {
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.waitForSelector('a[data-away=idp]');
    const recorder = '<script>heard = []; onmessage = ({ data }) => heard.push(data)</script>';
    await stage.app.goto(pageAt(stage.hosts, 'evil.example', recorder));
    await stage.join(popup, 'led-away');
    expect(await endOf(stage.hosts, id)).toBe('You are signed in');
    expect(await stage.app.evaluate('heard')).toEqual([]);
  });

  it('learns which page the popup reached even if the popup has already left that page [case 32]', async () => {
    await stage.app.evaluate(`addEventListener('message', (event) => {
      if (event.data.t !== 'away' || window.late) return;
      event.stopImmediatePropagation();
      window.late = event;
    }, { capture: true })`);
    const popup = await stage.popup();
    await popup.click('a[data-away=idp]');
    await popup.waitForSelector('input[name=coop]');
    expect(await stage.app.evaluate('[late.source, phases.at(-1)]')).toEqual([null, 'ready']);
    // A stopped event stays stopped.
    await stage.app.evaluate(`dispatchEvent(new MessageEvent('message',
      { data: late.data, origin: late.origin, source: late.source }))`);
    expect(await stage.app.evaluate('phases.at(-1)')).toBe('away');
  });

  it('closes the popup on waking if it was frozen past the deadline [case 25]', async () => {
    await stage.app.clock.install();
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.waitForSelector('a[data-away=idp]');
    expect(await endOf(stage.hosts, id)).toBe('open');
    const closed = popup.waitForEvent('close');
    // The page's timers fire late and run once, as after the machine wakes from sleep.
    await stage.app.clock.fastForward('05:01');
    expect(await stage.outcome()).toMatchObject(error('popup_closed', 'timeout'));
    await closed;
    await expect.poll(() => endOf(stage.hosts, id)).toBe(ended);
  });

  it('learns the outcome after being offline while the person decided in the popup [case 30]', async () => {
    const app = await severed();
    const popup = await stage.popup(app);
    await expect.poll(() => app.evaluate('phases.at(-1)')).toBe('detached');
    const devtools = await stage.context.newCDPSession(app);
    const line = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', { offline: true, ...line });
    const missed = app.waitForEvent('requestfailed', (request) => request.url().endsWith('/poll'));
    await stage.join(popup, 'offline');
    const failed = await app.evaluate(
      `fetch('${stage.hosts.service}/healthz', { mode: 'no-cors' }).catch(() => 'failed')`,
    );
    expect(failed).toBe('failed');
    await missed;
    expect(await app.evaluate('outcomes.length')).toBe(0);
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
    expect(await stage.outcome(app)).toMatchObject(signedIn);
  });

  it('honours Retry-After after polling too often, and learns the outcome [case 30]', async () => {
    const statuses: number[] = [];
    stage.app.on('response', (answer) => {
      if (answer.url().endsWith('/poll')) statuses.push(answer.status());
    });
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.waitForSelector('a[data-away=idp]');
    const nudge = `opener.postMessage({ pid: 1, c: '${id}', t: 'decided' }, '*')`;
    for (let turn = 0; turn < 200 && !statuses.includes(429); turn += 1) {
      await popup.evaluate(nudge);
      await pause(20);
    }
    expect(statuses).toContain(429);
    const asked = statuses.length;
    for (let turn = 0; turn < 10; turn += 1) await popup.evaluate(nudge);
    expect(statuses.length).toBe(asked);
    expect(await stage.app.evaluate('outcomes.length')).toBe(0);
    await stage.join(popup, 'too-often');
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});

describe('thirty consecutive popups', () => {
  it('leak no listener, timer or window [case 34]', async () => {
    await stage.app.evaluate(`(() => {
      window.running = new Set();
      const [set, clear] = [window.setInterval, window.clearInterval];
      window.setInterval = (...args) => { const id = set(...args); running.add(id); return id; };
      window.clearInterval = (id) => { running.delete(id); clear(id); };
      window.aborter = new AbortController();
      act.onclick = () => { keep(pid.auth.loginWithPopup({ signal: aborter.signal })); };
    })()`);
    const devtools = await stage.context.newCDPSession(stage.app);
    /** Counts the listeners on every object that the SDK listens to. */
    async function listeners(): Promise<unknown> {
      const expression = `JSON.stringify([window, document, aborter.signal].map((target) =>
        Object.entries(getEventListeners(target)).map(([name, list]) => name + ' ' + list.length)))`;
      const { result } = await devtools.send('Runtime.evaluate', { expression, includeCommandLineAPI: true });
      return result.value;
    }
    const before = await listeners();
    for (let round = 0; round < 30; round += 1) {
      const popup = await stage.popup();
      if (round === 0) expect(await listeners()).not.toBe(before);
      if (round === 0) expect(await stage.app.evaluate('running.size')).toBe(1);
      const closed = popup.waitForEvent('close');
      if (round % 10 === 0) await popup.click('button[value=denied]');
      else if (round % 10 === 5) await popup.close();
      else await stage.app.evaluate('pid.popup.active.cancel()');
      await Promise.all([closed, stage.outcome(stage.app, round)]);
    }
    expect(await listeners()).toBe(before);
    expect(await stage.app.evaluate('[running.size, pid.popup.active]')).toEqual([0, null]);
    expect(stage.context.pages().length).toBe(1);
  });
});

/** Only for the service, not for the browser. */
async function pass(seconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds: seconds });
  const headers = { 'Content-Type': 'application/json' };
  expect((await fetch(`${stage.hosts.local}/dev/clock`, { method: 'POST', headers, body })).ok).toBe(true);
}

// The service's clock cannot be moved back, so this test comes last.
describe('the popup’s deadline', () => {
  it('passes for the opener after five minutes, and a later approval has no effect [case 11]', async () => {
    await stage.member('late-opener');
    const app = await severed();
    await app.clock.install();
    const popup = await stage.popup(app);
    const id = idOf(popup);
    await popup.waitForSelector(armed);
    await app.clock.fastForward('04:50');
    expect(await app.evaluate('outcomes.length')).toBe(0);
    await app.clock.fastForward('00:11');
    expect(await stage.outcome(app)).toMatchObject(error('popup_closed', 'timeout'));
    await expect.poll(() => endOf(stage.hosts, id)).toBe(ended);
    expect(popup.isClosed()).toBe(false);
    const closed = popup.waitForEvent('close');
    await popup.click(armed);
    await closed;
    expect(await endOf(stage.hosts, id)).toBe(ended);
    expect(await app.evaluate('outcomes.length')).toBe(1);
  });

  it('is enforced by the service, so a later approval has no effect [case 11]', async () => {
    await stage.member('late-service');
    const popup = await stage.popup();
    const id = idOf(popup);
    // The approval is sent in time and arrives too late.
    let late = 0;
    await popup.route('**/popup/**', async (route) => {
      if (route.request().method() === 'POST') {
        await pass(301);
        late += 1;
      }
      await route.continue();
    });
    await popup.click(armed);
    await expect.poll(() => late).toBe(1);
    await expect.poll(() => endOf(stage.hosts, id)).toBe(ended);
    await popup.close();
    expect(await stage.outcome()).toMatchObject({
      error: { code: expect.stringMatching(/popup_(closed|rejected)/) },
    });
  });

  it('is counted down on every page, is announced 30 seconds in advance, and ends with a link back [WCAG 2.2.1]', async () => {
    const popup = await stage.popup(await severed());
    const text = async (role: string) => (await popup.textContent(`[data-deadline] [role=${role}]`)) ?? '';
    await popup.waitForSelector('[role=timer]');
    const address = popup.url();
    expect(await text('timer')).toMatch(/^This request ends in (4:\d\d|5:00)\.$/);
    await popup.click('a[href*="/email/register"]');
    await popup.waitForSelector('[role=timer]');
    await expect.poll(() => text('timer'), { timeout: 10_000 }).toMatch(/ 4:5\d\.$/);
    expect(await text('status')).toBe('');
    await pass(275);
    await popup.goto(address);
    await expect.poll(() => text('status')).toBe('30 seconds left.');
    const left = Number(/0:(\d\d)/.exec(await text('timer'))?.[1]);
    await pass(left - 3);
    await popup.goto(address);
    await expect.poll(() => text('status'), { timeout: 10_000 }).toMatch(/^Time is up/);
    expect(await popup.isVisible('[role=timer]')).toBe(false);
    const closed = popup.waitForEvent('close');
    await popup.click('text=Return to the app');
    await closed;
  });
});
