import { describe, expect, it } from 'vitest';
import type { ListedEvent, TestResult, Webhook } from '../../src/features/webhook/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { inOneTrip, refusal, seen, unauthenticated } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

/** Nothing listens at this address. */
const url = 'http://127.0.0.1:9/hooks';
const notFound = refusal(404, 'App does not exist');
const refused = async (answer: Promise<Response>) => seen(await answer);
const bodyOf = async <Body>(answer: Promise<Response>) => (await (await answer).json()) as Body;

const set = (browser: Browser, app: string, fields: Record<string, unknown> = {}) =>
  browser.fetch(`/v1/apps/${app}/webhook`, json('POST', { url, ...fields }));
const rotate = (browser: Browser, app: string) => browser.fetch(`/v1/apps/${app}/secret`, { method: 'POST' });
const eventsOf = async (browser: Browser, app: string) =>
  (await bodyOf<Page<ListedEvent>>(browser.fetch(`/v1/apps/${app}/events`))).data;
const redeliver = (browser: Browser, app: string, event: string) =>
  browser.fetch(`/v1/apps/${app}/events/${event}/redeliver`, { method: 'POST' });

async function newOwner(): Promise<{ browser: Browser; app: string }> {
  const { browser } = await newMember(target);
  return { browser, app: (await newApp(browser)).id };
}

