import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const runsInWorkerd = navigator.userAgent === 'Cloudflare-Workers';
const stores = runsInWorkerd ? ['kv', 'memory', 'durable-object'] : ['memory', 'database'];

let addresses = 0;
/** An address nobody used before: some stores outlive one service. */
function freshAddress(): string {
  addresses += 1;
  return `203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

/** Counts of answers by status. */
function tally(answers: Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const countOf = (answers: Response[], passes: (status: number) => boolean) =>
  answers.filter(({ status }) => passes(status)).length;

/** A token that is not ours counts by address, and none at all is not counted. */
const notOurs = { Cookie: 'pid_refresh=none' };

describe.each(stores)('the store %s', (store) => {
  const target = useService({ RATE_LIMITS: 'on', RATE_LIMIT_STORE: store });
  const post = (path: string, address: string, headers: Record<string, string> = {}) =>
    target.request(path, { method: 'POST', address, headers });
  const refresh = (address: string) => post('/v1/auth/refresh', address, notOurs);

  beforeAll(async () => {
    // An object that has not run for a while takes longer to answer than a request waits for it, and the limiter
    // then counts in the process: what is exact is a store that runs.
    for (let round = 0; round < 64; round += 1) {
      await refresh(freshAddress());
    }
  });

  it('lets 10 to 10 + floor(s / 6) of 50 requests within s seconds through at a limit of 10', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 49, maxLength: 49 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 0.1, 1), gaps, async (pace, waits) => {
        await target.advance(61);
        const address = freshAddress();
        const startedAt = target.now();
        const answers = [await refresh(address)];
        for (const wait of waits) {
          if (pace > 0) await target.advance(Math.floor(wait * pace) / 1000);
          answers.push(await refresh(address));
        }
        const seconds = (target.now() - startedAt) / 1000;
        const passed = countOf(answers, (status) => status !== 429);
        expect(passed).toBeGreaterThanOrEqual(10);
        expect(passed).toBeLessThanOrEqual(10 + Math.floor(seconds / 6));
      }),
      { numRuns: 12 },
    );
  });

  it('is exact with 200 requests at once [D-64]', async () => {
    await target.advance(61);
    const address = freshAddress();
    const startedAt = target.now();
    const answers = await Promise.all(Array.from({ length: 200 }, () => post('/v1/auth/login', address)));
    const refilled = Math.floor((target.now() - startedAt) / 3_000);
    const passed = countOf(answers, (status) => status === 200);
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(20 + refilled);
    expect(tally(answers)).toEqual({ 200: passed, 429: 200 - passed });
  });

  it('counts a session for itself, and all sessions of an address together [D-66]', async () => {
    await target.restart({ RATE_LIMITS: '{"*":1000000}' });
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => (await newMember(target)).browser),
    );
    await target.restart({ RATE_LIMITS: '{"POST /v1/auth/logout":2}', RATE_LIMIT_STORE: store });
    const cookies = await Promise.all(people.map((browser) => browser.cookies('/v1/auth/logout')));
    const address = freshAddress();
    const out = (cookie: string | undefined) => post('/v1/auth/logout', address, { Cookie: cookie ?? '' });
    const [flooder, ...others] = cookies;
    expect(countOf(await Promise.all(Array.from({ length: 50 }, () => out(flooder))), (s) => s === 204)).toBe(
      2,
    );
    for (const cookie of others) expect((await out(cookie)).status).toBe(204);
    await target.restart({ RATE_LIMITS: 'on', RATE_LIMIT_STORE: store });
  });

  it('gives a token back by time, and says when', async () => {
    await target.advance(61);
    const address = freshAddress();
    const browser = openBrowser(target);
    for (let request = 0; request < 10; request += 1) await refresh(address);
    const refused = await refresh(address);
    expect(refused.status).toBe(429);
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThanOrEqual(5);
    expect(retryAfter).toBeLessThanOrEqual(6);
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${retryAfter}`);
    await target.advance(retryAfter);
    expect((await refresh(address)).status).toBe(401);
    expect((await browser.fetch('/v1/auth/providers')).status).toBe(200);
  });
});
