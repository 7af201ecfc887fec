import { expect, inject, it, onTestFinished } from 'vitest';
import { secretHash } from '../src/lib/secret.ts';
import { type BunProcess, startBun } from './support/bun-process.ts';
import { makeServiceFiles, openFileService } from './support/file-service.ts';
import { sendTo } from './support/send-to.ts';
import { appSignIn, newRelation, refresh, tokensOf } from './support/token.ts';

const families = 40;

/** An app with sign-ins of one person, in a database that other processes open too. */
async function manySignIns() {
  const files = await makeServiceFiles();
  onTestFinished(files.remove);
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  });
  onTestFinished(service.close);
  const relation = await newRelation(service);
  const tokens: { sid: string; token: string }[] = [];
  while (tokens.length < families) {
    const { sid, refresh_token: token } = await appSignIn(relation);
    tokens.push({ sid, token });
  }
  return { database: files.database, service, relation, tokens };
}

/** The same person and app, whose requests go to the given process. */
const over = <Relation extends { target: object }>(relation: Relation, { port }: BunProcess): Relation => ({
  ...relation,
  target: {
    ...relation.target,
    request: (path: string, init: Parameters<typeof sendTo>[2] = {}) =>
      sendTo(port, path, { ...init, headers: { Host: 'localhost:8787', ...init.headers } }),
  },
});

it('a process killed between a refresh and its response does not sign anyone out', {
  timeout: 240_000,
}, async () => {
  const { database, service, relation, tokens } = await manySignIns();
  const start = async () => {
    const started = await startBun({ DATABASE_URL: `file:${database}`, RATE_LIMITS: 'off' });
    onTestFinished(started.close);
    return started;
  };
  const live = async () => {
    const rows = await service.rows<{ id: string; token_hash: string; revoked_at: number | null }>(
      'SELECT id, token_hash, revoked_at FROM app_sessions',
    );
    return new Map(rows.map(({ id, token_hash, revoked_at }) => [id, revoked_at === null && token_hash]));
  };
  let process = await start();
  let lost = 0;
  for (let kills = 0; kills < 30 && (kills < 3 || lost === 0); kills += 1) {
    const attempts = tokens.map(async (one) => {
      try {
        return (await tokensOf(await refresh(over(relation, process), one.token))).refresh_token;
      } catch {
        return null;
      }
    });
    await Promise.race(attempts);
    await process.end('SIGKILL');
    const answers = await Promise.all(attempts);
    const held = await live();
    process = await start();
    for (const [index, one] of tokens.entries()) {
      const answer = answers[index] ?? null;
      const isRotated = held.get(one.sid) !== secretHash(one.token);
      if (answer === null && isRotated) lost += 1;
      const repeated = (await tokensOf(await refresh(over(relation, process), one.token))).refresh_token;
      if (answer !== null) expect(repeated).toBe(answer);
      if (isRotated) expect(held.get(one.sid)).toBe(secretHash(repeated));
      expect((await live()).get(one.sid)).toBe(secretHash(repeated));
      one.token = repeated;
    }
  }
  expect(lost).toBeGreaterThan(0);
});
