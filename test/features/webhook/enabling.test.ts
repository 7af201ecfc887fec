import { expect, it } from 'vitest';
import { sql, statement } from '../../../src/db/database.ts';
import { deliverEvents } from '../../../src/features/webhook/deliver.ts';
import { queuesOf } from '../../../src/features/webhook/queues.ts';
import { newApp } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newMember } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

it('re-enabling a webhook queues each event once, however often the webhook is switched', async () => {
  const service = await startService();
  const { browser } = await newMember(service);
  const { id } = await newApp(browser);
  const set = (enabled?: boolean) =>
    browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url: 'https://shop.example.com/hook', enabled }));
  const insert = (name: string, count: number) =>
    service.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
        INSERT INTO webhook_events (id, app_id, type, data, at) SELECT ? || i, ?, 'ping', '{}', ? FROM n`,
      [count, name, id, service.now()],
    );
  const waiting = () =>
    service.rows('SELECT count(*) AS n FROM webhook_events WHERE next_at IS NOT NULL AND tries = 0');
  const fail = () => service.rows('UPDATE webhooks SET failures = 1, failing_since = 1');
  await set();
  await insert('waiting', 20);
  await service.rows('UPDATE webhook_events SET tries = 1 WHERE seq = (SELECT max(seq) FROM webhook_events)');
  // An attempt after the response would write, too.
  await service.rows(
    `CREATE TRIGGER unattempted BEFORE UPDATE OF tries ON webhook_events WHEN NEW.tries > OLD.tries
      BEGIN SELECT RAISE(IGNORE); END`,
  );
  await service.rows('CREATE TABLE writes (seq INTEGER)');
  await service.rows(
    'CREATE TRIGGER counted AFTER UPDATE ON webhook_events BEGIN INSERT INTO writes VALUES (NEW.seq); END',
  );
  await fail();
  await set(false);
  await insert('missed', 5);
  const writes = () => service.rows('SELECT count(*) AS n FROM writes');
  await set(true);
  expect([await writes(), await waiting()]).toEqual([[{ n: 6 }], [{ n: 25 }]]);
  for (let times = 0; times < 3; times += 1) {
    await fail();
    await set(false);
    await set(true);
  }
  expect([await writes(), await waiting()]).toEqual([[{ n: 6 }], [{ n: 25 }]]);
});

/** An app with a webhook, and events of a kind at the current time. */
async function stageEvents() {
  const service = (await startService()) as InProcessTarget;
  const { browser } = await newMember(service);
  const { id } = await newApp(browser, { backchannelLogoutUri: 'https://shop.example.com/logout' });
  const url = 'https://shop.example.com/hook';
  const set = (enabled: boolean) => browser.fetch(`/v1/apps/${id}/webhook`, json('POST', { url, enabled }));
  const insert = (type: string, count: number) =>
    service.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
        INSERT INTO webhook_events (id, app_id, type, data, at) SELECT ? || '_' || i, ?, ?, '{}', ? FROM n`,
      [count, type, id, type, service.now()],
    );
  const waiting = async (type: string) => {
    const [row] = await service.rows<{ n: number }>(
      'SELECT count(*) AS n FROM webhook_events WHERE type = ? AND next_at IS NOT NULL',
      [type],
    );
    return row?.n;
  };
  return { service, browser, id, set, insert, waiting };
}

it('enabling a webhook makes 500 missed events due at once, and the jobs do the rest', async () => {
  const { service, set, insert, waiting } = await stageEvents();
  // No event is attempted in this test.
  await service.rows(
    `CREATE TRIGGER unattempted BEFORE UPDATE OF tries ON webhook_events WHEN NEW.tries > OLD.tries
      BEGIN SELECT RAISE(IGNORE); END`,
  );
  await insert('before', 200);
  await set(true);
  await service.advance(1);
  await set(false);
  await insert('missed', 1200);
  await set(true);
  expect(await waiting('missed')).toBe(300);
  await set(false);
  await set(true);
  expect(await waiting('missed')).toBe(300);
  await insert('after', 1);
  await service.request('/dev/scheduled', { method: 'POST' });
  expect([await waiting('before'), await waiting('missed'), await waiting('after')]).toEqual([0, 1200, 1]);
  expect(await service.rows('SELECT missed_from FROM webhooks')).toEqual([{ missed_from: null }]);
});

it('deleting a webhook or a logout URI drops 100 pending events at once, and the jobs drop the rest', async () => {
  const { service, browser, id, set, insert, waiting } = await stageEvents();
  await set(true);
  await insert('ping', 1200);
  await insert('logout', 300);
  await browser.fetch(`/v1/apps/${id}/webhook`, { method: 'DELETE' });
  await browser.fetch(`/v1/apps/${id}`, json('PATCH', { backchannelLogoutUri: null }));
  expect([await waiting('ping'), await waiting('logout')]).toEqual([1100, 200]);
  await service.request('/dev/scheduled', { method: 'POST' });
  expect([await waiting('ping'), await waiting('logout')]).toEqual([0, 0]);
});

it('an endpoint that is deleted and set again gets only later events, however many are pending', async () => {
  const { service, browser, id, set, insert, waiting } = await stageEvents();
  await set(true);
  await insert('before', 1200);
  await browser.fetch(`/v1/apps/${id}/webhook`, { method: 'DELETE' });
  await service.advance(1);
  await set(true);
  await insert('after', 3);
  const attempted = () => service.rows('SELECT DISTINCT type FROM webhook_events WHERE tries > 0');
  await deliverEvents(service.deps);
  expect([await waiting('before'), await waiting('after'), await attempted()]).toEqual([1100, 3, []]);
  await service.request('/dev/scheduled', { method: 'POST' });
  expect([await waiting('before'), await attempted()]).toEqual([0, [{ type: 'after' }]]);
  expect(await service.rows('SELECT fresh_from FROM webhooks')).toEqual([{ fresh_from: null }]);
});

it('finding the apps with pending events does not read delivered events', async () => {
  const { service } = await stageEvents();
  for (const [kind, index] of [
    ['events', 'webhook_events_waiting'],
    ['logouts', 'webhook_events_logout'],
  ] as const) {
    const { text, values } = statement(sql`WITH RECURSIVE ${queuesOf(kind)} SELECT app_id FROM queues`);
    const plan = await service.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values as string[]);
    const used = plan.flatMap(({ detail }) => /webhook_events_\w+/.exec(detail)?.[0] ?? []);
    expect(used).toEqual([index, index]);
  }
});
