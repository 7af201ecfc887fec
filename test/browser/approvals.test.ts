import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BrowserContext, Page } from '../../checks/playwright.ts';
import { armed, becomePayer } from '../support/popup-person.ts';
import { endOf, idOf, type Outcome, useStage } from '../support/popup-stage.ts';

const stage = useStage({ RATE_LIMITS: '{"*":1000000}' });

const error = (code: string, reason: string) => ({ error: { code, reason } });
const paid = { value: { status: 'completed', to: 'ayu@pid', amount: 1_000 } };
const approve = 'button[value=approved]';

let cookies: Parameters<BrowserContext['addCookies']>[0] | undefined;
let address: string;

beforeEach(async () => {
  // A person with money and an app, shared by all tests; each test has its own browser.
  if (cookies === undefined) {
    await stage.member('rani-wijaya');
    address = await becomePayer(stage.hosts, stage.app, { handle: 'rani-wijaya', host: 'shop' });
    cookies = await stage.context.cookies();
  } else await stage.context.addCookies(cookies);
  // Pages at `app` are first-party in the service's settings, and pay without an approval.
  await stage.app.goto(address);
});

/** Another page of the app, which sends a COOP header if one is given. */
const open = (coop = '') => stage.open(`${address}&coop=${coop}`);

/** The popup opened by a page's button. */
async function ask(page = stage.app): Promise<Page> {
  const popup = await stage.window(page);
  await popup.waitForURL(/popup\/approve/);
  return popup;
}

/** The same, after it starts accepting decisions, because an earlier click may have been meant for another window. */
async function askArmed(page = stage.app): Promise<Page> {
  const popup = await ask(page);
  await popup.waitForSelector(armed);
  return popup;
}

async function press(popup: Page, button = approve): Promise<void> {
  const closed = popup.waitForEvent('close');
  await popup.click(button);
  await closed;
}

const balance = () => stage.app.evaluate<number>('pid.wallet.balance().then(({ balance }) => balance)');

/** Returns the cost of an action to the payer after its outcome is known. */
async function costOf(act: () => Promise<unknown>): Promise<number> {
  const before = await balance();
  await act();
  return before - (await balance());
}

