import { expect, it } from 'vitest';
import type { Statement } from '../../../src/db/database.ts';
import { sessionIdOf } from '../../support/answers.ts';
import { openBrowser } from '../../support/browser.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { signIn } from '../../support/people.ts';
import { startService } from '../../support/service.ts';
import { appSignIn, newRelation } from '../../support/token.ts';

const sessions = 200;
const signIns = 200;

/** Counts the rows that each batch writes, including those written by triggers. */
function countWrites({ deps: { db } }: InProcessTarget): number[] {
  const counts: number[] = [];
  const { batch } = db;
  const total: Statement<{ n: number }> = { text: 'SELECT total_changes() AS n', values: [] };
  Object.assign(db, {
    async batch(statements: readonly Statement[]) {
      const [before, ...rows] = (await batch.call(db, [total, ...statements, total])) as { n: number }[][];
      counts.push((rows.pop()?.[0]?.n ?? 0) - (before?.[0]?.n ?? 0));
      return rows;
    },
  });
  return counts;
}

/** A person with as many sessions as possible, each with as many sign-ins to an app, of which half are online. */
async function stageMost() {
  const target = (await startService({ RATE_LIMITS: 'off' })) as InProcessTarget;
  const relation = await newRelation(target, { backchannelLogoutUri: 'https://shop.example.com/logout' });
  const { person } = relation;
  const { sid } = await appSignIn(relation, { scope: 'openid' });
  const other = openBrowser(target);
  await signIn(target, other, person.claims);
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
      INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
        token_hash, token_expires_at)
      SELECT id || '_' || i, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
        'hash ' || i, token_expires_at FROM sessions, n WHERE id = ?`,
    [sessions - 2, await sessionIdOf(person)],
  );
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
      INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
        created_at, expires_at)
      SELECT a.id || s.id || '_' || i, a.grant_id, a.app_id, a.handle, s.id, iif(i % 2, '["openid"]', '["offline_access","openid"]'),
        a.provider, 1, 'x', i, a.expires_at
      FROM app_sessions a, sessions s, n WHERE a.id = ? AND s.id <> a.session_id AND s.id <> ?`,
    [signIns, sid, await sessionIdOf({ browser: other })],
  );
  const count = async (table: string, where: string) => {
    const [row] = await target.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`);
    return row?.n;
  };
  return { target, other, count };
}

it('signing out of 200 sessions with 200 sign-ins each writes only a few rows at a time, and notifies every app [D-82, D-100]', {
  timeout: 120_000,
}, async () => {
  const { target, other, count } = await stageMost();
  const all = (await count('app_sessions', '1')) ?? 0;
  expect(all).toBe((sessions - 2) * signIns + 1);
  const writes = countWrites(target);
  expect((await other.fetch('/v1/sessions', { method: 'DELETE' })).status).toBe(204);
  // Half of them, all with offline_access.
  expect(await count('live_app_sessions', '1')).toBe((all - 1) / 2);
  expect(await count('live_app_sessions', `scopes NOT LIKE '%offline_access%'`)).toBe(0);
  await target.settled?.();
  expect(await count('app_sessions', 'revoked_at IS NULL')).toBeGreaterThan(all / 2);
  await target.rows(`UPDATE apps SET backchannel_logout_uri = 'https://shop.example.com/logout'`);
  for (let minutes = 0; minutes < 2; minutes += 1) {
    await target.rows(`UPDATE webhook_events SET next_at = NULL WHERE type = 'logout'`);
    await target.request('/dev/scheduled', { method: 'POST' });
  }
  expect(await count('sign_outs', '1')).toBe(0);
  expect(await count('app_sessions', `revoked_reason = 'signed_out'`)).toBe((all + 1) / 2);
  expect(await count('app_sessions', 'revoked_at IS NULL')).toBe((all - 1) / 2);
  expect(await count('webhook_events', `type = 'logout'`)).toBe(all);
  // Less than 400 logout tokens, each written and made due, and 200 sign-ins.
  expect(Math.max(...writes)).toBeLessThanOrEqual(1002);
});

it('a thousand people who each sign out of one app are processed in a single run of the jobs', async () => {
  const target = (await startService({ RATE_LIMITS: 'off' })) as InProcessTarget;
  const { sid } = await appSignIn(await newRelation(target), { scope: 'openid' });
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
        created_at, expires_at)
      SELECT id || '_' || i, grant_id, app_id, handle, 'ses_' || i, scopes, provider, 1, 'x', i, expires_at
      FROM app_sessions, n WHERE id = ?`,
    [sid],
  );
  await target.rows(
    `INSERT INTO sign_outs (session_id, handle, at) SELECT session_id, session_id, 1 FROM app_sessions WHERE id <> ?`,
    [sid],
  );
  await target.request('/dev/scheduled', { method: 'POST' });
  expect(await target.rows('SELECT count(*) AS n FROM sign_outs')).toEqual([{ n: 0 }]);
});
