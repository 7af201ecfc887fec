import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import { deliverEvents, deliverSoon } from '../../../src/features/webhook/deliver.ts';
import type { Attempt, ListedEvent, Webhook } from '../../../src/features/webhook/schema.ts';
import { resealWebhooks } from '../../../src/features/webhook/webhook.ts';
import type { Page } from '../../../src/lib/page.ts';
import { newApp } from '../../support/apps.ts';
import { type Browser, json } from '../../support/browser.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { mailsTo } from '../../support/mailbox.ts';
import { type Member, newMember } from '../../support/people.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer);
  cleanups.push(started.stop);
  return started;
}

async function open(files: ServiceFiles, variables = {}): Promise<InProcessTarget> {
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    FRESH_SECONDS: '0',
    RATE_LIMITS: '{"*":1000000}',
    ...variables,
  });
  cleanups.push(service.close);
  return service;
}

async function start(): Promise<InProcessTarget> {
  const files = await makeServiceFiles();
  cleanups.push(files.remove);
  return open(files);
}

interface Registered {
  readonly browser: Browser;
  readonly member: Member;
  readonly app: string;
  readonly secret: string;
}

/** An app whose events go to this receiver. */
async function register(service: InProcessTarget, url: string, member?: Member): Promise<Registered> {
  const owner = member ?? (await newMember(service));
  const { browser } = owner;
  const { id: app } = await newApp(browser);
  const answer = await browser.fetch(`/v1/apps/${app}/webhook`, json('POST', { url }));
  const { secret = '' } = (await answer.json()) as Webhook;
  return { browser, member: owner, app, secret };
}

/** Writes events directly to the outbox, like a trigger. */
async function emit(service: InProcessTarget, app: string, count = 1): Promise<void> {
  await service.rows(
    `INSERT INTO webhook_events (id, app_id, type, data, at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      SELECT 'evt_' || lower(hex(randomblob(13))), ?, 'app.secret_rotated', json_object('n', i), ? FROM n`,
    [count, app, service.now()],
  );
}

/** The service with a shorter timeout for these receivers, which hang. */
function calling({ deps }: InProcessTarget, hanging: readonly Receiver[] = []): Deps {
  const hangs = (at: string) => hanging.some(({ url }) => url === at);
  return {
    ...deps,
    callOut: (call) => deps.callOut({ ...call, timeoutMs: hangs(call.url) ? 200 : 15_000 }),
  };
}

const eventsOf = async ({ browser, app }: Registered) =>
  ((await (await browser.fetch(`/v1/apps/${app}/events?limit=100`)).json()) as Page<ListedEvent>).data;
const statesOf = async (one: Registered) => (await eventsOf(one)).map(({ state }) => state);
const webhookOf = async ({ browser, app }: Registered) =>
  (await (await browser.fetch(`/v1/apps/${app}/webhook`)).json()) as Webhook;
const errorsOf = (attempts: readonly Attempt[]) => attempts.map(({ error }) => error);

