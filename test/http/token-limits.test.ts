import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';
import { appSignIn, exchange, newCode, newRelation, post, refresh, tokensOf } from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'on' });

const statuses = (answers: readonly Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('the limit of token requests', () => {
  it('counts by family: one that is used up disturbs no other at the same address', async () => {
    const relation = await newRelation(target);
    const { refresh_token } = await appSignIn(relation);
    const flood = await Promise.all(Array.from({ length: 30 }, () => refresh(relation, refresh_token)));
    expect(statuses(flood, 200)).toBe(1);
    expect(statuses(flood, 429)).toBeGreaterThan(0);
    const [limited] = flood.filter(({ status }) => status === 429);
    expect(limited?.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await limited?.json()).toMatchObject({ statusCode: 429, error: 'temporarily_unavailable' });
    const other = await appSignIn(relation);
    await tokensOf(await refresh(relation, other.refresh_token));
  });

  it('counts what the client was never given by address, and real codes go on', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const guess = (index: number) => exchange(relation, { ...code, code: `guess-${index}` });
    const flood = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(index)));
    expect(statuses(flood, 400)).toBeLessThan(25);
    expect(statuses(flood, 429)).toBeGreaterThan(10);
    await tokensOf(await exchange(relation, code));
  });

  it('says what is left of it, for a family and for the app itself', async () => {
    const relation = await newRelation(target);
    const { access_token } = await appSignIn(relation);
    const answer = await post(relation, '/v1/auth/introspect', { token: access_token });
    expect(answer.headers.get('RateLimit-Policy')).toBe('"default";q=60;w=60');
    const raised = await post(relation, '/v1/auth/token', { grant_type: 'client_credentials' });
    expect(raised.headers.get('RateLimit-Policy')).toBe('"default";q=20;w=60');
  });
});

describe('the ceiling of an app', () => {
  const small = useService({ RATE_LIMITS: '{"POST /v1/auth/introspect": 1}' });

  it('holds over its families, and another app has its own', async () => {
    const relation = await newRelation(small);
    const other = await newRelation(small);
    // One request a minute for a family means ten for the app.
    const tokens: string[] = [];
    for (let count = 0; count < 12; count += 1) tokens.push((await appSignIn(relation)).access_token);
    const answers = [];
    for (const token of tokens) answers.push(await post(relation, '/v1/auth/introspect', { token }));
    expect(statuses(answers, 200)).toBe(10);
    expect(answers.at(-1)?.headers.get('RateLimit-Policy')).toBe('"app";q=10;w=60');
    const { access_token } = await appSignIn(other);
    expect((await post(other, '/v1/auth/introspect', { token: access_token })).status).toBe(200);
  });
});
