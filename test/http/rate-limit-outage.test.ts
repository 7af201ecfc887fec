import { describe, expect, it } from 'vitest';
import { settledLog } from '../support/answers.ts';
import { json, openBrowser } from '../support/browser.ts';
import { newMember, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import type { Target } from '../support/target.ts';

const runsInWorkerd = navigator.userAgent === 'Cloudflare-Workers';

/** Removes the store's table while the work is running. */
async function withoutStore(target: Target, work: () => Promise<void>): Promise<void> {
  await target.rows('ALTER TABLE rate_buckets RENAME TO taken_away');
  try {
    await work();
  } finally {
    await target.rows('ALTER TABLE taken_away RENAME TO rate_buckets');
  }
}

/** Here the store is a table, which a test can remove. */
describe.runIf(!runsInWorkerd)('limits without their store [R-14]', () => {
  const target = useService({ RATE_LIMITS: 'on', RATE_LIMIT_STORE: 'database' });

  const failuresIn = (lines: string[]) => lines.filter((line) => line.includes('rate_limit.store_failed'));

  it('are enforced in-process, with the same numbers', async () => {
    await withoutStore(target, async () => {
      const startedAt = target.now();
      const answers = await Promise.all(
        Array.from({ length: 60 }, () =>
          target.request('/v1/auth/login', { method: 'POST', address: '192.0.2.1' }),
        ),
      );
      const refilled = Math.floor((target.now() - startedAt) / 3_000);
      const passed = answers.filter(({ status }) => status === 200).length;
      expect(passed).toBeGreaterThanOrEqual(20);
      expect(passed).toBeLessThanOrEqual(20 + refilled);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - passed);
    });
  });

  it('let people refresh, log out, sign in and read, reject a claim with 503, and recover', async () => {
    await target.advance(61);
    const { browser: member } = await newMember(target);
    const newcomer = openBrowser(target);
    await signIn(target, newcomer);
    const claim = () => newcomer.fetch('/v1/auth/claim', json('POST', { handle: 'out-of-order' }));
    const before = (await settledLog(target)).length;
    await withoutStore(target, async () => {
      expect((await member.fetch('/v1/auth/session')).status).toBe(200);
      expect((await member.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
      expect((await newcomer.fetch('/v1/auth/claim')).status).toBe(200);
      expect((await newcomer.navigate('/v1/auth/idp')).status).toBe(302);
      const refused = await claim();
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
      expect(refused.headers.get('X-Error-Code')).toBe('unavailable');
      expect(await refused.json()).toEqual({
        statusCode: 503,
        message: 'Service is unavailable',
        code: 'unavailable',
      });
      expect((await member.fetch('/v1/auth/logout', { method: 'POST' })).status).toBe(204);
    });
    const lines = (await settledLog(target)).slice(before);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual(failuresIn(lines));
    await target.advance(2);
    expect((await claim()).status).toBe(200);
  });

  it('are logged once a minute, regardless of the number of requests', async () => {
    const before = (await settledLog(target)).length;
    await withoutStore(target, async () => {
      for (let round = 0; round < 3; round += 1) {
        await target.advance(61);
        await Promise.all(
          Array.from({ length: 40 }, () => target.request('/v1/auth/providers', { address: '192.0.2.2' })),
        );
      }
    });
    expect(failuresIn((await settledLog(target)).slice(before))).toHaveLength(3);
  });
});
