import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { first, statement } from '../../../src/db/database.ts';
import { AppError } from '../../../src/errors.ts';
import { endRestoredSessions } from '../../../src/features/admin/restore.ts';
import { appOrigins } from '../../../src/features/app/origins.ts';
import { callerActs, callerRefusal } from '../../../src/features/grant/acting-caller.ts';
import { caller } from '../../../src/features/grant/require-caller.ts';
import { admit } from '../../../src/http/admit.ts';
import type { AppEnv } from '../../../src/http/context.ts';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { renderError } from '../../../src/http/errors.ts';
import { routesOf } from '../../../src/http/serve.ts';
import { markFirstParty } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import { appToken, consent, type GrantStage, signInToApp, startGrantStage } from '../../support/grants.ts';

const stages: GrantStage[] = [];
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())));

const origin = 'https://shop.example.com';

/** Routes that serve a person and apps, placed before the guards of every request. */
const probes = {
  read: { method: 'GET', path: '/v1/probe', actor: caller, limit: 60, scope: 'wallet:read' },
  change: { method: 'POST', path: '/v1/probe', actor: caller, limit: 20, scope: 'fiat:transfer' },
} as const satisfies Record<string, Endpoint>;

const probeRoutes = routesOf(probes, {
  read: ({ actor }) => actor,
  change: async ({ deps, actor }) => {
    const now = deps.now();
    const row = await first(
      deps.db,
      statement<{ acts: number; refusal: null | 'unauthenticated' | 'grant_revoked' | 'grant_expired' }>(
        sql`SELECT ${callerActs(actor, now)} AS acts, ${callerRefusal(actor, now)} AS refusal`,
      ),
    );
    if (row?.refusal) throw new AppError(row.refusal);
    return { acts: row?.acts };
  },
});

interface Probe extends GrantStage {
  readonly sessionId: string;
  ask(method: 'GET' | 'POST', headers: Record<string, string>): Promise<Response>;
}

