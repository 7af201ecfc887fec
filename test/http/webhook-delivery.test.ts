import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, inject, it } from 'vitest';
import type { ListedEvent, Webhook } from '../../src/features/webhook/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { refusal, seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json } from '../support/browser.ts';
import type { Received } from '../support/hook-server.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();

let names = 0;

/** An app with a receiver that returns these statuses in turn, repeating the last. */
async function newReceiver(plan: string) {
  const { browser } = await newMember(target);
  const { id } = await newApp(browser);
  names += 1;
  const place = `${inject('hooks')}/${id}-${names}`;
  const url = `${place}/${plan}`;
  const set = async (fields: Record<string, unknown> = {}) => {
    const answer = await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url, ...fields }));
    expect(answer.status).toBe(200);
    return (await answer.json()) as Webhook;
  };
  const { secret = '' } = await set();
  return { browser, id, place, secret, set, received: () => receivedAt(place) };
}

async function receivedAt(place: string): Promise<Received[]> {
  return (await (await fetch(place)).json()) as Received[];
}

/** Writes an event as a trigger does; the job delivers it. */
async function emit(id: string): Promise<void> {
  await target.rows(
    `INSERT INTO webhook_events (id, app_id, type, data, at)
      VALUES ('evt_' || lower(hex(randomblob(13))), ?, 'app.secret_rotated', '{}', ?)`,
    [id, target.now()],
  );
}

/** Runs the scheduled jobs. */
async function work(): Promise<void> {
  expect((await target.request('/dev/scheduled', { method: 'POST' })).status).toBe(200);
}

const eventsOf = async (browser: Browser, id: string) =>
  ((await (await browser.fetch(`/v1/apps/${id}/events?limit=100`)).json()) as Page<ListedEvent>).data;

/** The secrets that signed a delivery, according to the reference implementation. */
function signersOf({ headers, body }: Received, secrets: readonly string[]): string[] {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': seconds = '',
    'webhook-signature': given = '',
  } = headers;
  const at = new Date(Number(seconds) * 1000);
  return secrets.filter((secret) => given.split(' ').includes(new Verifier(secret).sign(id, at, body)));
}

describe('the delivery of an event', () => {
  it('keeps its id and body across retries with new timestamps, and is signed with both secrets during a rotation [D-76]', async () => {
    const { browser, id, secret, set, received } = await newReceiver('500,503,204');
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64').length).toBeGreaterThanOrEqual(24);
    await emit(id);
    await work();
    await target.advance(90);
    await work();
    const { secret: newest = '' } = await set({ rotateSecret: true, overlapSeconds: 3600 });
    await target.advance(400);
    await work();
    const [first, second, third] = await received();
    if (!first || !second || !third) throw new Error('not every try arrived');
    const ids = [first, second, third].map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    const times = [first, second, third].map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(times).size).toBe(3);
    expect(signersOf(first, [secret, newest])).toEqual([secret]);
    expect(signersOf(third, [secret, newest])).toEqual([secret, newest]);
    expect((await eventsOf(browser, id))[0]).toMatchObject({ id: ids[0], state: 'delivered' });
  });

  it('stops permanently on 410, and fails temporarily on a redirect, which is not followed [D-76, D-75]', async () => {
    const [gone, moved] = [await newReceiver('410'), await newReceiver('307')];
    for (const { id } of [gone, moved]) await emit(id);
    await work();
    await emit(gone.id);
    await work();
    expect(await gone.received()).toHaveLength(1);
    const webhook = await gone.browser.fetch(`/v1/apps/${gone.id}/webhook`);
    expect(await webhook.json()).toMatchObject({ status: 'disabled' });
    expect(await moved.received()).toHaveLength(1);
    expect(await receivedAt(`${moved.place}-inside`)).toEqual([]);
    const [event] = await eventsOf(moved.browser, moved.id);
    expect(event?.attempts).toMatchObject([{ status: 307, error: 'the receiver answered 307' }]);
  });

  it('happens only once while its lease lasts, even if several workers share the database', async () => {
    const { browser, id, received } = await newReceiver('204');
    await target.rows(
      `INSERT INTO webhook_events (id, app_id, type, data, at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        SELECT 'evt_' || lower(hex(randomblob(13))), ?, 'app.secret_rotated', json_object('n', i), ? FROM n`,
      [id, target.now()],
    );
    // Delivering an event again starts a separate run after the response.
    const again = (await eventsOf(browser, id)).slice(0, 6);
    await target.rows(
      `UPDATE webhook_events SET next_at = NULL, delivered_at = at
        WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(again.map((event) => event.id))],
    );
    await Promise.all([
      work(),
      ...again.map((event) =>
        browser.fetch(`/v1/apps/${id}/events/${event.id}/redeliver`, { method: 'POST' }),
      ),
    ]);
    await expect
      .poll(async () => (await eventsOf(browser, id)).filter(({ state }) => state !== 'delivered'), {
        timeout: 50_000,
      })
      .toEqual([]);
    const ids = (await received()).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
  });
});

describe('the address of a webhook', () => {
  it('is checked again for each delivery [D-75]', async () => {
    const { browser, id } = await newReceiver('204');
    await target.rows('UPDATE webhooks SET url = ? WHERE app_id = ?', ['http://10.0.0.7/', id]);
    await emit(id);
    await work();
    const [event] = await eventsOf(browser, id);
    expect(event?.attempts).toMatchObject([
      { status: null, durationMs: null, error: 'the address is not public' },
    ]);
  });

  it('gets the same rejection whether its name is unknown or private [D-75]', async () => {
    const test = async (url: string) => {
      const { browser, id } = await newReceiver('204');
      await target.rows('UPDATE webhooks SET url = ? WHERE app_id = ?', [url, id]);
      const answer = await browser.fetch(`/v1/apps/${id}/webhook/test`, { method: 'POST' });
      return answer.json();
    };
    // A duration would also distinguish them.
    const same = { status: null, durationMs: null, error: 'the address is not public' };
    expect(await test('https://10.0.0.7/')).toEqual(same);
    expect(await test('https://db.internal/')).toEqual(same);
  });

  it.each([
    'http://hooks.acme.com/',
    'https://localhost./',
    'https://10.0.0.7/',
    'https://127.1.2.3.4/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0.0.0.0/',
    'https://167772161/',
    'https://user:secret@hooks.acme.com/',
    'https://hooks.acme.com:8443/',
    'https://db.internal/',
  ])('may not be %s [D-75]', async (url) => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const answer = await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }));
    expect(await seen(answer)).toEqual(refusal(400, ['url must be a public https URL']));
  });

  it('may not be one of the service’s own addresses [D-75]', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    for (const path of ['/', '/v1/me', '/dev/webhooks/']) {
      const url = `${target.origin}${path}`;
      const answer = await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }));
      expect([url, await seen(answer)]).toEqual([url, refusal(400, ['url must be a public https URL'])]);
    }
  });
});
