import { beforeAll, describe, expect, it } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { routesOf } from '../support/routes.ts';
import { startService, useService } from '../support/service.ts';
import type { Target, TargetRequest } from '../support/target.ts';

/** Requests per minute, unless 60 for reads and 20 for writes. */
const special: Record<string, number> = {
  'POST /v1/auth/refresh': 10,
  'GET /v1/auth/idp': 100,
  'GET /v1/auth/idp/callback': 100,
  'POST /v1/auth/claim': 10,
  'POST /v1/popup/requests': 30,
  'POST /v1/popup/requests/:id/poll': 120,
  'POST /v1/popup/requests/:id/cancel': 30,
  'POST /v1/auth/email/register': 10,
  'POST /v1/auth/email/verify': 10,
  'POST /v1/auth/email/resend': 10,
  'POST /v1/auth/email/login': 10,
  'POST /v1/auth/email/forgot': 10,
  'POST /v1/auth/email/reset': 10,
  'POST /v1/credentials/email': 10,
  'POST /v1/credentials/email/verify': 10,
  'PUT /v1/credentials/email/password': 10,
  'POST /v1/auth/passkey/options': 10,
  'POST /v1/auth/passkey/verify': 10,
  'POST /v1/auth/passkey/register/options': 10,
  'POST /v1/auth/passkey/register/verify': 10,
  'POST /v1/credentials/passkey/options': 10,
  'POST /v1/credentials/passkey/verify': 10,
  'GET /v1/me/export': 5,
  'POST /v1/apps': 10,
  'POST /v1/apps/:id/resources': 10,
  'GET /v1/apps': 30,
  'GET /v1/apps/:id/fees': 30,
  'POST /v1/wallet': 10,
  'GET /v1/wallet/statement': 5,
  'POST /v1/fiat/transfers/inquiry': 10,
  'POST /v1/fiat/transfers/confirm': 10,
  'POST /v1/fiat/transfers/:id/refund': 10,
  'POST /v1/fiat/withdrawals/inquiry': 5,
  'POST /v1/fiat/withdrawals/confirm': 5,
  'POST /v1/fiat/withdrawals/:id/sync': 5,
  'POST /v1/fiat/withdrawals/:id/cancel': 5,
  'POST /v1/fiat/deposits/checkout': 10,
  'POST /v1/fiat/deposits/:id/sync': 12,
  'POST /v1/gateways/:provider/webhook': 600,
  'POST /v1/gateways/:provider/payout-webhook': 600,
  'POST /v1/apps/:id/secret': 5,
  'POST /v1/apps/:id/webhook': 5,
  'POST /v1/apps/:id/webhook/test': 5,
  'POST /v1/auth/introspect': 60,
  'POST /v1/auth/userinfo': 60,
};

/** Hosted pages and their forms, which only browsers reach. Each shares the bucket of the route it calls. */
const pageForms = [
  'POST /v1/auth/claim/leave',
  'GET /v1/auth/claim/link',
  'POST /v1/auth/refresh/continue',
  'POST /v1/auth/logout/leave',
];

/** Every API route, as registered in the app. */
const limits = routesOf()
  .map(({ method, pattern }): [string, number] => {
    const name = `${method} ${pattern}`;
    // Every provider has the limit of `idp`.
    const limit = special[name.replace(/auth\/(google|github)\b/, 'auth/idp')];
    return [name, limit ?? (method === 'GET' ? 60 : 20)];
  })
  .filter(([name]) => name.includes(' /v1/') && !pageForms.includes(name));

const runsInWorkerd = navigator.userAgent === 'Cloudflare-Workers';

let addresses = 0;
/** An address never used before, because KV stores buckets for longer than the lifetime of one service. */
function freshAddress(): string {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

interface Flood {
  readonly passed: Response[];
  readonly refused: Response[];
  /** The number of further requests that may pass because the bucket refills in the meantime. */
  readonly refilled: (limit: number) => number;
}

/** Sends requests in parallel, and sorts the responses. */
async function flood(
  target: Target,
  count: number,
  request: (index: number) => Promise<Response>,
): Promise<Flood> {
  const startedAt = target.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => request(index)));
  const seconds = (target.now() - startedAt) / 1000;
  return {
    passed: answers.filter(({ status }) => status !== 429),
    refused: answers.filter(({ status }) => status === 429),
    refilled: (limit) => Math.floor((seconds * limit) / 60),
  };
}

/** Exactly the limit passes, plus one request for each token refilled in the meantime. */
function expectAdmitted({ passed, refilled }: Flood, limit: number): void {
  expect(passed.length).toBeGreaterThanOrEqual(limit);
  expect(passed.length).toBeLessThanOrEqual(limit + refilled(limit));
}

