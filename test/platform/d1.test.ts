import type { D1Database } from '@cloudflare/workers-types';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../src/db/database.ts';
import { AppError } from '../../src/errors.ts';
import { openD1 } from '../../src/platform/database/d1.ts';

interface Prepared {
  readonly text: string;
  readonly values: unknown[];
}

/** A stand-in for D1 that loses its responses a number of times, before or after applying a batch. */
function losing(times: number, message: string, when: 'before' | 'after' = 'before') {
  const applied: Prepared[][] = [];
  let calls = 0;
  const run = (statements: Prepared[]) => {
    calls += 1;
    if (when === 'after' || calls > times) applied.push(statements);
    if (calls <= times) throw new Error(message);
    return statements.map(({ text }) => ({ results: [{ text }] }));
  };
  const d1 = {
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => ({ text, values, all: async () => run([{ text, values }])[0] }),
    }),
    batch: async (statements: Prepared[]) => run(statements),
  };
  return { db: openD1(d1 as unknown as D1Database), calls: () => calls, applied };
}

const one: Statement = { text: 'SELECT ?', values: [1] };
const two: Statement[] = [one, { text: 'SELECT 2', values: [] }];
/** D1's error messages for a lost response. */
const lost = [
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: internal error',
  'Durable Object reset because its code was updated.',
  'D1 DB is overloaded. Requests queued for too long.',
];

describe('D1', () => {
  it('receives a single statement alone and several as one batch, with their values', async () => {
    const { db, applied } = losing(0, '');
    expect(await db.batch([one])).toEqual([[{ text: 'SELECT ?' }]]);
    expect(await db.batch(two)).toEqual([[{ text: 'SELECT ?' }], [{ text: 'SELECT 2' }]]);
    expect(await db.batch([])).toEqual([]);
    expect(applied.map((statements) => statements.map(({ text, values }) => ({ text, values })))).toEqual([
      [one],
      two,
    ]);
  });

  it('is called again after a lost response, before or after the batch was applied', async () => {
    for (const message of lost) {
      for (const when of ['before', 'after'] as const) {
        const { db, calls, applied } = losing(2, message, when);
        expect(await db.batch(two), message).toEqual([[{ text: 'SELECT ?' }], [{ text: 'SELECT 2' }]]);
        expect([calls(), applied.length]).toEqual([3, when === 'after' ? 3 : 1]);
      }
    }
  });

  it('is reported as unavailable after the third attempt', async () => {
    for (const message of lost) {
      const { db, calls } = losing(9, message);
      const error: unknown = await db.batch([one]).catch((thrown) => thrown);
      expect(error, message).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 1 });
      expect(calls()).toBe(3);
    }
  });

  it('is not called again after it rejects a batch', async () => {
    for (const message of [
      'D1_ERROR: UNIQUE constraint failed: identities.handle',
      'D1_ERROR: no such table: nothing',
      'guard:last_credential',
    ]) {
      const { db, calls } = losing(1, message);
      await expect(db.batch(two)).rejects.toThrow(message);
      expect(calls()).toBe(1);
    }
  });
});
