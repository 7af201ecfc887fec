import { beforeAll, describe, expect, it } from 'vitest';
import { secretHash } from '../../src/lib/secret.ts';
import { useService } from '../support/service.ts';
import { testSecretKey } from '../support/target.ts';
import { appSignIn, newRelation, type Relation, refresh, tokensOf, userinfo } from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

/** From then on, the service keeps it for the other tests. */
const newKey = {
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  SECRET_KEY_PREVIOUS: testSecretKey,
};

let relation: Relation;
beforeAll(async () => {
  relation = await newRelation(target);
});

type SignIn = Awaited<ReturnType<typeof appSignIn>>;

const next = async (token: string) => (await tokensOf(await refresh(relation, token))).refresh_token;

/** The live token's digest, and the reason why the family has ended. */
async function familyOf({ sid }: SignIn) {
  const [row] = await target.rows<{ token_hash: string; revoked_reason: string | null }>(
    'SELECT token_hash, revoked_reason FROM app_sessions WHERE id = ?',
    [sid],
  );
  return row;
}

const liveWith = (token: string) => ({ token_hash: secretHash(token), revoked_reason: null });

async function expectReplay(signIn: SignIn, token: string, live: string): Promise<void> {
  expect((await refresh(relation, token)).status).toBe(400);
  expect(await familyOf(signIn)).toEqual({ token_hash: secretHash(live), revoked_reason: 'replay' });
  expect((await refresh(relation, live)).status).toBe(400);
}

describe('an app’s refresh token', () => {
  it('yields the same successor each time within the grace period, and only the successor is live [BC-05]', async () => {
    const signIn = await appSignIn(relation);
    const successor = await next(signIn.refresh_token);
    await target.advance(10);
    for (let time = 0; time < 3; time += 1) {
      const repeated = await tokensOf(await refresh(relation, signIn.refresh_token));
      expect(repeated.refresh_token).toBe(successor);
      expect((await userinfo(target, repeated.access_token)).status).toBe(200);
      expect(await familyOf(signIn)).toEqual(liveWith(successor));
    }
    expect(await next(successor)).not.toBe(successor);
  });

  it('revokes its family if repeated after the grace period, which repetition does not extend', async () => {
    const signIn = await appSignIn(relation);
    const successor = await next(signIn.refresh_token);
    await target.advance(20);
    expect(await next(signIn.refresh_token)).toBe(successor);
    await target.advance(11);
    await expectReplay(signIn, signIn.refresh_token, successor);
  });

  it('revokes its family if repeated after its successor was used, even within the grace period', async () => {
    const signIn = await appSignIn(relation);
    const last = await next(await next(signIn.refresh_token));
    await expectReplay(signIn, signIn.refresh_token, last);
  });

  it('has the same successor for 200 concurrent requests, round after round, and no request fails', async () => {
    const signIn = await appSignIn(relation);
    let token = signIn.refresh_token;
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(relation, token)));
      const successors = new Set((await Promise.all(answers.map(tokensOf))).map((one) => one.refresh_token));
      expect(successors.size).toBe(1);
      [token = ''] = successors;
      expect(await familyOf(signIn)).toEqual(liveWith(token));
    }
    await target.advance(31);
    await expectReplay(signIn, signIn.refresh_token, token);
  });

  it('is rejected within the grace period once the family has been revoked', async () => {
    const signIn = await appSignIn(relation);
    await next(signIn.refresh_token);
    const { browser } = relation.person;
    expect((await browser.fetch(`/v1/grants/${signIn.grantId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await refresh(relation, signIn.refresh_token)).status).toBe(400);
  });

  it('yields no more scopes when repeated than the sign-in has', async () => {
    const signIn = await appSignIn(relation, { scope: 'openid offline_access' });
    const successor = await next(signIn.refresh_token);
    expect((await refresh(relation, signIn.refresh_token, { scope: 'openid wallet:read' })).status).toBe(400);
    const less = await tokensOf(await refresh(relation, signIn.refresh_token, { scope: 'openid' }));
    expect([less.scope, less.refresh_token]).toEqual(['openid', successor]);
  });

  it('is stored with only the digest of its successor', async () => {
    const { sid, refresh_token } = await appSignIn(relation);
    const successor = await next(refresh_token);
    const [secret = ''] = successor.split('.');
    const stored = JSON.stringify(await target.rows('SELECT * FROM app_sessions WHERE id = ?', [sid]));
    expect(stored).toContain(secretHash(successor));
    expect(stored).not.toContain(secret);
  });
});

describe('after SECRET_KEY was replaced', () => {
  it('a repeated refresh token yields the successor made under the previous key', async () => {
    const signIn = await appSignIn(relation);
    const successor = await next(signIn.refresh_token);
    await target.restart(newKey);
    expect(await next(signIn.refresh_token)).toBe(successor);
    const last = await next(successor);
    expect(await next(successor)).toBe(last);
    expect(await familyOf(signIn)).toEqual(liveWith(last));
  });
});

describe('without a grace period', () => {
  beforeAll(async () => {
    await target.restart({ ...newKey, REFRESH_GRACE_SECONDS: '0' });
    relation = await newRelation(target);
  });

  it('a repeated refresh token revokes its family', async () => {
    const signIn = await appSignIn(relation);
    const successor = await next(signIn.refresh_token);
    await expectReplay(signIn, signIn.refresh_token, successor);
  });

  it('one of ten concurrent requests with a refresh token succeeds', async () => {
    const { refresh_token } = await appSignIn(relation);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(relation, refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });
});
