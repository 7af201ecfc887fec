import { expect, it } from 'vitest';
import { newApp } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
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
