import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import { signOutOfApps } from '../../../src/features/oauth/sign-out.ts';
import { sendLogouts } from '../../../src/features/webhook/deliver-logout.ts';
import type { ListedEvent } from '../../../src/features/webhook/schema.ts';
import type { Page } from '../../../src/lib/page.ts';
import { sessionIdOf } from '../../support/answers.ts';
import { json } from '../../support/browser.ts';
import { appToken, consent, type GrantStage, signInToApp, startGrantStage } from '../../support/grants.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';
import { form } from '../../support/sandbox.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Stage extends GrantStage {
  readonly receiver: Receiver;
}

/** An app with a logout URI that a person has allowed. */
async function start(
  answer?: Parameters<typeof startReceiver>[0],
  fields: Record<string, unknown> = {},
): Promise<Stage> {
  const receiver = await startReceiver(answer);
  cleanups.push(receiver.stop);
  const stage = await startGrantStage({ backchannelLogoutUri: receiver.url, ...fields });
  cleanups.push(stage.close);
  await consent(stage, 'openid');
  return { ...stage, receiver };
}

/** Returns the tokens that a receiver got, verified like an OpenID Connect library would. */
async function tokensOf({ service, receiver, app }: Stage, algorithms = ['RS256']) {
  const keys = (await (await service.request('/.well-known/jwks.json')).json()) as JSONWebKeySet;
  return Promise.all(
    receiver.received.map(async ({ body, headers }) => {
      expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
      const form = new URLSearchParams(body);
      expect([...form.keys()]).toEqual(['logout_token']);
      const token = form.get('logout_token') ?? '';
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
        issuer: service.deps.config.origin,
        audience: app,
        typ: 'logout+jwt',
        algorithms,
        currentDate: new Date(service.now()),
      });
      return { token, payload };
    }),
  );
}

const logOut = ({ person }: Stage) => person.browser.fetch('/v1/auth/logout', { method: 'POST' });
const leave = ({ service, person }: Stage) =>
  person.browser.navigate('/v1/auth/logout/leave', form({}, service.origin));
/** Sends a refresh token that was used two rotations ago. */
async function replayRefresh({ service, person: { browser } }: Stage) {
  const Cookie = await browser.cookies('/v1/auth/refresh');
  for (let count = 0; count < 2; count += 1) {
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    await service.advance(60);
  }
  await service.request('/v1/auth/refresh', { method: 'POST', headers: { Cookie } });
}

const event = 'http://schemas.openid.net/event/backchannel-logout';

