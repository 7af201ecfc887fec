import { DatabaseSync } from 'node:sqlite';
import type { Statement } from '../../src/db/database.ts';
import { withoutRecompiling } from '../../src/platform/database/libsql-connection.ts';

// Run by Bun: finds the statements that its SQLite recompiles when values are bound. Reads schema and statements as
// JSON.
const { schema, statements } = (await new Response(process.stdin as never).json()) as {
  schema: string[];
  statements: Statement[];
};
const database = new DatabaseSync(':memory:');
for (const text of schema) database.exec(text);
let compilations = 0;
// SQLite calls this for each action in a statement whenever it compiles the statement.
database.setAuthorizer(() => {
  compilations += 1;
  return 0;
});

function recompiles(text: string, values: Statement['values']): boolean {
  const prepared = database.prepare(text);
  const before = compilations;
  for (const _ of [1, 2]) {
    try {
      prepared.all(...(values as never[]));
    } catch {
      // A constraint may reject it, but it was compiled nevertheless.
    }
  }
  return compilations > before;
}

database.exec('BEGIN');
const bare = statements.filter(({ text, values }) => recompiles(text, values)).length;
const found = statements.filter(({ text, values }) => recompiles(withoutRecompiling(text), values));
console.log(JSON.stringify({ bare, found: found.map(({ text }) => text) }));