describe('a payment', () => {
  it('opens one popup during the click and moves the money when the person approves [cases 1, 3]', async () => {
    await stage.app.evaluate(`act.onclick = () => {
      const events = window.events = [];
      const [open, fetch] = [window.open, window.fetch];
      window.open = (...args) => (events.push('open'), open.apply(window, args));
      window.fetch = (...args) => (events.push('fetch'), fetch.apply(window, args));
      keep(start()); keep(start());
      events.push('end of the task');
    }`);
    const cost = await costOf(async () => {
      const popup = await askArmed();
      const { origin } = new URL(stage.hosts.app('shop'));
      const text = await popup.locator('main').innerText();
      for (const shown of [origin, 'Toko Demo', 'ayu@pid', '1,000']) expect(text).toContain(shown);
      await press(popup);
      expect(await stage.outcome()).toMatchObject(error('popup_blocked', 'busy'));
      expect(await stage.outcome(stage.app, 1)).toMatchObject(paid);
    });
    expect(cost).toBe(1_000);
    expect(await stage.app.evaluate('events.slice(0, 3)')).toEqual(['open', 'end of the task', 'fetch']);
    expect(await stage.app.evaluate('[phases.at(-1), client.popup.active]')).toEqual(['settled', null]);
  });

  it('works in an app whose popups lose access to their opener [case 4]', async () => {
    const app = await open('same-origin');
    const cost = await costOf(async () => {
      const popup = await askArmed(app);
      await expect.poll(() => app.evaluate('phases.at(-1)')).toBe('detached');
      await press(popup);
      expect(await stage.outcome(app)).toMatchObject(paid);
    });
    expect(cost).toBe(1_000);
  });

  it('does not move money when the popup is closed, declined or cancelled [cases 7, 8, 12]', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const cost = await costOf(async () => {
      await stage.app.route('**/v1/popup/requests', async (route) => {
        await held;
        await route.continue();
      });
      await (await ask()).close();
      expect(await stage.outcome()).toMatchObject(error('popup_closed', 'user'));
      release();
      await (await askArmed()).close();
      expect(await stage.outcome(stage.app, 1)).toMatchObject(error('popup_closed', 'user'));
      await press(await askArmed(), 'button[value=denied]');
      expect(await stage.outcome(stage.app, 2)).toMatchObject(error('popup_rejected', 'denied'));
      const popup = await askArmed();
      const closed = popup.waitForEvent('close');
      await stage.app.evaluate('client.popup.active.cancel()');
      await closed;
      expect(await stage.outcome(stage.app, 3)).toMatchObject(error('popup_closed', 'aborted'));
      const all = await stage.app.evaluate<Outcome[]>('outcomes');
      for (const { error: refusal } of all) expect(refusal).toMatchObject({ message: /rejected/ });
    });
    expect(cost).toBe(0);
  });

  it('goes through even if the popup is closed at the moment of approval [case 10]', async () => {
    const cost = await costOf(async () => {
      const popup = await askArmed();
      await stage.context.route('**/decision', async (route) => {
        const { pathname } = new URL(route.request().url());
        await route.fetch({ url: `${stage.hosts.local}${pathname}`, maxRedirects: 0 });
        await popup.close();
      });
      await popup.click(approve, { noWaitAfter: true }).catch(() => {});
      expect(await stage.outcome()).toMatchObject(paid);
    });
    expect(cost).toBe(1_000);
  });

  it('is made only once, even if the response to its confirmation is lost [case 30]', async () => {
    let lost = 0;
    await stage.app.route('**/transfers/confirm', async (route) => {
      if (route.request().method() === 'OPTIONS' || lost === 2) return route.continue();
      lost += 1;
      const url = `${stage.hosts.local}/v1/fiat/transfers/confirm`;
      // The first is lost on the way to the service, the second on the way back.
      if (lost === 2) await route.fetch({ url, headers: await route.request().allHeaders() });
      return route.abort();
    });
    const cost = await costOf(async () => {
      await press(await askArmed());
      expect(await stage.outcome()).toMatchObject(paid);
    });
    expect([cost, lost]).toEqual([1_000, 2]);
  });
});