describe('a logout token', () => {
  it.each([
    ['RS256', 'a logout', logOut],
    ['ES256', 'a page’s form', leave],
  ] as const)(
    'goes to each sign-in of a revoked session, signed with %s, after the response to %s, and is not an app event [D-82]',
    async (idTokenAlg, _, end) => {
      const stage = await start(undefined, { idTokenAlg });
      const { service, owner, person, app } = stage;
      const ids = [await signInToApp(stage), await signInToApp(stage)];
      await end(stage);
      await expect.poll(() => stage.receiver.received.length, { timeout: 30_000 }).toBe(2);
      expect(await sendLogouts(service.deps)).toEqual({ sent: 0, failed: 0 });
      const tokens = await tokensOf(stage, [idTokenAlg]);
      expect(tokens.map(({ payload }) => payload['sid']).sort()).toEqual([...ids].sort());
      for (const { token, payload } of tokens) {
        const { sub, events, nonce, iat = 0, exp = 0 } = payload;
        expect({ sub, events, nonce }).toEqual({ sub: `${person.handle}@pid`, events: { [event]: {} } });
        expect(exp - iat).toBe(120);
        expect(Object.keys(decodeProtectedHeader(token)).sort()).toEqual(['alg', 'kid', 'typ']);
      }
      expect(new Set(tokens.map(({ payload }) => payload.jti)).size).toBe(2);
      const listed = await owner.browser.fetch(`/v1/apps/${app}/events`);
      const { data } = (await listed.json()) as Page<ListedEvent>;
      expect(data.map(({ type }) => type)).toEqual(['grant.created']);
      const again = await owner.browser.fetch(`/v1/apps/${app}/events/${tokens[0]?.payload.jti}/redeliver`, {
        method: 'POST',
      });
      expect(again.status).toBe(404);
    },
  );

  it('identifies only the person if the grant was revoked [D-82]', async () => {
    const stage = await start();
    const { service, person } = stage;
    await signInToApp(stage);
    const { data } = (await (await person.browser.fetch('/v1/grants')).json()) as Page<{ id: string }>;
    await person.browser.fetch(`/v1/grants/${data[0]?.id}`, { method: 'DELETE' });
    await expect.poll(() => stage.receiver.received.length, { timeout: 30_000 }).toBe(1);
    await sendLogouts(service.deps);
    const [token, ...others] = await tokensOf(stage);
    expect(others).toEqual([]);
    expect(token?.payload).toMatchObject({ sub: `${person.handle}@pid`, events: { [event]: {} } });
    expect(token?.payload).not.toHaveProperty('sid');
  });

  it.each([
    [
      'the app revoked the grant',
      async (stage: Stage) => {
        const { service, app, secret } = stage;
        const token = await appToken(stage, { sessionId: await signInToApp(stage) });
        const fields = { client_id: app, client_secret: `${secret?.value}`, token, token_type_hint: 'grant' };
        const answer = await service.request('/v1/auth/revoke', form(fields, service.origin));
        expect(answer.status).toBe(200);
      },
    ],
    ['a refresh token was replayed', replayRefresh],
    [
      'an administrator suspended the person',
      async ({ service, owner, person: { handle } }: Stage) => {
        await service.restart({ ADMIN_PIDS: `${owner.handle}@pid` });
        const fields = form({ act: 'suspend', reason: 'chargeback' }, service.origin);
        expect((await owner.browser.navigate(`/admin/people/${handle}`, fields)).status).toBe(303);
      },
    ],
  ])('is sent right after %s [D-82]', async (_, end) => {
    const stage = await start();
    await signInToApp(stage);
    await end(stage);
    await expect.poll(() => stage.receiver.received.length, { timeout: 15_000 }).toBe(1);
  });

  const ends: [string, (stage: Stage) => Promise<unknown>][] = [
    ['a logout', logOut],
    [
      'the revocation of the session from another one',
      async ({ person }) =>
        person.browser.fetch(`/v1/sessions/${await sessionIdOf(person)}`, { method: 'DELETE' }),
    ],
    [
      'a closed account',
      ({ person: { browser, handle } }) => browser.fetch('/v1/me', json('DELETE', { handle })),
    ],
    [
      'a suspension',
      async ({ service, owner, person: { handle } }) => {
        await service.restart({ ADMIN_PIDS: `${owner.handle}@pid` });
        const body = { status: 'suspended', reason: 'chargeback' };
        const answer = await owner.browser.fetch(`/v1/admin/identities/${handle}`, json('PATCH', body));
        expect(answer.status).toBe(200);
      },
    ],
  ];
  it.each(ends)('is sent after %s, once per sign-in [D-82]', async (_, end) => {
    const stage = await start();
    const id = await signInToApp(stage);
    await end(stage);
    await expect
      .poll(
        async () => {
          await sendLogouts(stage.service.deps);
          return (await tokensOf(stage)).filter(({ payload }) => payload['sid'] === id).length;
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await sendLogouts(stage.service.deps);
    expect((await tokensOf(stage)).filter(({ payload }) => payload['sid'] === id)).toHaveLength(1);
  });

  it('is not created for an unexchanged code, a revoked sign-in or an app without a logout address', async () => {
    const stage = await start();
    await signInToApp(stage);
    await stage.service.rows(`UPDATE app_sessions SET revoked_at = 1, revoked_reason = 'revoked'`);
    await stage.owner.browser.fetch(`/v1/apps/${stage.app}`, json('PATCH', { backchannelLogoutUri: null }));
    await signInToApp(stage);
    await logOut(stage);
    expect(await stage.service.rows(`SELECT 1 FROM webhook_events WHERE type = 'logout'`)).toEqual([]);
  });

  it('is not accepted as an access token, session or Bearer token [D-18, D-82]', async () => {
    const stage = await start();
    await signInToApp(stage);
    await logOut(stage);
    await expect.poll(() => stage.receiver.received.length, { timeout: 30_000 }).toBe(1);
    const [{ token } = { token: '' }] = await tokensOf(stage);
    for (const headers of [{ Cookie: `pid_access=${token}` }, { Authorization: `Bearer ${token}` }]) {
      for (const path of ['/v1/auth/session', `/v1/apps/${stage.app}/events`]) {
        expect((await stage.service.request(path, { headers })).status).toBe(401);
      }
    }
  });
});

describe('logout token delivery', () => {
  it('stops at 400, which is logged, and is retried after any other failure under the same jti', async () => {
    const answers = [{ status: 500 }, { status: 302 }, { status: 400 }];
    const stage = await start((count) => answers[count] ?? { status: 204 });
    const { service } = stage;
    await signInToApp(stage);
    await service.rows(`UPDATE sessions SET revoked_at = ?, revoked_reason = 'ended' WHERE handle = ?`, [
      service.now(),
      stage.person.handle,
    ]);
    for (const sent of [1, 2, 3, 3]) {
      await signOutOfApps(service.deps);
      expect(stage.receiver.received).toHaveLength(sent);
      await service.advance(40 * 60);
    }
    const tokens = stage.receiver.received.map(({ body }) => body.split('=')[1] ?? '');
    const claims = tokens.map((token) =>
      JSON.parse(atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))),
    );
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(1);
    expect(new Set(claims.map(({ iat }) => iat)).size).toBe(3);
    const refused = service.log().filter((line) => line.includes('"event":"logout.refused"'));
    expect(refused).toHaveLength(1);
  });

  it('is round-robin: a failing app gets one call per run, and other apps continue', async () => {
    const stage = await start(() => ({ status: 500 }));
    const working = await startReceiver();
    cleanups.push(working.stop);
    const { service, owner } = stage;
    const other = await owner.browser.fetch(
      '/v1/apps',
      json('POST', { name: 'Other', type: 'web', backchannelLogoutUri: working.url }),
    );
    const { id } = (await other.json()) as { id: string };
    await service.rows(
      `INSERT INTO webhook_events (id, app_id, type, data, at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
        SELECT 'evt_' || a.value || i, a.value, 'logout', '{"sub":"ada@pid"}', ? FROM n, json_each(?) a`,
      [service.now(), JSON.stringify([stage.app, id])],
    );
    expect(await sendLogouts(service.deps)).toEqual({ sent: 30, failed: 1 });
    expect(working.received).toHaveLength(30);
    expect(stage.receiver.received).toHaveLength(1);
  });

  it('makes at most five calls to an app at a time, however many people sign out together', async () => {
    const stage = await start();
    const { service, app } = stage;
    await service.rows(
      `INSERT INTO webhook_events (id, app_id, type, data, at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        SELECT 'evt_' || i, ?, 'logout', '{"sub":"ada@pid"}', ? FROM n`,
      [app, service.now()],
    );
    let [calls, most] = [0, 0];
    const deps: Deps = {
      ...service.deps,
      async callOut(call) {
        most = Math.max(most, ++calls);
        return service.deps.callOut(call).finally(() => {
          calls -= 1;
        });
      },
    };
    await Promise.all(Array.from({ length: 20 }, () => sendLogouts(deps)));
    expect(most).toBeLessThanOrEqual(5);
    expect(stage.receiver.received).toHaveLength(40);
  });

  it('needs no webhook and is not delayed by a failing or disabled webhook', async () => {
    const stage = await start();
    const { service, owner, app } = stage;
    await owner.browser.fetch(`/v1/apps/${app}/webhook`, json('POST', { url: 'http://127.0.0.1:9/' }));
    await service.rows(`UPDATE webhooks SET status = 'disabled', paused_until = ?, updated_at = updated_at`, [
      service.now() + 3_600_000,
    ]);
    await signInToApp(stage);
    await logOut(stage);
    await expect.poll(() => stage.receiver.received.length, { timeout: 30_000 }).toBe(1);
    await owner.browser.fetch(`/v1/apps/${app}/webhook`, { method: 'DELETE' });
    await service.rows(
      `INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_1', ?, 'logout', '{"sub":"ada@pid"}', 1)`,
      [app],
    );
    expect(await sendLogouts(service.deps)).toEqual({ sent: 1, failed: 0 });
    await service.rows(
      `INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_2', ?, 'logout', '{"sub":"ada@pid"}', 1)`,
      [app],
    );
    await owner.browser.fetch(`/v1/apps/${app}`, { method: 'DELETE' });
    expect(await sendLogouts(service.deps)).toEqual({ sent: 0, failed: 0 });
  });
});

it('a failed logout token changes only the next pending token, however many are pending', async () => {
  const { service, app } = await start(() => ({ status: 500 }));
  await service.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO webhook_events (id, app_id, type, data, at)
      SELECT printf('evt_%05d', i), ?, 'logout', '{"sub":"somebody@pid"}', ? FROM n`,
    [app, service.now()],
  );
  expect(await sendLogouts(service.deps, { most: 1, claimsForMs: 10_000 })).toEqual({ sent: 0, failed: 1 });
  const tried = `SELECT count(*) AS n FROM webhook_events WHERE type = 'logout' AND tries > 0`;
  expect(await service.rows(tried)).toEqual([{ n: 2 }]);
});
