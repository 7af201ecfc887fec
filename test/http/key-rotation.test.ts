import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';

const dayMs = 86_400_000;
const post = { method: 'POST' };

let member: Member;
// Tokens live long enough for tokens of the old and the new key to coexist.
const target = useService({ ACCESS_TTL_SECONDS: '86400' });
beforeAll(async () => {
  member = await newMember(target);
});

const access = async (one: Member) => (await one.browser.cookie('pid_access')) ?? '';
const kidOf = (token: string) => decodeJwt(token).header['kid'];
const read = (token: string) =>
  target.request('/v1/auth/session', { headers: { Cookie: `pid_access=${token}` } });

async function publishedKids(): Promise<unknown[]> {
  const answer = await target.request('/.well-known/jwks.json');
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300');
  const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] };
  for (const key of keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
  return keys.map(({ kid }) => kid);
}

/** Runs the scheduled jobs and returns their results. */
async function runJobs(): Promise<Record<string, unknown>> {
  const answer = await target.request('/dev/scheduled', post);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { job: string; outcome: string; counts: unknown }[] };
  expect(data.map(({ outcome }) => outcome)).not.toContain('failed');
  return Object.fromEntries(data.map(({ job, counts }) => [job, counts]));
}

/** Reads the session repeatedly, with the current contents of `tokens`, until stopped. */
function readSteadily(tokens: string[]) {
  const statuses = new Map<number, number>();
  let sent = 0;
  let isStopped = false;
  const reading = (async () => {
    while (!isStopped) {
      const { status } = await read(tokens[sent % tokens.length] ?? '');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  return {
    /** Waits for this many more reads. */
    async some(count: number): Promise<void> {
      const until = sent + count;
      await expect.poll(() => sent).toBeGreaterThanOrEqual(until);
    },
    async stop(): Promise<Map<number, number>> {
      isStopped = true;
      await reading;
      return statuses;
    },
  };
}

describe('signing keys', () => {
  it('are rotated under steady reads without a single failed request [D-19]', async () => {
    const [oldKid] = await publishedKids();
    const tokens = [await access(member)];
    expect(kidOf(tokens[0] ?? '')).toBe(oldKid);
    const reading = readSteadily(tokens);
    onTestFinished(async () => void (await reading.stop()));
    await reading.some(20);

    // The key's ninety days are nearly over.
    await target.rows('UPDATE signing_keys SET signs_until = ?, verifies_until = ?', [
      target.now() + 8 * dayMs - 60_000,
      target.now() + 12 * dayMs,
    ]);
    expect((await runJobs())['keys']).toEqual({ added: 1 });
    expect((await runJobs())['keys']).toEqual({ added: 0 });
    await reading.some(20);

    // Half a day later the next key is published but signs nothing.
    await target.advance(43_200);
    const published = await publishedKids();
    expect(published.length).toBe(2);
    expect(published[0]).toBe(oldKid);
    expect((await member.browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    const oldToken = await access(member);
    expect(kidOf(oldToken)).toBe(oldKid);
    tokens.splice(0, 1, oldToken);
    await reading.some(20);

    await target.advance(43_260);
    expect((await member.browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    const newToken = await access(member);
    expect(kidOf(newToken)).toBe(published[1]);
    tokens.push(newToken);
    await reading.some(30);
    expect((await read(oldToken)).status).toBe(200);

    const statuses = await reading.stop();
    expect([...statuses.keys()]).toEqual([200]);
  });

  it('invalidate their tokens when they are removed, even tokens that were already verified [D-19]', async () => {
    const other = await newMember(target);
    const token = await access(other);
    expect((await read(token)).status).toBe(200);
    const kid = String(kidOf(token));
    expect((await target.rows('DELETE FROM signing_keys WHERE kid = ? RETURNING kid', [kid])).length).toBe(1);
    // By then every process has reloaded its keys.
    await target.advance(301);
    expect((await read(token)).status).toBe(401);
    expect(await publishedKids()).not.toContain(kid);
    expect((await other.browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    expect((await read(await access(other))).status).toBe(200);
  });

  it('lose their private part after their last token expires', async () => {
    const before = await publishedKids();
    const [{ retired } = { retired: 0 }] = await target.rows<{ retired: number }>(
      'SELECT min(verifies_until) AS retired FROM signing_keys',
    );
    await target.advance(Math.ceil((retired - target.now()) / 1000) + 1);
    const { purge } = await runJobs();
    expect(purge).toMatchObject({ archivedKeys: 1, signingKeys: 0 });
    await target.advance(301);
    const after = await publishedKids();
    expect(after.length).toBeGreaterThan(0);
    expect(before.filter((kid) => !after.includes(kid))).toHaveLength(1);
  });
});