/** An app to which the person has granted all permissions for the probes, and signed in. */
async function start(fields: Record<string, unknown> = {}): Promise<Probe> {
  const stage = await startGrantStage(fields);
  stages.push(stage);
  await consent(stage, 'openid', 'wallet:read', 'fiat:transfer');
  const { deps } = stage.service;
  const app = new Hono<AppEnv>();
  app.onError(renderError(deps));
  app.use(admit(deps, appOrigins(deps, Object.values(probes))));
  app.route('/', probeRoutes(deps));
  const ask = async (method: 'GET' | 'POST', headers: Record<string, string>) =>
    app.request(
      `${stage.service.origin}/v1/probe`,
      { method, headers },
      { address: '192.0.2.1', country: null },
    );
  return { ...stage, sessionId: await signInToApp(stage), ask };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const cookiesOf = async ({ person }: GrantStage) => ({ Cookie: await person.browser.cookies('/v1/probe') });
const outcome = async (answer: Response) => [
  answer.status,
  ((await answer.clone().json()) as { message?: string }).message ?? null,
];

describe('a Bearer caller', () => {
  it('acts as the app named in the token, on behalf of the token’s subject, with the token’s scopes', async () => {
    const probe = await start();
    const token = await appToken(probe, { sessionId: probe.sessionId, scopes: ['wallet:read'] });
    const answer = await probe.ask('GET', bearer(token));
    expect(await answer.json()).toMatchObject({
      by: 'token',
      handle: probe.person.handle,
      sessionId: probe.sessionId,
      appId: probe.app,
      scopes: ['wallet:read'],
    });
    expect(answer.headers.get('RateLimit-Policy')).toContain('"default"');
    const refused = await probe.ask('POST', bearer(token));
    expect(await outcome(refused)).toEqual([403, 'Missing scope fiat:transfer']);
    expect(refused.headers.get('WWW-Authenticate')).toContain(
      'Bearer error="insufficient_scope", scope="fiat:transfer", resource_metadata=',
    );
  });

  it('ignores a cookie sent alongside the token, regardless of the cookie’s owner [S-07]', async () => {
    const probe = await start();
    const cookies = { Cookie: await probe.owner.browser.cookies('/v1/probe') };
    const token = await appToken(probe, { sessionId: probe.sessionId });
    const answer = await probe.ask('GET', { ...cookies, ...bearer(token) });
    expect(await answer.json()).toMatchObject({ handle: probe.person.handle, appId: probe.app });
    for (const wrong of ['', 'nonsense', `${token}x`]) {
      const refused = await probe.ask('GET', { ...cookies, ...bearer(wrong) });
      expect(await outcome(refused)).toEqual([401, 'Authentication is required']);
      expect(refused.headers.get('WWW-Authenticate')).toContain(
        'Bearer error="invalid_token", scope="wallet:read", resource_metadata=',
      );
    }
  });

  it('is rejected with a session token, an app token for another audience or an expired token [D-18]', async () => {
    const probe = await start();
    const access = (await probe.person.browser.cookie('pid_access', '/v1/probe')) ?? '';
    const { origin: issuer } = probe.service.deps.config;
    const tokens = [
      access,
      await appToken(probe, { sessionId: probe.sessionId, audience: issuer }),
      await appToken(probe, { sessionId: probe.sessionId, audience: 'https://api.example.com' }),
      await appToken(probe, { sessionId: probe.sessionId, expiresAt: probe.service.now() }),
    ];
    for (const token of tokens) {
      expect(await outcome(await probe.ask('GET', bearer(token)))).toEqual([
        401,
        'Authentication is required',
      ]);
    }
    const own = await appToken(probe, { sessionId: probe.sessionId });
    const inCookie = await probe.ask('GET', { Cookie: `pid_access=${own}` });
    expect(await outcome(inCookie)).toEqual([401, 'Authentication is required']);
    const itself = await appToken(probe, { handle: null, grantId: null });
    expect(await outcome(await probe.ask('GET', bearer(itself)))).toEqual([403, 'Origin is not allowed']);
  });

  it('is rejected where only people may call, even alongside a person’s cookie', async () => {
    const probe = await start();
    const token = await appToken(probe, { sessionId: probe.sessionId });
    const { browser } = probe.person;
    expect((await browser.fetch('/v1/me')).status).toBe(200);
    for (const [method, path] of [
      ['GET', '/v1/me'],
      ['GET', '/v1/auth/session'],
      ['GET', '/v1/sessions'],
      ['DELETE', `/v1/apps/${probe.app}`],
    ] as const) {
      const answer = await browser.fetch(path, { method, headers: bearer(token) });
      expect([path, ...(await outcome(answer))]).toEqual([path, 401, 'Authentication is required']);
    }
  });

  it('may be a page on an origin that an app lists, even if the page does not name the app', async () => {
    const probe = await start();
    const token = await appToken(probe, { sessionId: probe.sessionId });
    for (const method of ['GET', 'POST'] as const) {
      const listed = await probe.ask(method, { ...bearer(token), Origin: origin });
      expect([listed.status, listed.headers.get('Access-Control-Allow-Origin')]).toEqual([200, origin]);
      const foreign = await probe.ask(method, { ...bearer(token), Origin: 'https://evil.example' });
      expect(await outcome(foreign)).toEqual([403, 'Origin is not allowed']);
    }
    const preflight = await probe.service.request('/v1/me', {
      method: 'OPTIONS',
      headers: { Origin: origin },
    });
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
  });
});

describe('a page of a first-party app', () => {
  it('may act only within the person’s grant, and is rejected without a grant', async () => {
    const probe = await start();
    await markFirstParty(probe.service, probe.app);
    const headers = { ...(await cookiesOf(probe)), Origin: origin, 'X-App-Id': probe.app };
    expect(await (await probe.ask('GET', headers)).json()).toMatchObject({
      by: 'page',
      handle: probe.person.handle,
      appId: probe.app,
      scopes: ['fiat:transfer', 'openid', 'wallet:read'],
    });
    expect(await (await probe.ask('POST', headers)).json()).toEqual({ acts: 1 });
    await probe.service.rows(`UPDATE grants SET scopes = '["openid","wallet:read"]'`);
    expect(await outcome(await probe.ask('POST', headers))).toEqual([403, 'Missing scope fiat:transfer']);
    await probe.service.rows(`UPDATE grants SET revoked_at = 1, revoked_by = 'person'`);
    expect(await outcome(await probe.ask('GET', headers))).toEqual([403, 'Origin is not allowed']);
  });
});

/** Events that end an app's right to act, each with the error that a change then returns. */
const ends: [string, (probe: Probe) => Promise<unknown>, string?][] = [
  [
    'a revoked grant',
    ({ service }) => service.rows(`UPDATE grants SET revoked_at = 1, revoked_by = 'person'`),
  ],
  [
    'an expired grant',
    ({ service }) => service.rows('UPDATE grants SET expires_at = ?', [service.now()]),
    'Grant has expired',
  ],
  ['a suspended app', ({ service }) => service.rows(`UPDATE apps SET status = 'suspended'`)],
  ['a deleted app', ({ owner, app }) => owner.browser.fetch(`/v1/apps/${app}`, { method: 'DELETE' })],
  [
    'an app whose only secret is revoked',
    ({ owner, app, secret }) =>
      owner.browser.fetch(`/v1/apps/${app}/secrets/${secret?.id}?force=true`, { method: 'DELETE' }),
  ],
  [
    'a suspended person',
    ({ service, person }) =>
      service.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [person.handle]),
  ],
  [
    'a person who has closed the account',
    ({ person: { browser, handle } }) => browser.fetch('/v1/me', json('DELETE', { handle })),
  ],
  [
    'a revoked sign-in to the app',
    ({ service }) => service.rows(`UPDATE app_sessions SET revoked_at = 1, revoked_reason = 'replay'`),
  ],
  [
    'a restored backup',
    async ({ service }) => {
      await service.advance(1);
      await endRestoredSessions(service.deps);
    },
  ],
];