describe('money', () => {
  it('does not move on a forged message or a click intended for the opener [cases 13, 22]', async () => {
    const cost = await costOf(async () => {
      const popup = await askArmed();
      // The window comes to the front and the clock is stopped, so the click comes immediately.
      await popup.evaluate("(performance.now = () => 1e9, dispatchEvent(new Event('focus')))");
      await popup.click(approve, { force: true, noWaitAfter: true });
      const message = `{ pid: 1, c: '${idOf(popup)}', t: 'decided' }`;
      await stage.app.evaluate(`postMessage(${message}, '*')`);
      await popup.evaluate(`opener.postMessage(${message}, '*')`);
      await pause(500);
      expect([await endOf(stage.hosts, idOf(popup)), await stage.app.evaluate('outcomes')]).toEqual([
        'open',
        [],
      ]);
      await popup.close();
      await stage.outcome();
    });
    expect(cost).toBe(0);
  });

  it('does not move if the form was tampered with [case 18]', async () => {
    const cost = await costOf(async () => {
      const popup = await askArmed();
      await popup.evaluate(`document.querySelector('input[name=digest]').value = '${'A'.repeat(43)}'`);
      await popup.click(approve, { noWaitAfter: true });
      await popup.getByText('Approval request was altered').waitFor();
      await popup.close();
      expect((await stage.outcome()).error?.code).toMatch(/^popup_(closed|rejected)$/);
    });
    expect(cost).toBe(0);
  });

  it('does not move if the opener was reloaded, even if the person approves [case 24]', async () => {
    const cost = await costOf(async () => {
      const popup = await askArmed();
      await stage.app.reload();
      await press(popup);
    });
    expect(cost).toBe(0);
  });

  it('does not move for a person who signed out in another tab, or for another person [cases 26, 27]', async () => {
    const popup = await askArmed();
    const id = idOf(popup);
    await stage.context.clearCookies();
    await popup.click(approve, { noWaitAfter: true });
    await expect.poll(() => endOf(stage.hosts, id)).toBe('open');
    const stranger = await stage.open();
    await stage.join(await stage.popup(stranger), 'stranger');
    await popup.goto(`${stage.hosts.service}/popup/approve?c=${id}`);
    await popup.getByText('stranger@pid').first().waitFor();
    expect(await popup.locator(approve).count()).toBe(0);
    expect(await popup.locator('main').innerText()).not.toContain('ayu@pid');
    await stage.context.clearCookies();
    await stage.context.addCookies(cookies ?? []);
    expect(await stage.app.evaluate('outcomes')).toEqual([]);
    await popup.close();
    expect((await stage.outcome()).error).toMatchObject({ code: 'popup_closed' });
  });

  it('moves only for the approved tab when two tabs send requests concurrently [case 23]', async () => {
    const other = await open();
    const cost = await costOf(async () => {
      const [first, second] = [await askArmed(), await askArmed(other)];
      expect(idOf(first)).not.toBe(idOf(second));
      await press(first, 'button[value=denied]');
      expect(await stage.outcome()).toMatchObject(error('popup_rejected', 'denied'));
      // The popup that was in front takes the focus again, and then has to wait.
      await second.bringToFront();
      await second.waitForSelector(armed);
      await press(second);
      expect(await stage.outcome(other)).toMatchObject(paid);
    });
    expect(cost).toBe(1_000);
  });

  it('does not move after two minutes, whether the approval comes at 119.9 or 121 seconds [cases 11, 25]', async () => {
    for (const [before, after] of [
      ['01:59.900', '00:01.100'],
      ['02:01', '00:00'],
    ]) {
      const app = await open('same-origin');
      const cost = await costOf(async () => {
        await app.clock.install();
        const popup = await askArmed(app);
        const id = idOf(popup);
        let arrive = () => {};
        const held = new Promise<void>((resolve) => {
          arrive = resolve;
        });
        await app.route('**/poll', async (route) => {
          await held;
          await route.continue();
        });
        await app.clock.fastForward(toMs(before ?? ''));
        if (after === '00:00') {
          await stage.outcome(app);
          await expect.poll(() => endOf(stage.hosts, id)).not.toBe('open');
        }
        await press(popup);
        await app.clock.fastForward(toMs(after ?? ''));
        arrive();
        expect(await stage.outcome(app)).toMatchObject(error('popup_closed', 'timeout'));
        await app.clock.fastForward(5_000);
        await pause(500);
      });
      expect([before, cost]).toEqual([before, 0]);
      await app.close();
    }
  });
});

function toMs(time: string): number {
  const [minutes = '0', seconds = '0'] = time.split(':');
  return Number(minutes) * 60_000 + Number(seconds) * 1_000;
}

it('thirty consecutive approvals leak no listener, timer or window [case 34]', async () => {
  await stage.app.evaluate(`(() => {
    window.running = new Set();
    const [set, clear] = [window.setInterval, window.clearInterval];
    window.setInterval = (...args) => { const id = set(...args); running.add(id); return id; };
    window.clearInterval = (id) => { running.delete(id); clear(id); };
  })()`);
  const devtools = await stage.context.newCDPSession(stage.app);
  async function listeners(): Promise<unknown> {
    const expression = `JSON.stringify([window, document].map((target) =>
      Object.entries(getEventListeners(target)).map(([name, list]) => name + ' ' + list.length)))`;
    const { result } = await devtools.send('Runtime.evaluate', { expression, includeCommandLineAPI: true });
    return result.value;
  }
  const before = await listeners();
  for (let round = 0; round < 30; round += 1) {
    const popup = await stage.window(stage.app);
    const closed = popup.waitForEvent('close');
    if (round % 10 === 5) await popup.close();
    else await stage.app.evaluate('client.popup.active.cancel()');
    await Promise.all([closed, stage.outcome(stage.app, round)]);
  }
  expect(await listeners()).toBe(before);
  expect(await stage.app.evaluate('[running.size, client.popup.active]')).toEqual([0, null]);
  expect(stage.context.pages().length).toBe(1);
});
