import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { NewApp } from '../../../src/features/app/schema.ts';
import { secretHash } from '../../../src/lib/secret.ts';
import type { Fault, FaultyDatabase } from '../../support/break-database.ts';
import { headersWith, newProver, proofOf } from '../../support/dpop.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { redeem } from '../../support/popup-tokens.ts';
import {
  appSignIn,
  codeFields,
  exchange,
  newCode,
  newRelation,
  post,
  type Relation,
  refresh,
  tokensOf,
  userinfo,
} from '../../support/token.ts';

let target: InProcessTarget;
let database: FaultyDatabase;
let relation: Relation;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  }));
  relation = await newRelation(target);
  // The ID token key already exists.
  await appSignIn(relation);
});
afterAll(() => target.close());

const losing = (faults: readonly Fault[], act: () => Promise<Response>) => {
  database.plan(faults);
  return act();
};

/** Returns the number of statements in each round trip of a request. */
async function statementsOf(act: () => Promise<Response>): Promise<number[]> {
  const batch = vi.spyOn(target.deps.db, 'batch');
  try {
    await tokensOf(await act());
    return batch.mock.calls.map(([statements]) => statements.length);
  } finally {
    batch.mockRestore();
  }
}

const approved = async ({ app, person }: { app: NewApp; person: Relation['person'] }, id: string) => {
  const now = target.now();
  await target.rows(
    `INSERT INTO popup_requests (id, kind, app_id, origin, verifier_hash, result_hash, params, digest, handle, session_id, status,
        created_at, expires_at, decided_at)
      SELECT ?, 'login', ?, 'https://shop.example.com', ?, ?, '{"scopes":["openid"]}', '', handle, id, 'approved', ?, ?, ?
      FROM sessions WHERE handle = ?`,
    [id, app.id, secretHash('verifier'), secretHash('result.person'), now, now + 60_000, now, person.handle],
  );
};

describe('a statement whose response is lost', () => {
  // The second round trip finds the result of the first, and may also be lost.
  it.each<[string, Fault[]]>([
    ['once', ['lost after']],
    ['again on the next trip', ['lost after', 'lost after']],
    ['before it was applied', ['lost before']],
  ])('exchanges the code only once, and the tokens work: lost %s', async (_, faults) => {
    const code = await newCode(relation);
    const tokens = await tokensOf(await losing(faults, () => exchange(relation, code)));
    expect((await userinfo(target, tokens.access_token)).status).toBe(200);
    await tokensOf(await refresh(relation, tokens.refresh_token));
  });

  it.each<[string, Fault[]]>([
    ['once', ['lost after']],
    ['again on the next trip', ['lost after', 'lost after']],
    ['before it was applied', ['lost before']],
  ])('refreshes the token only once, and the successor works: lost %s', async (_, faults) => {
    const { refresh_token } = await appSignIn(relation);
    const tokens = await tokensOf(await losing(faults, () => refresh(relation, refresh_token)));
    await tokensOf(await refresh(relation, tokens.refresh_token));
  });

  it.each<[string, Fault[]]>([
    ['once', ['lost after']],
    ['again on the next trip', ['lost after', 'lost after']],
    ['before it was applied', ['lost before']],
  ])('does not mistake its own DPoP proof for a replay: lost %s [DP-04]', async (_, faults) => {
    const prover = await newProver();
    const code = await newCode(relation);
    const proof = await proofOf(target, prover);
    const exchangeProven = () =>
      post(relation, '/v1/auth/token', codeFields(code), headersWith(relation, proof));
    const tokens = await tokensOf(await losing(faults, exchangeProven));
    expect((await exchangeProven()).status).toBe(400);
    const path = '/v1/auth/userinfo';
    const call = await proofOf(target, prover, { method: 'GET', path, token: tokens.access_token });
    const headers = { Authorization: `DPoP ${tokens.access_token}`, DPoP: call };
    expect((await losing(faults, async () => target.request(path, { headers }))).status).toBe(200);
    expect((await target.request(path, { headers })).status).toBe(401);
  });

  it('yields one successor to 200 concurrent refreshes, even if every other statement is lost', async () => {
    const { refresh_token } = await appSignIn(relation);
    database.plan(
      Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 'lost after' : 'lost before')),
    );
    const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(relation, refresh_token)));
    const successors = new Set((await Promise.all(answers.map(tokensOf))).map((one) => one.refresh_token));
    expect(successors.size).toBe(1);
    for (const successor of successors) await tokensOf(await refresh(relation, successor));
  });

  it('redeems a popup only once, and the tokens work', async () => {
    const id = 'A'.repeat(22);
    await approved(relation, id);
    const exchangePopup = () => redeem(relation, { id, verifier: 'verifier' }, 'result.person');
    const tokens = await tokensOf(await losing(['lost after'], exchangePopup));
    expect((await userinfo(target, tokens.access_token)).status).toBe(200);
    expect((await exchangePopup()).status).toBe(400);
  });

  it('revokes the sign-in, and the response is a success', async () => {
    const { refresh_token } = await appSignIn(relation);
    const revoke = () => post(relation, '/v1/auth/revoke', { token: refresh_token });
    expect((await losing(['lost after'], revoke)).status).toBe(200);
    expect((await refresh(relation, refresh_token)).status).toBe(400);
  });
});

describe('a token request', () => {
  it('sends one statement for a code and one for a refresh', async () => {
    const code = await newCode(relation);
    expect(await statementsOf(() => exchange(relation, code))).toEqual([1]);
    const { refresh_token } = await appSignIn(relation);
    expect(await statementsOf(() => refresh(relation, refresh_token))).toEqual([1]);
  });

  it('does not rely on a cached app or sign-in: a refresh reads everything it needs', async () => {
    const { refresh_token } = await appSignIn(relation);
    await target.rows("UPDATE apps SET status = 'suspended' WHERE id = ?", [relation.app.id]);
    expect((await refresh(relation, refresh_token)).status).toBe(401);
    await target.rows("UPDATE apps SET status = 'active' WHERE id = ?", [relation.app.id]);
    await tokensOf(await refresh(relation, refresh_token));
  });
});
