import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settledLog } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { credentials } from '../support/token.ts';

const runsInWorkerd = navigator.userAgent === 'Cloudflare-Workers';
const stores = runsInWorkerd ? ['kv', 'memory', 'durable-object'] : ['memory', 'database'];

let addresses = 0;
/** An address never used before, because some stores outlive one service. */
function freshAddress(): string {
  addresses += 1;
  return `203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

/** Counts responses by status. */
function tally(answers: Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const countOf = (answers: Response[], passes: (status: number) => boolean) =>
  answers.filter(({ status }) => passes(status)).length;

/** A token that is not ours is counted by address, and a request without a token is not counted. */
const notOurs = { Cookie: 'pid_refresh=none' };

describe.each(stores)('the store %s', (store) => {
  const target = useService({ RATE_LIMITS: 'on', RATE_LIMIT_STORE: store });
  const post = (path: string, address: string, headers: Record<string, string> = {}) =>
    target.request(path, { method: 'POST', address, headers });
  const refresh = (address: string) => post('/v1/auth/refresh', address, notOurs);

  const failures = async () =>
    (await settledLog(target)).filter((line) => line.includes('rate_limit.store_failed')).length;
  /**
   * Returns the result of a run of `act` in which the store responded. If the store takes longer than a request waits,
   * as on a busy machine, in-process buckets replace it for a second, which is logged, and `act` is retried in the next
   * minute.
   */
  async function withStore<T>(act: () => Promise<T>): Promise<T> {
    for (let tries = 0; tries < 20; tries += 1) {
      await target.advance(61);
      const before = await failures();
      const answer = await act();
      if ((await failures()) === before) return answer;
    }
    throw new Error('the store failed in each of 20 minutes');
  }

  it('lets 10 to 10 + floor(s / 6) of 50 requests within s seconds through at a limit of 10', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 49, maxLength: 49 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 0.1, 1), gaps, async (pace, waits) => {
        const { passed, seconds } = await withStore(async () => {
          const address = freshAddress();
          const startedAt = target.now();
          const answers = [await refresh(address)];
          for (const wait of waits) {
            if (pace > 0) await target.advance(Math.floor(wait * pace) / 1000);
            answers.push(await refresh(address));
          }
          return {
            passed: countOf(answers, (status) => status !== 429),
            seconds: (target.now() - startedAt) / 1000,
          };
        });
        expect(passed).toBeGreaterThanOrEqual(10);
        expect(passed).toBeLessThanOrEqual(10 + Math.floor(seconds / 6));
      }),
      { numRuns: 12 },
    );
  });

  it('is exact for 200 concurrent requests [D-64]', async () => {
    const { answers, refilled } = await withStore(async () => {
      const address = freshAddress();
      const startedAt = target.now();
      const login = () => post('/v1/auth/login', address);
      return {
        answers: await Promise.all(Array.from({ length: 200 }, login)),
        refilled: Math.floor((target.now() - startedAt) / 3_000),
      };
    });
    const passed = countOf(answers, (status) => status === 200);
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(20 + refilled);
    expect(tally(answers)).toEqual({ 200: passed, 429: 200 - passed });
  });

  it('counts each session separately, and all sessions at an address together [D-66]', async () => {
    await target.restart({ RATE_LIMITS: '{"*":1000000}' });
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => (await newMember(target)).browser),
    );
    await target.restart({ RATE_LIMITS: '{"POST /v1/auth/logout":2}', RATE_LIMIT_STORE: store });
    const cookies = await Promise.all(people.map((browser) => browser.cookies('/v1/auth/logout')));
    const [flooder, ...others] = cookies;
    const { flood, rest, refilled } = await withStore(async () => {
      const address = freshAddress();
      const startedAt = target.now();
      const out = (cookie = '') => post('/v1/auth/logout', address, { Cookie: cookie });
      const flood = await Promise.all(Array.from({ length: 50 }, () => out(flooder)));
      const refilled = Math.floor((target.now() - startedAt) / 30_000);
      return { flood, rest: await Promise.all(others.map(out)), refilled };
    });
    const passed = countOf(flood, (status) => status === 204);
    expect(passed).toBeGreaterThanOrEqual(2);
    expect(passed).toBeLessThanOrEqual(2 + refilled);
    expect(rest.map(({ status }) => status)).toEqual([204, 204, 204]);
    await target.restart({ RATE_LIMITS: 'on', RATE_LIMIT_STORE: store });
  });

  it('limits an app to the size set by an administrator, even from one address [D-92]', async () => {
    // Ten requests a minute with a secret, and ten for an address.
    await target.restart({ RATE_LIMITS: '{"POST /v1/auth/introspect":1}', RATE_LIMIT_STORE: store });
    const { browser } = await newMember(target);
    const [app, other] = [await newApp(browser), await newApp(browser)];
    const guess = { ...app, secret: app.secret && { ...app.secret, value: 'pids_guess' } };
    const ask = (of: typeof app, address = freshAddress()) =>
      target.request('/v1/auth/introspect', {
        method: 'POST',
        address,
        headers: { ...credentials(of), 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'token=none',
      });
    const policyOf = async (of: typeof app) => (await ask(of)).headers.get('RateLimit-Policy');
    const resize = async (size: number | null) => {
      await target.rows('UPDATE apps SET token_limit = ? WHERE id = ?', [size, app.id]);
      await target.advance(61);
      await expect.poll(() => policyOf(app)).toBe(`"default";q=${size ?? 10};w=60`);
      await target.advance(61);
    };
    expect(await policyOf(app)).toBe('"default";q=10;w=60');
    for (const size of [40, 3]) {
      await resize(size);
      const { answers, refilled } = await withStore(async () => {
        const [address, startedAt] = [freshAddress(), target.now()];
        return {
          answers: await Promise.all(Array.from({ length: 60 }, () => ask(app, address))),
          refilled: ((target.now() - startedAt) * size) / 60_000,
        };
      });
      const passed = countOf(answers, (status) => status === 200);
      expect(passed).toBeGreaterThanOrEqual(size);
      expect(passed).toBeLessThanOrEqual(size + refilled);
      for (const without of [other, guess]) expect(await policyOf(without)).toBe('"default";q=10;w=60');
    }
    await resize(null);
    await target.restart({ RATE_LIMITS: 'on', RATE_LIMIT_STORE: store });
  });

  it('refills over time, and reports when', async () => {
    const { address, refused } = await withStore(async () => {
      const address = freshAddress();
      let answer = await refresh(address);
      for (let request = 1; request < 30 && answer.status !== 429; request += 1)
        answer = await refresh(address);
      return { address, refused: answer };
    });
    const browser = openBrowser(target);
    expect(refused.status).toBe(429);
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(6);
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${retryAfter}`);
    await target.advance(retryAfter);
    expect((await refresh(address)).status).toBe(401);
    expect((await browser.fetch('/v1/auth/providers')).status).toBe(200);
  });
});