/** One item of an RFC 9651 list: a string with integer parameters. */
function parseItem(header: string | null): { name: string; parameters: Record<string, number> } {
  const [, name = '', rest = ''] = /^"([a-z]+)"((?:;[a-z]+=\d+)*)$/.exec(header ?? '') ?? [];
  const pairs = rest
    .split(';')
    .slice(1)
    .map((pair) => pair.split('='));
  return { name, parameters: Object.fromEntries(pairs.map(([key, value]) => [key, Number(value)])) };
}

const login = (target: Target, init: TargetRequest) =>
  target.request('/v1/auth/login', { method: 'POST', ...init });

describe('the limits', () => {
  let member: Browser;
  const target = useService();
  beforeAll(async () => {
    ({ browser: member } = await newMember(target));
    await target.restart({ RATE_LIMITS: 'on' });
  });

  it.each(limits)(
    'let %s through %i times, then return 429 with Retry-After [D-63]',
    async (route, limit) => {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replace(/:\w+/, 'somebody');
      const address = freshAddress();
      const isMembers = /^\/v1\/(?!auth)|session|claim\/link|authorize/.test(path);
      // Signed-out visitors are not counted at a refresh, but an invalid token is.
      const cookie = isMembers ? await member.cookies(path) : 'pid_refresh=invalid';
      const headers = { Cookie: cookie, Origin: target.origin };
      // All providers share the bucket of `idp`, and all email forms one bucket; a spawned process sees only one
      // address.
      if (/auth\/(google|github)|^GET \S+\/email\//.test(route)) await target.advance(60);
      const flooded = await flood(target, limit + 5, () =>
        target.request(path, { method, address, headers }),
      );
      expectAdmitted(flooded, limit);
      for (const answer of flooded.passed) {
        const policy = parseItem(answer.headers.get('RateLimit-Policy'));
        expect(policy).toEqual({ name: 'default', parameters: { q: limit, w: 60 } });
        const { name, parameters } = parseItem(answer.headers.get('RateLimit'));
        expect(name).toBe('default');
        expect(parameters['r']).toBeLessThan(limit);
        expect(parameters['t']).toBeLessThanOrEqual(60);
      }
      for (const answer of flooded.refused) {
        expect(await answer.json()).toMatchObject({
          statusCode: 429,
          message: 'Too many requests',
          code: 'rate_limited',
        });
        expect(answer.headers.get('X-Error-Code')).toBe('rate_limited');
        expect(answer.headers.getSetCookie()).toEqual([]);
        const retryAfter = answer.headers.get('Retry-After') ?? '';
        expect(retryAfter).toMatch(/^\d+$/);
        expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
        expect(Number(retryAfter)).toBeLessThanOrEqual(60);
        const { parameters } = parseItem(answer.headers.get('RateLimit'));
        expect(parameters['r']).toBe(0);
        expect(Number(retryAfter)).toBeGreaterThanOrEqual(parameters['t'] ?? 61);
      }
    },
  );

  it('count each popup separately, so openers behind one address do not affect each other', async () => {
    const address = freshAddress();
    for (const { id } of [makeChannel(), makeChannel()]) {
      const path = `/v1/popup/requests/${id}/cancel`;
      expectAdmitted(await flood(target, 35, () => target.request(path, { method: 'POST', address })), 30);
    }
  });

  it('give unknown paths one bucket for reads and one for writes [D-65]', async () => {
    const address = freshAddress();
    const ask = (method: string) => (index: number) =>
      target.request(`/v1/nothing/${index}`, { method, address });
    const reads = await flood(target, 70, (index) => ask(index % 2 ? 'GET' : 'HEAD')(index));
    expectAdmitted(reads, 60);
    expect(new Set(reads.passed.map(({ status }) => status))).toEqual(new Set([404]));
    const writes = await flood(target, 30, (index) =>
      ask(['POST', 'PUT', 'PATCH', 'DELETE'][index % 4] ?? '')(index),
    );
    expectAdmitted(writes, 20);
    expect(parseItem(writes.refused[0]?.headers.get('RateLimit-Policy') ?? null).parameters).toEqual({
      q: 20,
      w: 60,
    });
    // A method that a known path does not support is treated alike.
    expect((await target.request('/v1/auth/login', { method: 'PUT', address })).status).toBe(429);
    expect((await target.request('/elsewhere', { address })).status).toBe(404);
  });

  it('exclude health checks and requests for the public keys', async () => {
    for (const path of ['/healthz', '/readyz', '/.well-known/jwks.json']) {
      const { refused } = await flood(target, 150, () => target.request(path));
      expect(refused).toEqual([]);
    }
  });
});

describe('a bucket', () => {
  const target = useService({ RATE_LIMITS: 'on' });

  it('admits exactly its limit out of 200 concurrent requests [D-64]', async () => {
    const address = freshAddress();
    const flooded = await flood(target, 200, () => login(target, { address }));
    expectAdmitted(flooded, 20);
  });

  it('refills one request every 60 s divided by the limit, and all of them after a minute [D-63]', async () => {
    const address = freshAddress();
    await target.advance(60);
    expectAdmitted(await flood(target, 30, () => login(target, { address })), 20);
    const refused = await login(target, { address });
    await target.advance(Number(refused.headers.get('Retry-After')));
    const { passed, refilled } = await flood(target, 5, () => login(target, { address }));
    expect(passed.length).toBeGreaterThanOrEqual(1);
    expect(passed.length).toBeLessThanOrEqual(2 + refilled(20));
    await target.advance(60);
    expectAdmitted(await flood(target, 30, () => login(target, { address })), 20);
  });

  it('belongs to one route, and exhausting it does not affect another [D-63]', async () => {
    const address = freshAddress();
    await target.advance(60);
    const { refused } = await flood(target, 30, () => login(target, { address }));
    expect(refused.length).toBeGreaterThan(0);
    expect((await target.request('/v1/auth/providers', { address })).status).toBe(200);
    expect((await target.request('/v1/auth/logout', { method: 'POST', address })).status).toBe(204);
  });

  it('counts requests with two cookies of the same name by address', async () => {
    const address = freshAddress();
    await target.advance(60);
    const headers = { Cookie: 'pid_refresh=a; pid_refresh=b' };
    const refresh = () => target.request('/v1/auth/refresh', { method: 'POST', headers, address });
    const flooded = await flood(target, 15, refresh);
    expectAdmitted(flooded, 10);
    expect(new Set(flooded.passed.map(({ status }) => status))).toEqual(new Set([401]));
    expect(flooded.refused.length).toBeGreaterThan(0);
  });

  it('cannot be bypassed with headers, encoded paths, queries or cookies [D-65]', async () => {
    const address = freshAddress();
    await target.advance(60);
    const tricks: ((index: number) => Promise<Response>)[] = [
      'X-Forwarded-For',
      'X-Real-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'Fastly-Client-IP',
    ].map((name) => (index) => login(target, { address, headers: { [name]: `203.0.113.${index}` } }));
    tricks.push(
      (index) => login(target, { address, headers: { Forwarded: `for=203.0.113.${index}` } }),
      (index) => login(target, { address, headers: { 'User-Agent': `agent ${index}` } }),
      (index) => login(target, { address, headers: { Cookie: `pid_refresh=${index}; pid_claim=${index}` } }),
      (index) => login(target, { address, headers: { Origin: `http://localhost:${index + 1}` } }),
      (index) => target.request(`/v1/auth/login?n=${index}`, { method: 'POST', address }),
      () => target.request('/v1/auth/%6cogin', { method: 'POST', address }),
      () => target.request('/%761/%61uth/login', { method: 'POST', address }),
      () => target.request('/v1/./auth/x/../login', { method: 'POST', address }),
    );
    const { refused } = await flood(target, 30, () => login(target, { address }));
    expect(refused.length).toBeGreaterThan(0);
    for (const trick of tricks) {
      const { passed, refilled } = await flood(target, 10, trick);
      expect(passed.length, `${trick}`).toBeLessThanOrEqual(1 + refilled(20));
    }
  });

  it('is shared by an IPv6 /64 network, regardless of how its addresses are written [D-65]', async ({
    skip,
  }) => {
    skip(target.trips() === null, 'a real socket decides who connects');
    await target.advance(60);
    const flooded = await flood(target, 60, (index) =>
      login(target, { address: `2001:db8:0:1:${index.toString(16)}::${(index * 7).toString(16)}` }),
    );
    expectAdmitted(flooded, 20);
    expect((await login(target, { address: '2001:db8:0:2::1' })).status).toBe(200);
  });
});

describe('people behind one address', () => {
  let members: Browser[] = [];
  const target = useService();
  beforeAll(async () => {
    members = await Promise.all(Array.from({ length: 50 }, async () => (await newMember(target)).browser));
    await target.restart({ RATE_LIMITS: 'on' });
  });

  it('can still refresh and log out while one of them floods the service [D-66]', async () => {
    const [flooder, ...others] = members;
    const address = freshAddress();
    const send = (browser: Browser | undefined, path: string) =>
      (browser ?? openBrowser(target)).fetch(path, { method: 'POST', address });
    const first = await flood(target, 300, () => send(flooder, '/v1/auth/refresh'));
    expect(first.refused.length).toBeGreaterThan(250);
    // Strangers with invalid tokens also flood, but have a separate bucket.
    const headers = { Cookie: 'pid_refresh=invalid' };
    const stranger = () => target.request('/v1/auth/refresh', { method: 'POST', address, headers });
    expect((await flood(target, 100, stranger)).refused.length).toBeGreaterThan(80);
    const refreshed = await Promise.all(others.map((browser) => send(browser, '/v1/auth/refresh')));
    expect(refreshed.map(({ status }) => status)).toEqual(others.map(() => 204));
    await flood(target, 300, () => send(flooder, '/v1/auth/logout'));
    const loggedOut = await Promise.all(others.map((browser) => send(browser, '/v1/auth/logout')));
    expect(loggedOut.map(({ status }) => status)).toEqual(others.map(() => 204));
  });

  it('learn that they are signed out without using up a limit', async () => {
    const address = freshAddress();
    const read = await flood(target, 100, () => target.request('/v1/auth/session', { address }));
    expect(read.refused).toEqual([]);
    const refresh = () => target.request('/v1/auth/refresh', { method: 'POST', address });
    const refreshed = await flood(target, 100, refresh);
    expect(refreshed.refused).toEqual([]);
    for (const answer of [...read.passed, ...refreshed.passed]) {
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([401, 'no_session']);
    }
    for (const answer of refreshed.passed) {
      expect(answer.headers.get('RateLimit')).toBeNull();
      expect(await answer.json()).toMatchObject({
        message: 'The refresh token is invalid, expired or already used',
      });
    }
  });

  it('share a ceiling of ten times the limit [D-66]', async () => {
    await target.restart({ RATE_LIMITS: '{"POST /v1/auth/logout":2,"*":1000000}' });
    const address = freshAddress();
    const people = await Promise.all(
      Array.from({ length: 30 }, async () => (await newMember(target)).browser),
    );
    const headers = await Promise.all(people.map((browser) => browser.cookies('/v1/auth/logout')));
    const flooded = await flood(target, 60, (index) =>
      target.request('/v1/auth/logout', {
        method: 'POST',
        address,
        headers: { Cookie: headers[index % 30] ?? '' },
      }),
    );
    expectAdmitted(flooded, 20);
    for (const answer of flooded.refused) {
      const { parameters } = parseItem(answer.headers.get('RateLimit'));
      expect(parameters['r']).toBe(0);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(parameters['t'] ?? 61);
    }
  });
});

describe('RATE_LIMITS', () => {
  const target = useService({ RATE_LIMITS: '{"POST /v1/auth/login":3,"*":7}' });

  it('changes one route by its name and all others with an asterisk', async () => {
    const address = freshAddress();
    expectAdmitted(await flood(target, 10, () => login(target, { address })), 3);
    expectAdmitted(await flood(target, 12, () => target.request('/v1/auth/providers', { address })), 7);
  });

  it('keeps other routes’ limits without an asterisk, and disables all limits when off', async () => {
    await target.restart({ RATE_LIMITS: '{"POST /v1/auth/login":3}' });
    const address = freshAddress();
    expectAdmitted(await flood(target, 70, () => target.request('/v1/auth/providers', { address })), 60);
    await target.restart({ RATE_LIMITS: 'off' });
    const off = await flood(target, 200, () => login(target, { address }));
    expect(off.passed.length).toBe(200);
    expect(off.passed[0]?.headers.get('RateLimit')).toBeNull();
  });
});

describe.runIf(runsInWorkerd)('buckets shared through Workers KV', () => {
  it('cost no KV read while more than half full, and at most one a second below that', async () => {
    const target = await startService({ RATE_LIMITS: 'on' });
    const address = freshAddress();
    const reads = async (count: number) => {
      const [before, startedAt] = [target.trips()?.kv ?? 0, target.now()];
      await flood(target, count, () => login(target, { address }));
      return {
        read: (target.trips()?.kv ?? 0) - before,
        most: 1 + Math.floor((target.now() - startedAt) / 1000),
      };
    };
    expect(await reads(10)).toMatchObject({ read: 0 });
    for (let round = 0; round < 2; round += 1) {
      const { read, most } = await reads(50);
      expect(read).toBeGreaterThanOrEqual(1);
      expect(read).toBeLessThanOrEqual(most);
      await target.advance(1);
    }
  });

  it('share a client’s usage with another isolate', async () => {
    const address = freshAddress();
    const one = await startService({ RATE_LIMITS: 'on' });
    await flood(one, 30, () => login(one, { address }));
    await one.advance(1);
    await login(one, { address });
    await one.close();
    const other = await startService({ RATE_LIMITS: 'on' });
    expect((await flood(other, 11, () => login(other, { address }))).refused).toEqual([]);
    // Nine are left here, but the other isolate has used them.
    let passed = 0;
    await expect
      .poll(async () => {
        const { status } = await login(other, { address });
        if (status !== 429) passed += 1;
        return status;
      })
      .toBe(429);
    expect(passed).toBeLessThan(9);
  });
});