describe('the webhook of an app', () => {
  it('shows its secret only when new, and changes only in the given fields [D-76]', async () => {
    const { browser, app } = await newOwner();
    const first = await bodyOf<Webhook>(set(browser, app));
    expect(first).toEqual({
      url,
      events: ['*'],
      status: 'active',
      failingSince: null,
      updatedAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const other = 'http://localhost:9/other';
    const changed = await bodyOf<Webhook>(set(browser, app, { url: other, events: ['app.secret_rotated'] }));
    expect(changed).toMatchObject({ url: other, events: ['app.secret_rotated'] });
    expect(changed.secret).toBeUndefined();
    const rotated = await bodyOf<Webhook>(set(browser, app, { rotateSecret: true, enabled: false }));
    expect(rotated).toMatchObject({ url, events: ['app.secret_rotated'], status: 'disabled' });
    expect(rotated.secret).not.toBe(first.secret);
    const { secret: _, ...shown } = rotated;
    expect(await bodyOf(browser.fetch(`/v1/apps/${app}/webhook`))).toEqual(shown);
    const stored = JSON.stringify(await target.rows('SELECT * FROM webhooks'));
    for (const secret of [first.secret, rotated.secret]) expect(stored).not.toContain(secret);
  });

  it.each([
    [{ url: 'https://10.0.0.7/hooks' }, 'url must be a public https URL'],
    [{ url: 'https://hooks.acme.com:8443/' }, 'url must be a public https URL'],
    [{ url: 'http://hooks.acme.com/' }, 'url must be a public https URL'],
    [{ url: 'not a url' }, 'url must be a public https URL'],
    [{ url: 7 }, 'url must be a public https URL'],
    [{ url: `https://acme.com/${'a'.repeat(500)}` }, 'url must be a public https URL'],
    [
      { events: ['app.deleted'] },
      'events.0 must be one of: *, app.secret_rotated, deposit.credited, deposit.expired, deposit.failed, deposit.pending, deposit.review, deposit.reversed, deposit.second_payment, grant.created, grant.revoked, transfer.completed, transfer.held, transfer.captured, transfer.released, transfer.refunded, transfer.reversed, wallet.debt',
    ],
    [{ events: [] }, 'events must not be empty'],
    [{ events: ['*', '*'] }, 'events must not repeat an entry'],
    [{ overlapSeconds: 604_801 }, 'overlapSeconds must be a whole number from 0 to 604800'],
    [{ enabled: 'yes' }, 'enabled must be a boolean'],
  ])('rejects %j', async (fields, problem) => {
    const { browser, app } = await newOwner();
    expect(await refused(set(browser, app, fields))).toEqual(refusal(400, [problem]));
    expect(await target.rows('SELECT 1 FROM webhooks WHERE app_id = ?', [app])).toEqual([]);
  });

  it('is accessible only to the owner, can be changed only after a recent sign-in, and needs one round trip [D-74]', async () => {
    const { browser, app } = await newOwner();
    const other = await newMember(target);
    const requests = (by: Browser) => [
      set(by, app),
      by.fetch(`/v1/apps/${app}/webhook`),
      by.fetch(`/v1/apps/${app}/webhook`, { method: 'DELETE' }),
      by.fetch(`/v1/apps/${app}/webhook/test`, { method: 'POST' }),
      by.fetch(`/v1/apps/${app}/events`),
      redeliver(by, app, 'evt_none'),
    ];
    for (const answer of requests(other.browser)) expect(await refused(answer)).toEqual(notFound);
    for (const answer of requests(openBrowser(target)))
      expect(await refused(answer)).toEqual(unauthenticated);
    await inOneTrip(target, () => set(browser, app));
    await inOneTrip(target, () => browser.fetch(`/v1/apps/${app}/webhook`));
    await inOneTrip(target, () => browser.fetch(`/v1/apps/${app}/events`));
    await inOneTrip(target, () => browser.fetch(`/v1/apps/${app}/webhook`, { method: 'DELETE' }));
    await target.advance(3600);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await refused(set(browser, app))).toEqual(refusal(403, 'Sign in again to continue'));
  });

  it('returns the result of a test, even if nothing is listening', async () => {
    const { browser, app } = await newOwner();
    const test = () => browser.fetch(`/v1/apps/${app}/webhook/test`, { method: 'POST' });
    expect(await refused(test())).toEqual(refusal(404, 'Webhook does not exist'));
    await set(browser, app);
    const { status, error } = await bodyOf<TestResult>(test());
    expect([status, error]).toEqual([null, expect.any(String)]);
    expect(await eventsOf(browser, app)).toEqual([]);
  });

  it('is deleted with its app, and no event stays queued', async () => {
    const { browser, app } = await newOwner();
    await set(browser, app);
    await rotate(browser, app);
    const attempted = async () =>
      (await eventsOf(browser, app)).map((one) => [one.state, one.attempts.length]);
    await expect.poll(attempted).toEqual([['waiting', 1]]);
    for (let count = 0; count < 2; count += 1)
      expect((await browser.fetch(`/v1/apps/${app}/webhook`, { method: 'DELETE' })).status).toBe(204);
    expect(await attempted()).toEqual([['failed', 1]]);
    await set(browser, app);
    await rotate(browser, app);
    await browser.fetch(`/v1/apps/${app}`, { method: 'DELETE' });
    expect(await target.rows('SELECT 1 FROM webhooks WHERE app_id = ?', [app])).toEqual([]);
    expect(
      await target.rows('SELECT 1 FROM webhook_events WHERE app_id = ? AND next_at IS NOT NULL', [app]),
    ).toEqual([]);
  });
});

describe('the events of an app', () => {
  it('are listed newest first, even without a webhook', async () => {
    const { browser, app } = await newOwner();
    await rotate(browser, app);
    await set(browser, app, { events: ['app.secret_rotated'] });
    await rotate(browser, app);
    const [newest, oldest] = await eventsOf(browser, app);
    expect(newest).toMatchObject({ type: 'app.secret_rotated', state: 'waiting' });
    expect(newest?.data).toEqual({
      appId: app,
      secretId: expect.stringMatching(/^sec_/),
      hint: expect.any(String),
    });
    expect(oldest).toMatchObject({ state: 'none', nextAt: null });
    const page = await bodyOf<Page<ListedEvent>>(browser.fetch(`/v1/apps/${app}/events?limit=1`));
    const rest = await bodyOf<Page<ListedEvent>>(
      browser.fetch(`/v1/apps/${app}/events?limit=1&cursor=${page.nextCursor}`),
    );
    expect([page.data[0]?.id, rest.data[0]?.id, rest.nextCursor]).toEqual([newest?.id, oldest?.id, null]);
  });

  it('are redelivered on demand, unless the webhook is disabled', async () => {
    const { browser, app } = await newOwner();
    await rotate(browser, app);
    const [event] = await eventsOf(browser, app);
    const id = event?.id ?? '';
    expect(await refused(redeliver(browser, app, id))).toEqual(refusal(400, 'Webhook is disabled'));
    await set(browser, app, { enabled: false });
    expect(await refused(redeliver(browser, app, id))).toEqual(refusal(400, 'Webhook is disabled'));
    await set(browser, app, { enabled: true });
    expect(await refused(redeliver(browser, app, 'evt_none'))).toEqual(refusal(404, 'Event does not exist'));
    expect((await redeliver(browser, app, id)).status).toBe(204);
    // Nothing listens, so the attempt fails soon after the response.
    await expect
      .poll(async () => (await eventsOf(browser, app))[0]?.attempts.length, { timeout: 20_000 })
      .toBe(1);
    expect((await eventsOf(browser, app))[0]).toMatchObject({ state: 'waiting' });
  });
});
