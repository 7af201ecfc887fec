import { describe, expect, it } from 'vitest';
import { newApp, ownResource } from '../support/apps.ts';
import { authorizeUrl } from '../support/oauth.ts';
import { newMember } from '../support/people.ts';
import { ask, lastPage, press, redeem } from '../support/popup-tokens.ts';
import { useService } from '../support/service.ts';
import {
  appSignIn,
  credentials,
  exchange,
  newCode,
  newRelation,
  post,
  type Relation,
  refresh,
  tokensOf,
  userinfo,
} from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'on' });

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

const statuses = (answers: readonly Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('the person tag in codes and refresh tokens', () => {
  it('is constant within one app, and differs between apps and between people', async () => {
    const [first, second] = [await newRelation(target), await newRelation(target)];
    const tagAt = async (relation: Relation) => {
      const codeTag = (await newCode(relation)).code.split('.')[2];
      const tokenTag = (await appSignIn(relation)).refresh_token.split('.')[2];
      expect(tokenTag).toBe(codeTag);
      expect(codeTag).toMatch(/^[\w-]{22,}$/);
      return codeTag;
    };
    const own = await tagAt(first);
    const elsewhere = await tagAt({ ...first, app: second.app });
    const others = await tagAt({ ...first, person: second.person });
    expect(new Set([own, elsewhere, others]).size).toBe(3);
    expect(await tagAt(first)).toBe(own);
  });
});

describe('the token request limit', () => {
  it('is applied per family, so an exhausted family does not affect others at the same address', async () => {
    const relation = await newRelation(target);
    const { refresh_token } = await appSignIn(relation);
    const flood = await Promise.all(Array.from({ length: 30 }, () => refresh(relation, refresh_token)));
    expect(statuses(flood, 429)).toBeGreaterThan(0);
    const [limited] = flood.filter(({ status }) => status === 429);
    expect(limited?.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await limited?.json()).toMatchObject({ statusCode: 429, error: 'temporarily_unavailable' });
    const other = await appSignIn(relation);
    await tokensOf(await refresh(relation, other.refresh_token));
  });

  it('is applied to a client without a secret by address, so its public id cannot fill others’ buckets', async () => {
    const relation = await newRelation(target, { type: 'spa' });
    const code = await newCode(relation);
    const { id, ...rest } = relation.app;
    const stranger = { ...relation, app: { ...rest, id } };
    const flood = await Promise.all(
      Array.from({ length: 40 }, (_, index) => exchange(stranger, { ...code, code: `guess-${index}` })),
    );
    expect(statuses(flood, 429)).toBeGreaterThan(10);
    await tokensOf(await exchange(relation, code));
  });

  it('reports its policy for a family and for the app’s secret', async () => {
    await target.advance(61);
    const relation = await newRelation(target);
    const { access_token } = await appSignIn(relation);
    const answer = await post(relation, '/v1/auth/introspect', { token: access_token });
    expect(answer.headers.get('RateLimit-Policy')).toBe('"default";q=60;w=60');
    const raised = await post(relation, '/v1/auth/token', { grant_type: 'client_credentials' });
    expect(raised.headers.get('RateLimit-Policy')).toBe('"default";q=600;w=60');
  });
});

describe('an access token for a resource', () => {
  it('does not count towards its family’s limit, because the resource’s owner has it too [D-92]', async () => {
    const relation = await newRelation(target, { type: 'spa' });
    const resource = 'https://shop.example.com/api';
    await ownResource(target, { resource, owner: relation.app.id });
    const { access_token, refresh_token } = await appSignIn(relation);
    const subject = { subject_token: access_token, subject_token_type: accessTokenType };
    const narrowed = await tokensOf(await post(relation, '/v1/auth/exchange', { ...subject, resource }));
    const { access_token: token } = narrowed;
    const flood = Array.from({ length: 80 }, () => userinfo(target, token));
    for (let count = 0; count < 40; count += 1) {
      flood.push(post(relation, '/v1/auth/exchange', { ...subject, subject_token: token }));
      flood.push(post(relation, '/v1/auth/revoke', { token }));
    }
    expect(statuses(await Promise.all(flood), 429)).toBeGreaterThan(50);
    expect((await userinfo(target, access_token)).status).toBe(200);
    await tokensOf(await refresh(relation, refresh_token));
    await tokensOf(await post(relation, '/v1/auth/exchange', { ...subject, resource }));
    expect((await post(relation, '/v1/auth/revoke', { token: access_token })).status).toBe(200);
  });
});

describe('a person’s ceiling at an app', () => {
  const small = useService({
    RATE_LIMITS: '{"POST /v1/auth/introspect": 1, "GET /v1/auth/userinfo": 1, "GET /v1/wallet": 1}',
  });

  it('is not affected when another account reaches its own with sign-ins [D-92]', async () => {
    const relation = await newRelation(small);
    const other = { ...relation, person: await newMember(small) };
    const waiting = await appSignIn(other);
    // One request a minute for a family means ten for the person.
    const tokens: string[] = [];
    for (let count = 0; count < 12; count += 1) tokens.push((await appSignIn(relation)).access_token);
    const paths = [
      (token: string) => post(relation, '/v1/auth/introspect', { token }),
      (token: string) => userinfo(small, token),
    ];
    for (const ask of paths) {
      const answers = [];
      for (const token of tokens) answers.push(await ask(token));
      expect(statuses(answers, 200)).toBe(10);
      expect(answers.at(-1)?.headers.get('RateLimit-Policy')).toBe('"person";q=10;w=60');
      expect((await ask(waiting.access_token)).status).toBe(200);
    }
    const wallet = (token: string) =>
      small.request('/v1/wallet', { headers: { Authorization: `Bearer ${token}` } });
    const answers = [];
    for (const token of tokens) answers.push(await wallet(token));
    expect(statuses(answers, 429)).toBe(11);
    expect((await wallet(waiting.access_token)).status).not.toBe(429);
  });
});

describe('a session’s sign-ins to apps', () => {
  const service = useService();
  const left = (column: string) =>
    service.rows(`SELECT count(*) AS n, min(created_at) AS first FROM app_sessions WHERE id LIKE ?`, [
      column,
    ]);
  /** Makes `count` sign-ins of the same session to the app. */
  const signInOften = (sid: string, count: number) =>
    service.rows(
      `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
          created_at, expires_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
        SELECT s.id || '_' || i, grant_id, app_id, handle, session_id, scopes, provider, 1, 'x', i, s.expires_at
        FROM app_sessions s, n WHERE s.id = ?`,
      [count, sid],
    );

  it('are limited to 200, and the app with the most loses one first, so a sign-out writes only a few rows [D-92]', async () => {
    const relation = await newRelation(service, { backchannelLogoutUri: 'https://shop.example.com/logout' });
    const other = await newApp(relation.person.browser, {
      scopes: ['openid', 'profile', 'email', 'offline_access'],
    });
    const [greedy, modest] = [await appSignIn(relation), await appSignIn({ ...relation, app: other })];
    await signInOften(modest.sid, 20);
    await signInOften(greedy.sid, 300);
    expect(await left(`${modest.sid}_%`)).toEqual([{ n: 20, first: 1 }]);
    expect(await left(`${greedy.sid}_%`)).toEqual([{ n: 178, first: 123 }]);
    await tokensOf(await refresh(relation, greedy.refresh_token));
    await tokensOf(await refresh({ ...relation, app: other }, modest.refresh_token));
    await relation.person.browser.fetch('/v1/auth/logout', { method: 'POST' });
    const told = `SELECT count(*) AS n FROM webhook_events WHERE type = 'logout'`;
    await expect.poll(() => service.rows(told)).toEqual([{ n: 179 }]);
  });
});

describe('an app with 200 sign-ins of a session', () => {
  const service = useService();

  it('does not evict pending codes of other apps [D-92]', async () => {
    const relation = await newRelation(service);
    const scopes = ['openid', 'profile', 'email', 'offline_access'];
    const other = { ...relation, app: await newApp(relation.person.browser, { scopes }) };
    const { sid } = await appSignIn(relation);
    const pending = await newCode(other);
    await service.rows(
      `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
          created_at, expires_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
        SELECT s.id || '_' || i, grant_id, app_id, handle, session_id, scopes, provider, 1, 'x', i, s.expires_at
        FROM app_sessions s, n WHERE s.id = ?`,
      [sid],
    );
    await tokensOf(await exchange(other, pending));
  });
});

describe('a sign-in to another app', () => {
  const service = useService();

  it('does not displace valid codes of the app with the most sign-ins [D-92]', async () => {
    const relation = await newRelation(service);
    const scopes = ['openid', 'profile', 'email', 'offline_access'];
    const other = { ...relation, app: await newApp(relation.person.browser, { scopes }) };
    const { sid } = await appSignIn(relation);
    const pending = await newCode(relation);
    await service.rows(
      `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
          created_at, expires_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 198)
        SELECT s.id || '_' || i, grant_id, app_id, handle, session_id, scopes, provider, 1, 'x', i, s.expires_at
        FROM app_sessions s, n WHERE s.id = ?`,
      [sid],
    );
    await appSignIn(other);
    await tokensOf(await exchange(relation, pending));
  });
});

describe('requests from another page', () => {
  const service = useService();

  it('do not revoke sign-ins to an app, because its unredeemed codes are discarded first [D-92]', async () => {
    const relation = await newRelation(service, { backchannelLogoutUri: 'https://shop.example.com/logout' });
    const kept = await appSignIn(relation);
    const { browser } = relation.person;
    const fromSibling = {
      'Sec-Fetch-Site': 'same-site',
      'Sec-Fetch-Mode': 'no-cors',
      'Sec-Fetch-Dest': 'empty',
    };
    for (let asked = 0; asked < 205; asked += 1) {
      await service.advance(1);
      const answer = await browser.fetch(authorizeUrl(relation.app), { headers: fromSibling });
      expect(answer.headers.get('Location')).toContain('code=');
    }
    await tokensOf(await refresh(relation, kept.refresh_token));
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    const told = `SELECT json_extract(data, '$.sid') AS sid FROM webhook_events WHERE type = 'logout'`;
    await expect.poll(() => service.rows(told)).toEqual([{ sid: kept.sid }]);
  });
});

describe('the limit of a secret', () => {
  const low = useService({ RATE_LIMITS: '{"POST /v1/auth/token": 2}' });

  it('counts guesses against the client’s secret, while real codes still work', async () => {
    const relation = await newRelation(low);
    const code = await newCode(relation);
    const guess = (index: number) => exchange(relation, { ...code, code: `guess-${index}` });
    const flood = await Promise.all(Array.from({ length: 120 }, (_, index) => guess(index)));
    expect(statuses(flood, 400)).toBeLessThan(120);
    expect(statuses(flood, 429)).toBeGreaterThan(0);
    await tokensOf(await exchange(relation, code));
  });
});

describe('the refreshes of an app', () => {
  const low = useService({ RATE_LIMITS: '{"POST /v1/auth/token": 2}' });

  it('keep working for other people while one account with many sign-ins floods it [D-92]', async () => {
    const relation = await newRelation(low);
    const other = { ...relation, person: await newMember(low) };
    const waiting = await appSignIn(other);
    const own = [];
    for (let count = 0; count < 35; count += 1) own.push(await appSignIn(relation).catch(() => null));
    const flood = own.flatMap((one) => (one === null ? [] : [refresh(relation, one.refresh_token)]));
    for (const one of await Promise.all(flood)) expect([200, 429]).toContain(one.status);
    expect(own).toContain(null);
    await tokensOf(await refresh(other, waiting.refresh_token));
  });

  it('keep the family and the person in the next refresh token', async () => {
    const relation = await newRelation(low);
    const { refresh_token } = await appSignIn(relation);
    const [, sid, person] = refresh_token.split('.');
    expect(refresh_token.split('.')).toHaveLength(4);
    const next = await tokensOf(await refresh(relation, refresh_token));
    expect(next.refresh_token.split('.').slice(1, 3)).toEqual([sid, person]);
  });
});

describe('the tokens of a popup', () => {
  const low = useService({ RATE_LIMITS: '{"POST /v1/auth/token": 1}' });

  it('are counted toward the person’s ceiling, even after another account has filled its own at the same address [D-92]', async () => {
    const relation = await newRelation(low);
    const other = { ...relation, person: await newMember(low) };
    const begin = async (one: typeof relation) => {
      await low.advance(60);
      const opener = await ask(one, 'openid offline_access');
      await press(one, opener);
      const { result } = await lastPage(one.person.browser, opener);
      return tokensOf(await redeem(one, opener, result));
    };
    const own = [];
    for (const one of [relation, other]) await appSignIn(one, { scope: 'openid offline_access' });
    const waiting = await begin(other);
    for (let count = 0; count < 11; count += 1) own.push(await begin(relation));
    await low.advance(60);
    const answers = [];
    for (const { refresh_token } of own) answers.push(await refresh(relation, refresh_token));
    expect(statuses(answers, 200)).toBe(10);
    expect(answers.at(-1)?.headers.get('RateLimit-Policy')).toBe('"person";q=10;w=60');
    await tokensOf(await refresh(other, waiting.refresh_token));
  });
});

describe('approvals requested by a back end', () => {
  it('are counted toward the limit of its secret: 100 a minute pass, even after a stranger has used up its address’s 30 [D-92]', async () => {
    const { app } = await newRelation(target);
    const ask = (kind: string, headers: Record<string, string>, more = {}) =>
      target.request('/v1/popup/requests', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ kind, ...more }),
      });
    // Nothing checks a secret in a request for a sign-in, so an invented one has no limit of its own.
    const invented = (index: number) =>
      credentials({ ...app, secret: { id: '', hint: '', value: `pids_${index}` } });
    const strangers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask('login', invented(index))),
    );
    expect(statuses(strangers, 429)).toBeGreaterThan(5);
    // A secret without an id belongs to no app.
    const nameless = await Promise.all(
      Array.from({ length: 5 }, (_, index) => ask('approval', {}, { client_secret: `pids_${index}` })),
    );
    expect(statuses(nameless, 429)).toBe(5);
    const asked = await Promise.all(Array.from({ length: 100 }, () => ask('approval', credentials(app))));
    expect(statuses(asked, 429)).toBe(0);
    expect(asked[0]?.headers.get('RateLimit-Policy')).toBe('"default";q=600;w=60');
  });
});
