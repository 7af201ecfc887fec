import { expect, inject, it, onTestFinished } from 'vitest';
import { sessionIdOf } from './support/answers.ts';
import { openBrowser } from './support/browser.ts';
import { startBun } from './support/bun-process.ts';
import { makeServiceFiles, openFileService } from './support/file-service.ts';
import { signIn } from './support/people.ts';
import { sendTo } from './support/send-to.ts';
import { appSignIn, newRelation, userinfo } from './support/token.ts';

const sessions = 40;
const signIns = 50;

/** A person with a browser who is signed in to an app from many other sessions, in a database that other processes open too. */
async function stageSessions() {
  const files = await makeServiceFiles();
  onTestFinished(files.remove);
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  });
  onTestFinished(service.close);
  const relation = await newRelation(service, { backchannelLogoutUri: 'https://shop.example.com/logout' });
  const { person } = relation;
  const online = await appSignIn(relation, { scope: 'openid' });
  const browser = openBrowser(service);
  await signIn(service, browser, person.claims);
  await service.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
      INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
        token_hash, token_expires_at)
      SELECT id || '_' || i, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
        'hash ' || i, token_expires_at FROM sessions, n WHERE id = ?`,
    [sessions, await sessionIdOf(person)],
  );
  await service.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
      INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
        created_at, expires_at)
      SELECT a.id || s.id || '_' || i, a.grant_id, a.app_id, a.handle, s.id, a.scopes, a.provider, 1, 'x', i, a.expires_at
      FROM app_sessions a, sessions s, n WHERE a.id = ? AND s.id <> a.session_id AND s.id <> ?`,
    [signIns, online.sid, await sessionIdOf({ browser })],
  );
  return { database: files.database, service, browser, online };
}

it('a process killed after a sign-out leaves no sign-in live, and another process notifies each app once [D-82, S-05]', {
  timeout: 240_000,
}, async () => {
  const { database, service, browser, online } = await stageSessions();
  const start = async () => {
    const started = await startBun({ DATABASE_URL: `file:${database}`, RATE_LIMITS: 'off' });
    onTestFinished(started.close);
    return started;
  };
  const count = async (table: string, where: string) => {
    const [row] = await service.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`);
    return row?.n;
  };
  const first = await start();
  const headers = { Host: 'localhost:8787', Cookie: await browser.cookies('/v1/auth/refresh') };
  const answer = await sendTo(first.port, '/v1/sessions', { method: 'DELETE', headers });
  await first.end('SIGKILL');
  expect(answer.status).toBe(204);
  expect(await count('sign_outs', '1')).toBeGreaterThan(0);
  expect(await count('live_app_sessions', '1')).toBe(0);
  expect((await userinfo(service, online.access_token)).status).toBe(401);

  const second = await start();
  await sendTo(second.port, '/dev/clock', {
    method: 'POST',
    headers: { Host: 'localhost:8787', 'Content-Type': 'application/json' },
    // Longer than the lease of a job.
    body: JSON.stringify({ advanceSeconds: 360 }),
  });
  const left = async () => {
    await sendTo(second.port, '/dev/scheduled', { method: 'POST', headers: { Host: 'localhost:8787' } });
    return count('sign_outs', '1');
  };
  // The process also runs the jobs when it starts.
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
  const all = sessions * signIns + 1;
  expect(await count('app_sessions', `revoked_reason = 'signed_out'`)).toBe(all);
  expect(await count('webhook_events', `type = 'logout'`)).toBe(all);
});
