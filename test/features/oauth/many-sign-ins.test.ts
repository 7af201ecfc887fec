import { expect, it } from 'vitest';
import type { Statement } from '../../../src/db/database.ts';
import { json } from '../../support/browser.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { makeChannel } from '../../support/popup-channel.ts';
import { startService } from '../../support/service.ts';
import { appSignIn, credentials, newRelation } from '../../support/token.ts';

/** The plan of the only statement of a request that reads a table. */
async function planOf(target: InProcessTarget, table: string, request: () => Promise<unknown>) {
  const sent: Statement[] = [];
  const { db } = target.deps;
  const { batch } = db;
  Object.assign(db, {
    batch(statements: readonly Statement[]) {
      sent.push(...statements);
      return batch.call(db, statements as never);
    },
  });
  await request();
  Object.assign(db, { batch });
  const [read] = sent.filter(({ text }) => text.includes(table));
  const lines = await target.rows<{ detail: string }>(
    `EXPLAIN QUERY PLAN ${read?.text}`,
    (read?.values ?? []) as string[],
  );
  return lines.map(({ detail }) => detail);
}

it('an approval request finds a host’s redeemed code by an index, however many sign-ins a grant has', async () => {
  const target = (await startService()) as InProcessTarget;
  const { id, challenge } = makeChannel();
  const { app } = await newRelation(target);
  const body = { id, kind: 'approval', challenge, inquiryId: 'inq_nothing', origin: 'https://b.example' };
  const init = json('POST', body);
  const plan = await planOf(target, 'app_sessions u', () =>
    target.request('/v1/popup/requests', { ...init, headers: { ...init.headers, ...credentials(app) } }),
  );
  expect(plan).toContainEqual(expect.stringContaining('INDEX app_sessions_host (grant_id=? AND host=?)'));
});

it('the list of an app’s events reads no logout tokens', async () => {
  const target = (await startService()) as InProcessTarget;
  const relation = await newRelation(target);
  await appSignIn(relation);
  const plan = await planOf(target, 'webhook_events e', () =>
    relation.person.browser.fetch(`/v1/apps/${relation.app.id}/events`),
  );
  expect(plan).toContainEqual(expect.stringContaining('INDEX webhook_events_app (app_id=? AND seq<?)'));
  const [index] = await target.rows(
    `SELECT partial FROM pragma_index_list('webhook_events') WHERE name = 'webhook_events_app'`,
  );
  expect(index).toEqual({ partial: 1 });
});
