import { describe, expect, it } from 'vitest';
import type { Page } from '../../checks/playwright.ts';
import { secretHash } from '../../src/lib/secret.ts';
import { addAuthenticator, said } from '../support/passkey-pages.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { armed, becomePayer } from '../support/popup-person.ts';
import { endOf, idOf, pageAt, useStage } from '../support/popup-stage.ts';

const stage = useStage();

const signedIn = { value: { type: 'signed_in' } };
const results = { login: signedIn, approval: { value: { status: 'completed', amount: 1_000 } } };
const approve = 'button[value=approved]';

describe('the popup', () => {
  it('shows text from providers and addresses unformatted, and always shows the origin [case 20]', async () => {
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

  it('ignores clicks that come too early, even after it regains focus, and the second half of a double-click [case 22]', async () => {
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
    // If a window in front of this one closes on the first click, the second click reaches this one.
    await popup.evaluate(`dispatchEvent(new Event('focus'))`);
    await popup.mouse.click(x, y);
    expect(await popup.evaluate('clicks')).toEqual([1, 1, 2, 2, 1].map((detail) => [detail, true, true]));
    expect(await endOf(stage.hosts, id)).toBe('open');
    await stage.context.clock.runFor(1_000);
    const closed = popup.waitForEvent('close');
    await popup.mouse.click(x, y);
    await stage.context.clock.resume();
    await closed;
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});

describe('a decision', () => {
  it('has no effect when posted again or when another person uses its verifier [case 16]', async () => {
    await stage.member('replayed');
    const bodies: string[] = [];
    stage.context.on('request', (request) => {
      if (/\/(decision|requests|poll)$/.test(request.url()))
        bodies.push(`${request.url()} ${request.postData()}`);
    });
    const first = await stage.popup();
    const c = idOf(first);
    await first.waitForSelector(armed);
    const closed = first.waitForEvent('close');
    await first.click(armed);
    await closed;
    expect(await stage.outcome()).toMatchObject(signedIn);
    const [decided = ''] = bodies.filter((body) => body.includes('/decision'));
    const [polled = ''] = bodies.filter((body) => body.includes('/poll'));
    const form = decided.slice(decided.indexOf(' ') + 1);
    const sessions = () => stage.app.evaluate('pid.auth.sessions.list().then(({ data }) => data.length)');
    const before = await sessions();
    const ours = await stage.context.newPage();
    await ours.goto(`${stage.hosts.service}/signin?prompt=login`);
    const replay = (id: string, body: string) =>
      ours.evaluate(`fetch('/popup/requests/${id}/decision', { method: 'POST', redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: ${JSON.stringify(body)} }).then(({ type, status }) => [type, status])`);
    expect(await replay(c, form)).toEqual(['opaqueredirect', 0]);
    expect(await replay(c, form.replace('decision=approved', 'decision=denied'))).toEqual([
      'opaqueredirect',
      0,
    ]);
    expect(await endOf(stage.hosts, c)).toBe('You are signed in');
    expect([before, await sessions()]).toEqual([1, 1]);
    // The same form cannot decide the next request.
    const next = await stage.popup();
    await next.waitForSelector(approve);
    expect(await replay(idOf(next), form)).toEqual(['basic', 400]);
    expect(await endOf(stage.hosts, idOf(next))).toBe('open');
    const stolen = await fetch(`${stage.hosts.local}/v1/popup/requests/${c}/poll`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: new URL(stage.hosts.app('evil.example')).origin,
      },
      body: polled.slice(polled.indexOf(' ') + 1),
    });
    expect(stolen.status).toBe(404);
  });

  it('is rejected if its form was edited or was shown to another session [cases 17, 18]', async () => {
    await stage.member('first');
    const cookies = await stage.context.cookies();
    await stage.context.clearCookies();
    await stage.member('second');
    const popup = await stage.popup();
    const id = idOf(popup);
    // The digest covers the content shown: here, the requesting app.
    const [own = '', other = ''] = ['app', 'shop'].map((name) =>
      secretHash(JSON.stringify({ origin: new URL(stage.hosts.app(name)).origin })),
    );
    const edit = (field: string, value: string) =>
      popup.evaluate(`document.querySelector('input[name=${field}]').value = '${value}'`);
    const attempts = [
      ['denied', () => edit('digest', other)],
      ['approved', () => edit('digest', other)],
      ['approved', () => edit('token', own)],
      ['approved', () => stage.context.addCookies(cookies)],
    ] as const;
    for (const [decision, change] of attempts) {
      await popup.getByRole('button', { name: 'Continue as second@pid' }).waitFor();
      expect(await popup.inputValue('input[name=digest]')).toBe(own);
      await popup.waitForSelector(armed);
      await change();
      await popup.click(`button[value=${decision}]`);
      await popup.getByText('Approval request was altered').waitFor();
      expect([await endOf(stage.hosts, id), await stage.app.evaluate('outcomes')]).toEqual(['open', []]);
      await popup.locator('a[href*="/popup/login"]').first().click();
    }
    await popup.getByRole('button', { name: 'Continue as first@pid' }).waitFor();
    await popup.click(armed);
    expect(await stage.outcome()).toMatchObject(signedIn);
  });

  it('is rejected after a sign-out in another tab, and the person signs in again in the popup [case 26]', async () => {
    await stage.member('signed-out');
    const other = await stage.open();
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.waitForSelector(armed);
    await other.evaluate('pid.auth.logout()');
    await popup.click(armed);
    await popup.getByRole('heading').waitFor();
    expect(await endOf(stage.hosts, id)).toBe('open');
    await popup.locator('a[href*="/popup/login"]').first().click();
    await popup.click('a[data-away=idp]');
    await popup.getByRole('button', { name: 'signed-out@example.com' }).click();
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});

describe('a popup request', () => {
  it('reveals nothing and cannot be cancelled with a wrong verifier, or with the right one from another origin [case 17]', async () => {
    const popup = await stage.popup();
    const id = idOf(popup);
    await popup.waitForSelector('a[data-away=idp]');
    // The app polls after a message, and sends its verifier.
    const [asked] = await Promise.all([
      stage.app.waitForRequest('**/poll'),
      popup.evaluate(`opener.postMessage({ pid: 1, c: '${id}', t: 'decided' }, '*')`),
    ]);
    const { verifier } = asked.postDataJSON();
    const ask = (page: Page, action: string, body: object) =>
      page.evaluate<number>(`fetch('${stage.hosts.service}/v1/popup/requests/${id}/${action}', {
        method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' },
        body: '${JSON.stringify(body)}' }).then(({ status }) => status)`);
    const [shop, stranger] = [await stage.context.newPage(), await stage.context.newPage()];
    await shop.goto(pageAt(stage.hosts, 'shop', ''));
    await stranger.goto(pageAt(stage.hosts, 'evil.example', ''));
    for (const action of ['poll', 'cancel']) {
      expect(await ask(stage.app, action, {})).toBe(400);
      expect(await ask(stage.app, action, { verifier: makeChannel().verifier })).toBe(404);
      for (const page of [shop, stranger]) expect(await ask(page, action, { verifier })).toBe(404);
    }
    expect([await endOf(stage.hosts, id), await ask(stage.app, 'poll', { verifier })]).toEqual(['open', 200]);
    await stage.join(popup, 'asked');
    expect(await stage.outcome()).toMatchObject(signedIn);
  });

  it('stays open when the passkey prompt in its popup is cancelled, so another method can be used [case 31]', async () => {
    // Autofill would call the authenticator before anyone presses a button.
    const content = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false;';
    await stage.context.addInitScript({ content });
    const popup = await stage.popup();
    const cdp = await stage.context.newCDPSession(popup);
    await cdp.send('WebAuthn.enable', { enableUI: false });
    const authenticatorId = await addAuthenticator(cdp);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    for (const name of ['Create a passkey', 'Use a passkey']) {
      await popup.getByRole('button', { name }).click();
      await expect
        .poll(() => said(popup).textContent())
        .toBe('No passkey was used, and nothing was changed.');
    }
    expect([await endOf(stage.hosts, idOf(popup)), await stage.app.evaluate('outcomes')]).toEqual([
      'open',
      [],
    ]);
    await stage.join(popup, 'cancelled');
    expect(await stage.outcome()).toMatchObject(signedIn);
  });
});

/**
 * Opens a popup that requires a sign-in: for a login, or for a payment by a person who has to sign in for each payment.
 */
const openers = {
  login: async () => ({ app: stage.app, popup: await stage.popup() }),
  async approval(handle: string) {
    await stage.member(handle);
    const payer = { handle, host: handle, stepUpAmount: 0 };
    const app = await stage.open(await becomePayer(stage.hosts, stage.app, payer));
    const popup = await stage.window(app);
    await popup.waitForURL(/popup\/approve/);
    return { app, popup };
  },
};

describe.each(['login', 'approval'] as const)('a newcomer in the %s popup', (kind) => {
  /** Signs in as the payer, who approves. */
  async function pay(popup: Page, handle: string): Promise<void> {
    await stage.choose(popup, `${handle}@example.com`);
    await popup.click(armed);
  }

  it('signs in again there and claims a PID after the claim ticket has expired [case 28]', async () => {
    const { app, popup } = await openers[kind]('payer-of-late');
    await stage.choose(popup, `${kind}-late@example.com`);
    await popup.waitForSelector('input[name=handle]');
    await stage.context.clearCookies({ name: 'pid_claim' });
    await popup.fill('input[name=handle]', `${kind}-late`);
    await popup.dispatchEvent('button[name=confirmed]', 'click');
    const back = popup.locator('a[href*="/popup/login"]').first();
    await back.waitFor();
    expect(await app.evaluate('outcomes.length')).toBe(0);
    await back.click();
    await stage.claim(popup, `${kind}-late`);
    if (kind === 'approval') {
      // A decision by anyone but the payer has no effect.
      await popup.click('text=Use another account');
      await pay(popup, 'payer-of-late');
    }
    expect(await stage.outcome(app)).toMatchObject(results[kind]);
  });

  it('sees an error for an address that belongs to another person, and signs in with another account [case 29]', async () => {
    await fetch(`${stage.hosts.local}/dev/seed`, { method: 'POST' });
    const { app, popup } = await openers[kind]('payer-of-conflict');
    const id = idOf(popup);
    await stage.choose(popup, 'conflict@example.com', 'conflict');
    await popup.getByText('Email sudah terhubung dengan akun lain').waitFor();
    expect(await endOf(stage.hosts, id)).toBe('open');
    await popup.locator('a[href*="/popup/login"]').first().click();
    if (kind === 'approval') await pay(popup, 'payer-of-conflict');
    else await stage.join(popup, 'conflict');
    expect(await stage.outcome(app)).toMatchObject(results[kind]);
  });
});
