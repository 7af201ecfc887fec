import type { D1Database, D1Result } from '@cloudflare/workers-types';
import type { Database, Statement } from '../../db/database.ts';
import { repeatLost } from './repeat.ts';

/** D1 errors for a lost response; the batch may have been applied. */
const lostAnswer =
  /network connection lost|storage caused object to be reset|internal error|code was updated|is overloaded/i;

export function openD1(d1: D1Database): Database {
  return {
    async batch(statements) {
      const rows = await repeatLost(
        () => execute(d1, statements),
        (error) => lostAnswer.test(error.message),
      );
      return rows as never;
    },
  };
}

async function execute(d1: D1Database, statements: readonly Statement[]): Promise<unknown[]> {
  const prepared = statements.map(({ text, values }) => d1.prepare(text).bind(...values));
  const [only, ...others] = prepared;
  if (only === undefined) return [];
  const results: D1Result[] = others.length === 0 ? [await only.all()] : await d1.batch(prepared);
  return results.map((result) => result.results);
}
