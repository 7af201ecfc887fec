import { describe, expect, it } from 'vitest';
import { dumpRecords, inOneTrip, refusal, seen } from '../support/answers.ts';
import { json, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { appOrigin, beat, makeOpener, openPopup, registered } from '../support/popup.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useService } from '../support/service.ts';

const target = useService();

const unknown = refusal(404, 'Popup request does not exist');

describe('a popup request', () => {
  it('is registered by an opener, and only the opener can read its state', async () => {
    const opener = makeOpener(target);
    const asked = target.now();
    const [status, body] = await seen(await inOneTrip(target, () => opener.register()));
    const expiresAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([status, body]).toEqual([200, { id: opener.id, status: 'created', expiresAt }]);
    const until = Date.parse((body as { expiresAt: string }).expiresAt);
    expect(until).toBeGreaterThanOrEqual(asked + 300_000);
    expect(until).toBeLessThanOrEqual(target.now() + 300_000);
    expect(await inOneTrip(target, () => opener.poll())).toEqual({
      status: 'created',
      kind: 'login',
      reason: null,
      openerLost: false,
      closed: false,
      seversOpener: false,
      expiresAt: (body as { expiresAt: string }).expiresAt,
    });
  });

  it('may be registered again after a lost response, but not by another opener or for another purpose [case 15]', async () => {
    const opener = await registered(target);
    expect((await opener.register()).status).toBe(200);
    const exists = refusal(409, 'Popup request already exists');
    const { challenge } = makeChannel();
    expect(await seen(await opener.register({ challenge }))).toEqual(exists);
    expect(await seen(await opener.register({}, { Origin: 'http://shop.localhost:5173' }))).toEqual(exists);
    const member = await newMember(target);
    const asMember = { Cookie: await member.browser.cookies() };
    expect(await seen(await opener.register({ link: 'google' }, asMember))).toEqual(exists);
    await opener.ask('cancel');
    expect(await seen(await opener.register())).toEqual(exists);
  });

  it('needs an origin that is allowed to act with cookies [case 14]', async () => {
    const refused = refusal(403, 'Origin is not allowed');
    for (const origin of ['https://evil.example', 'null', 'http://app.localhost.evil.example']) {
      expect(await seen(await makeOpener(target, origin).register())).toEqual(refused);
    }
    const { id, challenge } = makeChannel();
    const nameless = await target.request(
      '/v1/popup/requests',
      json('POST', { id, kind: 'login', challenge }),
    );
    expect(await seen(nameless)).toEqual(refused);
  });

  it('is rejected if a field is invalid', async () => {
    const problems: [Record<string, unknown>, string[]][] = [
      [{ kind: 'payment' }, ['kind must be one of: login, approval']],
      [{ kind: undefined }, ['kind must be one of: login, approval']],
      [{ id: 'short' }, ['id must be 16 bytes in base64url']],
      [{ id: `${'A'.repeat(21)}B` }, ['id must be 16 bytes in base64url']],
      [{ challenge: 'A'.repeat(42) }, ['challenge must be 32 bytes in base64url']],
      [{ challenge: 7 }, ['challenge must be 32 bytes in base64url']],
      [{ link: 'facebook' }, ['link must be one of: idp, google, github']],
      [{ prompt: 'none' }, ['prompt must be login']],
    ];
    for (const [change, texts] of problems) {
      expect(await seen(await makeOpener(target).register(change))).toEqual(refusal(400, texts));
    }
    const opener = await registered(target);
    const texts = ['verifier must be 32 bytes in base64url'];
    expect(await seen(await opener.ask('poll', 'guess'))).toEqual(refusal(400, texts));
  });

  it('reveals nothing without its verifier, or to another origin with the verifier [case 17]', async () => {
    const [opener, other] = [await registered(target), await registered(target)];
    const before = await dumpRecords(target);
    for (const action of ['poll', 'cancel'] as const) {
      expect(await seen(await opener.ask(action, other.verifier))).toEqual(unknown);
      expect(await seen(await opener.ask(action, opener.challenge))).toEqual(unknown);
      expect(await seen(await opener.ask(action, opener.verifier, 'http://shop.localhost:5173'))).toEqual(
        unknown,
      );
      expect(await seen(await makeOpener(target).ask(action))).toEqual(unknown);
    }
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('can be cancelled permanently by its opener, even before the window has shown anything [case 7]', async () => {
    const opener = await registered(target);
    expect(await seen(await inOneTrip(target, () => opener.ask('cancel')))).toEqual([
      200,
      expect.objectContaining({ status: 'cancelled', reason: null }),
    ]);
    const browser = openBrowser(target);
    expect(await (await openPopup(browser, opener)).text()).toContain('This request has ended');
    expect(await opener.poll()).toMatchObject({ status: 'cancelled' });
    expect((await (await opener.ask('cancel')).json()) as object).toMatchObject({ status: 'cancelled' });
  });

  it('expires permanently after five minutes [case 11]', async () => {
    const opener = await registered(target);
    const member = await newMember(target);
    await openPopup(member.browser, opener);
    await target.advance(290);
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    await target.advance(11);
    expect(await opener.poll()).toMatchObject({ status: 'expired' });
    expect((await (await opener.ask('cancel')).json()) as object).toMatchObject({ status: 'expired' });
    const page = await openPopup(member.browser, opener);
    expect(await page.text()).toContain('This request has ended');
    expect((await beat(target, member.browser, opener.id, {})).status).toBe(204);
    expect(await opener.poll()).toMatchObject({ status: 'expired' });
  });

  it('is independent of other open requests [case 23]', async () => {
    const [first, second] = [await registered(target), await registered(target)];
    const browser = openBrowser(target);
    await openPopup(browser, first);
    expect([await first.poll(), await second.poll()]).toMatchObject([
      { status: 'opened' },
      { status: 'created' },
    ]);
    await first.ask('cancel');
    await openPopup(browser, second);
    expect([await first.poll(), await second.poll()]).toMatchObject([
      { status: 'cancelled' },
      { status: 'opened' },
    ]);
  });
});

describe('the report of a popup', () => {
  it('notifies the opener that the popup closed, and later that it returned [case 8]', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    expect((await inOneTrip(target, () => beat(target, browser, opener.id, { closed: true }))).status).toBe(
      204,
    );
    expect(await opener.poll()).toMatchObject({ status: 'opened', closed: true });
    await openPopup(browser, opener);
    expect(await opener.poll()).toMatchObject({ status: 'opened', closed: false });
    await beat(target, browser, opener.id, { closed: true });
    await beat(target, browser, opener.id, {});
    expect(await opener.poll()).toMatchObject({ closed: false });
  });

  it('keeps the opener waiting while the popup reports or is at a provider [case 4]', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    expect(await opener.poll()).toMatchObject({ openerLost: false });
    await beat(target, browser, opener.id, { openerLost: true });
    expect(await opener.poll()).toMatchObject({ openerLost: true, closed: false });
    await target.advance(11);
    expect(await opener.poll()).toMatchObject({ openerLost: false, closed: false });
    await beat(target, browser, opener.id, { openerLost: true, away: 'idp' });
    await target.advance(120);
    expect(await opener.poll()).toMatchObject({ openerLost: true });
    await beat(target, browser, opener.id, { closed: true });
    expect(await opener.poll()).toMatchObject({ openerLost: false, closed: true });
  });

  it('is accepted only from our own page, and only for an existing request', async () => {
    const opener = await registered(target);
    const browser = openBrowser(target);
    expect(await seen(await beat(target, browser, makeChannel().id, {}))).toEqual(unknown);
    expect(await seen(await beat(target, browser, 'x', {}))).toEqual(unknown);
    const path = `/popup/requests/${opener.id}/beat`;
    const refused = refusal(403, 'Origin is not allowed');
    for (const headers of [{ Origin: appOrigin }, { 'Sec-Fetch-Site': 'none' }, {}] as Record<
      string,
      string
    >[]) {
      const request = json('POST', { closed: true });
      const answer = await target.request(path, { ...request, headers: { ...request.headers, ...headers } });
      expect(await seen(answer)).toEqual(refused);
    }
    expect(await opener.poll()).toMatchObject({ status: 'created', closed: false });
    expect(await seen(await beat(target, browser, opener.id, { away: 'elsewhere', closed: 1 }))).toEqual(
      refusal(400, ['closed must be a boolean', 'away must be one of: idp, google, github']),
    );
  });
});
