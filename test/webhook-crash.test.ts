import { afterEach, describe, expect, inject, it } from 'vitest';
import { newApp } from './support/apps.ts';
import { json } from './support/browser.ts';
import { type BunProcess, startBun } from './support/bun-process.ts';
import { makeServiceFiles, openFileService } from './support/file-service.ts';
import { newMember } from './support/people.ts';
import { type Receiver, startReceiver } from './support/receivers.ts';
import { sendTo } from './support/send-to.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const eventsOfAnApp = 100;

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer);
  cleanups.push(started.stop);
  return started;
}

/** A service over a database with ten apps, a receiver and a hundred events each. */
async function tenApps() {
  const files = await makeServiceFiles();
  cleanups.push(files.remove);
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  });
  cleanups.push(service.close);
  const inwards = await receiver();
  const hanging = [await receiver(() => 'hang'), await receiver(() => 'hang'), await receiver(() => 'hang')];
  const moved = await receiver(() => ({ status: 302, headers: { Location: inwards.url } }));
  const gone = await receiver(() => ({ status: 410 }));
  const good: Receiver[] = [];
  while (good.length < 5) good.push(await receiver());
  const { browser } = await newMember(service);
  for (const { url } of [...hanging, moved, gone, ...good]) {
    const { id } = await newApp(browser);
    expect((await browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url }))).status).toBe(200);
    await service.rows(
      `INSERT INTO webhook_events (id, app_id, type, data, at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        SELECT 'evt_' || lower(hex(randomblob(13))), ?, 'app.secret_rotated', json_object('n', i), ? FROM n`,
      [eventsOfAnApp, id, Date.now()],
    );
  }
  return { service, files, good, gone, inwards, moved };
}

/** A separate process on the same database. */
async function startWorker(database: string): Promise<BunProcess> {
  const worker = await startBun({ DATABASE_URL: `file:${database}` });
  cleanups.push(worker.close);
  return worker;
}

function post({ port }: BunProcess, path: string, body = ''): Promise<Response> {
  const headers = { Host: 'localhost:8787', 'Content-Type': 'application/json' };
  return sendTo(port, path, { method: 'POST', headers, body });
}

const distinct = ({ received }: Receiver) => new Set(received.map(({ id }) => id)).size;

describe('a worker killed during delivery', () => {
  it('is replaced by another, and no event of ten apps, half of them broken, is lost', {
    timeout: 300_000,
  }, async () => {
    const { service, files, good, gone, inwards, moved } = await tenApps();
    const [first, second] = [await startWorker(files.database), await startWorker(files.database)];
    const killed = post(first, '/dev/scheduled').catch(() => null);
    await expect
      .poll(() => good.reduce((sum, one) => sum + one.received.length, 0), { timeout: 60_000 })
      .toBeGreaterThan(100);
    await first.end('SIGKILL');
    await killed;
    const before = good.map(distinct);
    expect(Math.min(...before)).toBeLessThan(eventsOfAnApp);

    // After the job's lease, which is longer than an event's.
    for (let minutes = 6; good.some((one) => distinct(one) < eventsOfAnApp); minutes = 1) {
      await post(second, '/dev/clock', JSON.stringify({ advanceSeconds: minutes * 60 }));
      expect((await post(second, '/dev/scheduled')).status).toBe(200);
    }
    expect(good.map(distinct)).toEqual(good.map(() => eventsOfAnApp));
    // Only deliveries in progress at the kill may be repeated.
    const again = good.reduce((sum, one) => sum + one.received.length - distinct(one), 0);
    expect(again).toBeLessThanOrEqual(5);
    expect(inwards.received).toEqual([]);
    expect([moved.received.length > 0, gone.received.length > 0]).toEqual([true, true]);
    const states = await service.rows(
      `SELECT w.status, sum(e.delivered_at IS NOT NULL) AS delivered,
          sum(e.delivered_at IS NULL AND e.next_at IS NOT NULL) AS waiting
        FROM webhooks w JOIN webhook_events e ON e.app_id = w.app_id GROUP BY w.app_id ORDER BY min(e.seq)`,
    );
    const waiting = { status: 'active', delivered: 0, waiting: eventsOfAnApp };
    const delivered = { status: 'active', delivered: eventsOfAnApp, waiting: 0 };
    expect(states).toEqual([
      ...Array(4).fill(waiting),
      { ...waiting, status: 'disabled' },
      ...Array(5).fill(delivered),
    ]);
  });
});