describe('webhook delivery', () => {
  it('is signed as Standard Webhooks specifies, with both secrets during an overlap, and its bytes never change [D-76]', async () => {
    const service = await start();
    const there = await receiver((count) => ({ status: count === 0 ? 500 : 204 }));
    const one = await register(service, there.url);
    await one.browser.fetch(`/v1/apps/${one.app}/secret`, { method: 'POST' });
    expect(await deliverEvents(calling(service))).toEqual({ delivered: 0, failed: 1 });
    there.verify(one.secret);
    const rotated = await one.browser.fetch(
      `/v1/apps/${one.app}/webhook`,
      json('POST', { url: there.url, rotateSecret: true, overlapSeconds: 3600 }),
    );
    const { secret: newest = '' } = (await rotated.json()) as Webhook;
    await service.advance(90);
    expect(await deliverEvents(calling(service))).toEqual({ delivered: 1, failed: 0 });
    there.verify(one.secret);
    expect(newest).not.toBe(one.secret);
    const [first, second] = there.received;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    expect(second?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    const [event] = await eventsOf(one);
    expect(event).toMatchObject({ id: first?.id, type: 'app.secret_rotated', state: 'delivered' });
    expect(service.log().join('\n')).toContain('"event":"webhook.delivered"');
    expect(JSON.parse(first?.body ?? '')).toEqual({
      type: 'app.secret_rotated',
      timestamp: event?.at,
      data: event?.data,
    });
    await service.advance(3600);
    await emit(service, one.app);
    await deliverEvents(calling(service));
    expect(there.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('is attempted ten times over three days, then disables the webhook and emails the owner, and resumes after the webhook is enabled', async () => {
    const service = await start();
    let isUp = false;
    const there = await receiver(() => ({ status: isUp ? 200 : 503 }));
    const one = await register(service, there.url);
    await emit(service, one.app);
    for (let tries = 1; tries <= 10; tries += 1) {
      expect(await deliverEvents(calling(service))).toEqual({ delivered: 0, failed: 1 });
      await one.browser.fetch('/v1/auth/refresh', { method: 'POST' });
      const [event] = await eventsOf(one);
      expect(event?.state).toBe(tries < 10 ? 'waiting' : 'failed');
      if (event?.nextAt) await service.advance((Date.parse(event.nextAt) - service.now()) / 1000 + 1);
    }
    const [failed] = await eventsOf(one);
    expect(errorsOf(failed?.attempts ?? [])).toEqual(Array(10).fill('the receiver answered 503'));
    const [from, to] = [failed?.attempts[0]?.at ?? '', failed?.attempts[9]?.at ?? ''].map(Date.parse);
    expect((to ?? 0) - (from ?? 0)).toBeGreaterThan(2 * 86_400_000);
    await service.advance(86_400);
    await emit(service, one.app);
    await deliverEvents(calling(service));
    await one.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await webhookOf(one)).toMatchObject({ status: 'disabled' });
    expect((await mailsTo(service, one.member.claims.email)).map(({ kind }) => kind)).toEqual([
      'webhook_disabled',
    ]);
    await emit(service, one.app);
    expect(await deliverEvents(calling(service))).toEqual({ delivered: 0, failed: 0 });
    isUp = true;
    await one.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    await one.browser.fetch(`/v1/apps/${one.app}/webhook`, json('POST', { url: there.url, enabled: true }));
    await expect.poll(() => statesOf(one)).toEqual(Array(3).fill('delivered'));
  });

  it('honours Retry-After, never follows a redirect, and stops at 410 [D-76]', async () => {
    const service = await start();
    const inwards = await receiver();
    const busy = await receiver(() => ({ status: 429, headers: { 'Retry-After': '7200' } }));
    const moved = await receiver(() => ({ status: 307, headers: { Location: inwards.url } }));
    const gone = await receiver(() => ({ status: 410 }));
    const [one, two, three] = [
      await register(service, busy.url),
      await register(service, moved.url),
      await register(service, gone.url),
    ];
    for (const { app } of [one, two, three]) await emit(service, app);
    expect(await deliverEvents(calling(service))).toEqual({ delivered: 0, failed: 3 });
    const [waiting] = await eventsOf(one);
    expect(Date.parse(waiting?.nextAt ?? '') - service.now()).toBeGreaterThan(7_100_000);
    expect(errorsOf((await eventsOf(two))[0]?.attempts ?? [])).toEqual(['the receiver answered 307']);
    expect(inwards.received).toEqual([]);
    expect(await webhookOf(three)).toMatchObject({ status: 'disabled' });
    expect((await mailsTo(service, three.member.claims.email)).map(({ kind }) => kind)).toEqual([
      'webhook_disabled',
    ]);
  });

  it('reaches the five healthy apps out of ten while three hang, one redirects and one is gone', async () => {
    const service = await start();
    const hanging = [
      await receiver(() => 'hang'),
      await receiver(() => 'hang'),
      await receiver(() => 'hang'),
    ];
    const bad = [
      ...hanging,
      await receiver(() => ({ status: 302, headers: { Location: 'http://127.0.0.1/' } })),
      await receiver(() => ({ status: 410 })),
    ];
    const good = await Promise.all(Array.from({ length: 5 }, () => receiver()));
    for (const { url } of [...bad, ...good]) await emit(service, (await register(service, url)).app, 100);
    const startedAt = service.now();
    // Each scheduled minute is one run; a hanging receiver times out after 200 ms here.
    for (let runs = 0; runs < 2; runs += 1) {
      await deliverEvents(calling(service, hanging));
      await service.advance(55);
    }
    for (const { received } of good) expect(new Set(received.map(({ id }) => id)).size).toBe(100);
    expect(service.now() - startedAt).toBeLessThan(121_000 + 60_000);
    const [lost] = await service.rows(
      `SELECT count(*) AS n FROM webhook_events e JOIN webhooks w ON w.app_id = e.app_id
        WHERE e.delivered_at IS NULL AND e.next_at IS NULL AND w.status = 'active'`,
    );
    expect(lost).toEqual({ n: 0 });
  });

  it('makes at most five concurrent calls to an app right after responses, however many requests trigger events', async () => {
    const service = await start();
    const there = await receiver();
    const { app } = await register(service, there.url);
    await emit(service, app, 40);
    let [calls, most] = [0, 0];
    const runs: Promise<unknown>[] = [];
    const deps: Deps = {
      ...service.deps,
      background: (run) => runs.push(run),
      async callOut(call) {
        most = Math.max(most, ++calls);
        return service.deps.callOut(call).finally(() => {
          calls -= 1;
        });
      },
    };
    for (let count = 0; count < 20; count += 1) deliverSoon(deps);
    await Promise.all(runs);
    expect(most).toBeLessThanOrEqual(5);
    expect(there.received.length).toBeGreaterThanOrEqual(20);
    await deliverEvents(deps);
    expect(there.received).toHaveLength(40);
  });

  it('serves other apps alongside one with a long queue and a slow receiver', async () => {
    const service = await start();
    const [slow, quick] = [await receiver(), await receiver()];
    await emit(service, (await register(service, slow.url)).app, 60);
    await service.advance(1);
    await emit(service, (await register(service, quick.url)).app, 5);
    const called: string[] = [];
    const { callOut } = service.deps;
    await deliverEvents({
      ...service.deps,
      callOut: (call) => {
        called.push(call.url);
        return callOut(call);
      },
    });
    expect(called).toHaveLength(65);
    expect(called.lastIndexOf(quick.url)).toBeLessThan(60);
  });

  it('pauses an app with a slow receiver and never sends to it twice concurrently', async () => {
    const service = await start();
    const [slow, quick] = [await receiver(), await receiver()];
    await emit(service, (await register(service, slow.url)).app, 20);
    const other = await register(service, quick.url);
    const { callOut } = service.deps;
    let atOnce = 0;
    const slowly: Deps = {
      ...service.deps,
      callOut: async (call) => {
        if (call.url !== slow.url) return callOut(call);
        atOnce += 1;
        if (slow.received.length > 5) expect(atOnce).toBe(1);
        await service.advance(6);
        const answer = await callOut(call);
        atOnce -= 1;
        return answer;
      },
    };
    await deliverEvents(slowly);
    const first = slow.received.length;
    expect(first).toBeLessThanOrEqual(5);
    const pause = async () => {
      const [row] = await service.rows<{ until: number }>('SELECT max(paused_until) AS until FROM webhooks');
      return ((row?.until ?? 0) - service.now()) / 1000;
    };
    await emit(service, other.app, 30);
    expect(await deliverEvents(slowly)).toEqual({ delivered: 30, failed: 0 });
    await service.advance(await pause());
    expect(await deliverEvents(slowly)).toEqual({ delivered: 1, failed: 0 });
    // Ten times the response time.
    expect(await pause()).toBeGreaterThan(50);
    await service.advance(await pause());
    expect(await deliverEvents(service.deps)).toEqual({ delivered: 20 - first - 1, failed: 0 });
    expect(await pause()).toBeLessThan(0);
  });

  it('reaches every app, however many are waiting', async () => {
    const service = await start();
    const there = await receiver();
    const apps: string[] = [];
    for (let owners = 0; owners < 3; owners += 1) {
      const owner = await newMember(service);
      for (let count = 0; count < 45; count += 1) apps.push((await register(service, there.url, owner)).app);
    }
    for (const app of apps) await emit(service, app);
    expect(await deliverEvents(service.deps)).toEqual({ delivered: apps.length, failed: 0 });
    for (const app of apps.slice(60, 70)) await emit(service, app);
    expect(await deliverEvents(service.deps)).toEqual({ delivered: 10, failed: 0 });
    expect(await deliverEvents(service.deps)).toEqual({ delivered: 0, failed: 0 });
  });

  it('does not change an endpoint that its owner changed during a delivery to the previous address', async () => {
    const service = await start();
    const [former, newest] = [await receiver(() => ({ status: 410 })), await receiver()];
    const one = await register(service, former.url);
    const set = (fields: Record<string, unknown>) =>
      one.browser.fetch(`/v1/apps/${one.app}/webhook`, json('POST', fields));
    await emit(service, one.app);
    const { callOut } = service.deps;
    const meanwhile = (fields: Record<string, unknown>): Deps => ({
      ...service.deps,
      callOut: async (call) => {
        const answer = await callOut(call);
        await service.advance(1);
        await set(fields);
        return answer;
      },
    });
    expect(await deliverEvents(meanwhile({ url: newest.url }))).toEqual({ delivered: 0, failed: 1 });
    expect(await webhookOf(one)).toMatchObject({ url: newest.url, status: 'active', failingSince: null });
    expect(await mailsTo(service, one.member.claims.email)).toEqual([]);
    // The event itself failed, and is retried at the new address.
    await service.advance(90);
    expect(await deliverEvents(service.deps)).toEqual({ delivered: 1, failed: 0 });
  });

  it('clears failures and the resulting pause when the address changes, but keeps the failure date of a disabled webhook', async () => {
    const service = await start();
    const [broken, newest] = [await receiver(() => ({ status: 500 })), await receiver()];
    const one = await register(service, broken.url);
    const set = (fields: Record<string, unknown>) =>
      one.browser.fetch(`/v1/apps/${one.app}/webhook`, json('POST', fields));
    for (let failures = 0; failures < 3; failures += 1) {
      await emit(service, one.app);
      await deliverEvents(service.deps);
      await service.advance(21);
    }
    expect((await webhookOf(one)).failingSince).not.toBeNull();
    await emit(service, one.app);
    await deliverEvents(service.deps);
    await set({ url: newest.url });
    expect((await webhookOf(one)).failingSince).toBeNull();
    await emit(service, one.app);
    expect((await deliverEvents(service.deps)).delivered).toBeGreaterThanOrEqual(1);
    await service.rows(`UPDATE webhooks SET status = 'disabled', failures = 1, failing_since = ?`, [
      service.now(),
    ]);
    await service.advance(1);
    await emit(service, one.app);
    await service.advance(1);
    await set({ url: broken.url });
    await service.advance(1);
    await set({ url: newest.url, enabled: true });
    expect((await deliverEvents(service.deps)).delivered).toBeGreaterThanOrEqual(1);
    expect((await eventsOf(one))[0]?.state).toBe('delivered');
  });

  it('times out after fifteen seconds if a receiver hangs [D-76]', async () => {
    const service = await start();
    const hanging = await receiver(() => 'hang');
    await emit(service, (await register(service, hanging.url)).app);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const ended = vi.fn();
      const run = deliverEvents(service.deps).finally(ended);
      await expect.poll(() => hanging.received.length).toBe(1);
      await vi.advanceTimersByTimeAsync(14_999);
      expect(ended).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(await run).toEqual({ delivered: 0, failed: 1 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('resumes with the events of a disabled webhook after it is enabled, even after changes in between', async () => {
    const service = await start();
    const [former, newest] = [await receiver(), await receiver()];
    const one = await register(service, former.url);
    const set = (fields: Record<string, unknown>) =>
      one.browser.fetch(`/v1/apps/${one.app}/webhook`, json('POST', fields));
    const happen = async () => {
      await service.advance(1);
      await emit(service, one.app);
      await service.advance(1);
    };
    await set({ url: former.url, enabled: false });
    await happen();
    await set({ url: newest.url });
    await happen();
    await set({ url: newest.url, rotateSecret: true });
    await set({ url: newest.url, enabled: true });
    await expect.poll(() => statesOf(one)).toEqual(Array(2).fill('delivered'));
    // It is already enabled, so enabling it a second time changes nothing.
    await set({ url: newest.url, enabled: false });
    await service.rows(
      `UPDATE webhook_events SET delivered_at = NULL, tries = 0 WHERE seq = (SELECT min(seq) FROM webhook_events)`,
    );
    await happen();
    await set({ url: newest.url, enabled: true });
    await expect.poll(async () => (await statesOf(one))[0]).toBe('delivered');
    expect(newest.received).toHaveLength(3);
  });

  it('stops within a minute, however slow the receivers, and the next run continues', async () => {
    const service = await start();
    const there = await receiver();
    const { app } = await register(service, there.url);
    await emit(service, app, 100);
    const slowly: Deps = {
      ...service.deps,
      callOut: async (call) => {
        await service.advance(0.9);
        return service.deps.callOut(call);
      },
    };
    const startedAt = service.now();
    const { delivered } = await deliverEvents(slowly);
    expect(service.now() - startedAt).toBeLessThanOrEqual(75_000);
    expect(delivered).toBeLessThan(60);
    expect((await deliverEvents(slowly)).delivered).toBeGreaterThan(0);
  });

  it('sends each event only once, even with several workers on one database, while its lease lasts', async () => {
    const files = await makeServiceFiles();
    cleanups.push(files.remove);
    const workers = [await open(files), await open(files), await open(files)];
    const [service] = workers;
    if (!service) throw new Error('no worker');
    const there = await receiver();
    const { app } = await register(service, there.url);
    await emit(service, app, 60);
    await Promise.all(workers.map((worker) => deliverEvents(calling(worker))));
    const ids = there.received.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  });

  it('continues under the same id after a worker crash', async () => {
    const service = await start();
    const there = await receiver();
    const { app } = await register(service, there.url);
    await emit(service, app, 2);
    // A worker that claims events and dies.
    void deliverEvents({ ...service.deps, callOut: () => new Promise(() => {}) });
    await expect
      .poll(async () => (await service.rows('SELECT min(tries) AS n FROM webhook_events'))[0])
      .toEqual({ n: 1 });
    expect(await deliverEvents(calling(service))).toEqual({ delivered: 0, failed: 0 });
    await service.advance(61);
    expect(await deliverEvents(calling(service))).toEqual({ delivered: 2, failed: 0 });
    expect(there.received).toHaveLength(2);
  });

  it('survives a change of SECRET_KEY, even after the previous key is gone', async () => {
    const files = await makeServiceFiles();
    cleanups.push(files.remove);
    const [former, newest] = [Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 8).toString('base64')];
    const there = await receiver();
    const before = await open(files, { SECRET_KEY: former });
    const { app, secret } = await register(before, there.url);
    const during = await open(files, { SECRET_KEY: newest, SECRET_KEY_PREVIOUS: former });
    expect(await resealWebhooks(during.deps)).toEqual({ resealed: 1 });
    expect(await resealWebhooks(during.deps)).toEqual({ resealed: 0 });
    const after = await open(files, { SECRET_KEY: newest });
    await emit(after, app);
    expect(await deliverEvents(calling(after))).toEqual({ delivered: 1, failed: 0 });
    there.verify(secret);
  });
});
