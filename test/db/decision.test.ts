import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type SQL, sql, statement } from '../../src/db/database.ts';
import {
  changeOrExplain,
  meets,
  type Requirements,
  requireVerdict,
  verdictOf,
} from '../../src/db/decision.ts';

interface Request {
  readonly owner: string;
  readonly isUrgent: boolean;
}

const requirements = {
  missing: sql`t.id IS NOT NULL`,
  foreign: ({ owner }) => sql`t.owner = ${owner} OR t.owner = 'everybody'`,
  slow: ({ isUrgent }) => (isUrgent ? sql`t.speed > 9` : null),
  closed: sql`t.status = 'open'`,
} satisfies Requirements<Request>;
const request: Request = { owner: 'anna', isUrgent: true };

const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE things (id INTEGER, owner TEXT, speed INTEGER, status TEXT, done_by TEXT)');

function select(columns: SQL, thing: Record<string, string | number | null>): unknown {
  database.exec('DELETE FROM things');
  const row = { id: 1, owner: 'anna', speed: 10, status: 'open', done_by: null, ...thing };
  database.prepare('INSERT INTO things VALUES (?, ?, ?, ?, ?)').run(...Object.values(row));
  const { text, values } = statement(sql`SELECT ${columns} AS value
    FROM (SELECT 1) LEFT JOIN things t ON t.id = 1`);
  return database.prepare(text).get(...values)?.['value'];
}

const verdict = (thing: Record<string, string | number | null>, of: Request = request) =>
  select(verdictOf(requirements, of, { ok: sql`t.done_by = ${'op'}` }), thing);

describe('the requirements of a change', () => {
  it('yield the first reason that applies', () => {
    expect(verdict({})).toBe(null);
    expect(verdict({ id: 2 })).toBe('missing');
    expect(verdict({ owner: 'ben', status: 'closed' })).toBe('foreign');
    expect(verdict({ owner: 'everybody', speed: 1 })).toBe('slow');
    expect(verdict({ status: 'closed' })).toBe('closed');
  });

  it('reject the change if a value is unknown', () => {
    expect(verdict({ owner: null })).toBe('foreign');
    expect(verdict({ status: null })).toBe('closed');
  });

  it('omit conditions that do not apply to a request', () => {
    expect(verdict({ speed: 1 }, { ...request, isUrgent: false })).toBe(null);
  });

  it('are checked only if no earlier result applies', () => {
    expect(verdict({ done_by: 'op', status: 'closed' })).toBe('ok');
  });

  it('are met exactly when there is no reason to reject', () => {
    for (const thing of [{}, { id: 2 }, { owner: 'everybody' }, { owner: 'ben' }, { status: null }]) {
      const isMet = select(meets(requirements, request), thing) === 1;
      expect(isMet, JSON.stringify(thing)).toBe(verdict(thing) === null);
    }
  });
});

describe('a conditional change', () => {
  /** Returns the next of several results. */
  const next =
    <Result>(...results: Result[]) =>
    async () =>
      results.shift() as Result;

  it('is explained only when nothing changed', async () => {
    const explain = next({ verdict: 'closed' });
    expect(await changeOrExplain('thing.change', next<string | null>('done'), explain)).toEqual({
      row: 'done',
      verdict: 'ok',
    });
    expect(await changeOrExplain('thing.change', next<string | null>(null), explain)).toEqual({
      row: { verdict: 'closed' },
      verdict: 'closed',
    });
  });

  it('is retried when no reason is found', async () => {
    const change = next<string | null>(null, null, 'done');
    expect(await changeOrExplain('thing.change', change, async () => ({ verdict: null }))).toMatchObject({
      row: 'done',
    });
  });

  it('throws an error that names the change if no reason is ever found', async () => {
    const change = async () => null;
    await expect(changeOrExplain('thing.change', change, async () => ({ verdict: null }))).rejects.toThrow(
      'thing.change was refused without a reason',
    );
  });

  it('throws the same error if one batch both makes and explains the change', () => {
    expect(requireVerdict('thing.change', [{ verdict: 'ok' }])).toEqual({ verdict: 'ok' });
    expect(() => requireVerdict('thing.change', [{ verdict: null }])).toThrow(
      'thing.change was refused without a reason',
    );
  });
});
