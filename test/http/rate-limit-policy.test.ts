import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { AppError } from '../../src/errors.ts';
import { emailEndpoints } from '../../src/features/email/endpoints.ts';
import type { AppEnv } from '../../src/http/context.ts';
import { failClosed, limiter } from '../../src/http/rate-limit.ts';
import { type Bucket, type Take, takeFrom, tokensAt } from '../../src/lib/token-bucket.ts';
import { testDefaults } from '../support/target.ts';

type Policy = Parameters<typeof limiter>[2];
type Own = Parameters<ReturnType<typeof limiter>>[1];

/** One route with a limit; the request's body identifies the caller. `answer` may falsify the store's response. */
function route(name: string, policy: Policy, answer: (take: Take) => Take | Promise<Take> = (take) => take) {
  const kept = new Map<string, Bucket>();
  const deps = {
    config: parseConfig(testDefaults),
    now: () => 1_800_000_000_000,
    buckets: {
      take(key: string, limit: number, now: number) {
        const take = takeFrom(tokensAt(kept.get(key), limit, now), limit);
        kept.set(key, { tokens: take.left, at: now });
        return answer(take);
      },
    },
  } as unknown as Deps;
  const limit = limiter(deps, name, policy);
  const app = new Hono<AppEnv>();
  app.onError((error, c) => c.body(null, error instanceof AppError ? error.status : 500));
  app.post('/', async (c) => {
    await limit(c, (await c.req.json()).own);
    return c.body(null, 204);
  });
  const ask = async (own: Own, address = '192.0.2.1'): Promise<Response> =>
    app.request('/', { method: 'POST', body: JSON.stringify({ own }) }, { address, country: null });
  const passed = async (count: number, request: (index: number) => Promise<Response>): Promise<number> => {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => request(index)));
    return answers.filter(({ status }) => status === 204).length;
  };
  return { ask, passed };
}

describe('the policy for password routes', () => {
  it('counts by account across addresses, and by address across accounts', async () => {
    const { ask, passed } = route('login', emailEndpoints.signInWithPassword.limit);
    expect(await passed(30, (index) => ask('account a', `192.0.2.${index}`))).toBe(10);
    expect(await passed(30, (index) => ask(`account ${index}`, '198.51.100.1'))).toBe(10);
  });

  it('does not count guesses from a limited address against the account', async () => {
    const { ask, passed } = route('login', emailEndpoints.signInWithPassword.limit);
    const attacker = '198.51.100.1';
    await passed(30, (index) => ask(`account ${index}`, attacker));
    expect(await passed(30, () => ask('account victim', attacker))).toBe(0);
    expect(await passed(30, (index) => ask('account victim', `192.0.2.${index}`))).toBe(10);
  });
});

describe('a limit by verified session', () => {
  it('does not affect others at a flooding address [D-66]', async () => {
    const { ask, passed } = route('refresh', { requests: 2, ceiling: 4 });
    expect(await passed(30, () => ask('session flooder'))).toBe(2);
    expect(await passed(30, () => ask('session other'))).toBe(2);
  });
});

describe('a limit without its store', () => {
  it('still applies, unless its policy rejects requests without the store [R-14]', async () => {
    const blind = async (take: Take): Promise<Take> => ({ ...take, blind: true });
    const open = route('open', 5, blind);
    expect(await open.passed(10, () => open.ask(null))).toBe(5);
    const closed = route('closed', failClosed(10), blind);
    expect((await closed.ask('identity a')).status).toBe(503);
  });
});
