import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Statement } from '../../src/db/database.ts';
import { openFile } from '../../src/platform/database/libsql-file.ts';
import { openInThread } from '../../src/platform/database/libsql-in-thread.ts';
import '../support/web-worker.ts';

const run = <Row>(text: string, values: Statement['values'] = []): Statement<Row> => ({ text, values });
const insert = (n: number) => run('INSERT INTO numbers (n) VALUES (?) RETURNING n', [n]);
/** A child row without its parent, which only the commit detects. */
const orphan = run('INSERT INTO children (parent) VALUES (-1)');
/** Sixty-four batches, which form one group. */
const group = Array.from({ length: 64 }, (_, n) => n);

const kinds = {
  'a file in this thread': async (file: string) => openFile(file),
  'a file in its own thread': openInThread,
};

describe.each(Object.entries(kinds))('batches that wait together for %s', (_name, open) => {
  let folder: string;
  let db: Database;
  let close: () => unknown;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-group-'));
    ({ db, close } = await open(join(folder, 'peridot.db')));
    await db.batch([
      run('CREATE TABLE numbers (n INTEGER PRIMARY KEY CONSTRAINT is_small CHECK (n < 1000)) STRICT'),
      run(
        'CREATE TABLE children (parent INTEGER REFERENCES numbers (n) DEFERRABLE INITIALLY DEFERRED) STRICT',
      ),
    ]);
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  });

  const numbers = async () => {
    const [rows] = await db.batch([run<{ n: number }>('SELECT n FROM numbers ORDER BY n')]);
    return rows.map(({ n }) => n);
  };

  /** Runs the batches concurrently, each with its own number. */
  const together = (batches: (readonly Statement[])[]) =>
    Promise.allSettled(batches.map((statements) => db.batch(statements)));

  it('are committed except for one that violates a constraint, and each gets its own result', async () => {
    for (const [refused, name] of [
      [[insert(100), insert(1000)], /CHECK constraint failed: is_small/],
      [[insert(1000)], /CHECK constraint failed: is_small/],
      [[insert(100), insert(7)], /UNIQUE constraint failed: numbers.n/],
    ] as const) {
      const answers = await together(
        group.map((n) => (n === 40 ? refused : n % 2 === 0 ? [insert(n)] : [insert(n), insert(n + 200)])),
      );
      answers.forEach((answer, n) => {
        if (n === 40) expect(answer).toMatchObject({ reason: { message: expect.stringMatching(name) } });
        else
          expect(answer).toEqual({
            status: 'fulfilled',
            value: n % 2 === 0 ? [[{ n }]] : [[{ n }], [{ n: n + 200 }]],
          });
      });
      const others = group.filter((n) => n !== 40);
      expect(await numbers()).toEqual([...others, ...others.filter((n) => n % 2 === 1).map((n) => n + 200)]);
      await db.batch([run('DELETE FROM numbers')]);
    }
  });

  it('are committed one after another in order of arrival', async () => {
    const answers = await together([
      [insert(1)],
      [insert(1)],
      [run('DELETE FROM numbers')],
      [insert(1), insert(2)],
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('all get 503 and are not applied if their commit fails, but the next group is', async () => {
    const batches = [...group, 64, 65].map((n) => (n === 20 ? [orphan] : [insert(n)]));
    const answers = await together(batches);
    for (const answer of answers.slice(0, 64)) {
      expect(answer).toMatchObject({ reason: { code: 'unavailable', reason: 'the commit failed' } });
    }
    expect(answers.slice(64).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await numbers()).toEqual([64, 65]);
  });

  it('are applied without the one that the database cannot execute', async () => {
    const answers = await together(
      group.map((n) => (n === 40 ? [run('INSERT INTO numbers (missing) VALUES (1)')] : [insert(n)])),
    );
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([
      {
        status: 'rejected',
        reason: expect.objectContaining({ message: expect.stringContaining('missing') }),
      },
    ]);
    expect(await numbers()).toEqual(group.filter((n) => n !== 40));
  });

  it('run after a single read, which succeeds even if their commit fails', async () => {
    const read = [run('SELECT count(*) AS n FROM numbers')];
    const answers = await together([[insert(1)], [orphan], read, [run('PRAGMA synchronous')]]);
    expect(answers.slice(2)).toEqual([
      { status: 'fulfilled', value: [[{ n: 0 }]] },
      { status: 'fulfilled', value: [[{ synchronous: 2 }]] },
    ]);
    expect(await numbers()).toEqual([]);
  });

  it('receive their rows even with more distinct statements than the cache holds', async () => {
    for (let round = 0; round < 2; round += 1) {
      const answers = await together(
        Array.from({ length: 1_500 }, (_, n) => [
          run(`SELECT ${n} AS n, ? AS text, NULL AS absent`, [`${n}`]),
        ]),
      );
      answers.forEach((answer, n) => {
        expect(answer).toMatchObject({ value: [[{ n, text: `${n}`, absent: null }]] });
      });
    }
  });
});