describe('a change by an app', () => {
  it.each(ends)(
    'is rejected immediately, although its token can still read: %s [S-05]',
    async (_, end, message) => {
      const probe = await start();
      const token = await appToken(probe, { sessionId: probe.sessionId });
      expect(await (await probe.ask('POST', bearer(token))).json()).toEqual({ acts: 1 });
      await end(probe);
      expect((await probe.ask('GET', bearer(token))).status).toBe(200);
      expect(await outcome(await probe.ask('POST', bearer(token)))).toEqual([
        403,
        message ?? 'Grant has been revoked',
      ]);
    },
  );

  it('works while another app secret is valid, and for an app without secrets', async () => {
    const probe = await start();
    const token = await appToken(probe, { sessionId: probe.sessionId });
    await probe.owner.browser.fetch(`/v1/apps/${probe.app}/secret`, json('POST', { overlapSeconds: 0 }));
    expect((await probe.ask('POST', bearer(token))).status).toBe(200);
    const page = await start({ type: 'spa' });
    const own = await appToken(page, { sessionId: page.sessionId });
    expect((await page.ask('POST', bearer(own))).status).toBe(200);
  });

  it('is rejected on a page after the person signs out, whatever the grant allows', async () => {
    const probe = await start();
    await markFirstParty(probe.service, probe.app);
    const headers = { ...(await cookiesOf(probe)), Origin: origin, 'X-App-Id': probe.app };
    await probe.person.browser.fetch('/v1/auth/logout', { method: 'POST' });
    expect(await outcome(await probe.ask('POST', headers))).toEqual([401, 'Authentication is required']);
  });
});

describe('the events of an app', () => {
  it('can be read only by the app itself, not by another app or with a person’s token', async () => {
    const probe = await start();
    const { service, app } = probe;
    const read = (id: string, token: string) =>
      service.request(`/v1/apps/${id}/events`, { headers: bearer(token) });
    const itself = await appToken(probe, { handle: null, grantId: null, scopes: [] });
    const listed = (await (await read(app, itself)).json()) as { data: { type: string }[] };
    expect(listed.data.map(({ type }) => type)).toEqual(['grant.created']);
    expect(await outcome(await read('app_of_somebody_else', itself))).toEqual([404, 'App does not exist']);
    const person = await appToken(probe, { sessionId: probe.sessionId });
    expect(await outcome(await read(app, person))).toEqual([403, 'Origin is not allowed']);
    await service.rows(`UPDATE apps SET status = 'suspended'`);
    expect(await outcome(await read(app, itself))).toEqual([404, 'App does not exist']);
  });
});
