import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Database, type Statement, statement, together, type Value } from '../../src/db/database.ts';

describe('a statement', () => {
  it('binds values in the order of its text, including those of nested templates', () => {
    const inner = sql`b = ${'two'} AND ${sql.raw("c = '?'")}`;
    expect(statement(sql`SELECT ${1} WHERE ${inner} OR d IS ${null} OR e = ${''}`)).toEqual({
      text: `SELECT ? WHERE b = ? AND c = '?' OR d IS ? OR e = ?`,
      values: [1, 'two', null, ''],
    });
  });

  it('rejects anything that is not a value, and never inserts it as text', () => {
    const wrong = [
      undefined,
      true,
      1n,
      ['a'],
      new Date(0),
      // JSON in a request may contain these, if it ever gets this far unchecked.
      { value: ['1 OR 1'] },
      { queryChunks: [{ value: ['1 OR 1'] }] },
    ];
    for (const value of wrong) {
      expect(() => statement(sql`SELECT ${value as unknown as Value}`), String(value)).toThrow(
        /^a statement binds /,
      );
    }
  });
});

describe('concurrent batches', () => {
  const one = (text: string): Statement => ({ text, values: [] });

  it('are sent as one batch, and each receives its own rows', async () => {
    const sent: string[][] = [];
    const db = together({
      batch: async (statements: readonly Statement[]) => {
        sent.push(statements.map(({ text }) => text));
        return statements.map(({ text }) => [text]) as never;
      },
    } as Database);
    const rows = await Promise.all([db.batch([one('a'), one('b')]), db.batch([one('c')])]);
    expect(rows).toEqual([[['a'], ['b']], [['c']]]);
    await db.batch([one('d')]);
    expect(sent).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('fail together', async () => {
    const db = together({ batch: (): Promise<never> => Promise.reject(new Error('no database')) });
    const results = await Promise.allSettled([db.batch([one('a')]), db.batch([one('b')])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
