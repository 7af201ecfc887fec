import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import config from '../../drizzle.config.ts';

const root = join(import.meta.dirname, '../..');

/** Every table declared in the code, found in the same way as by drizzle-kit, with its folder. */
export async function declaredTables(): Promise<{ owner: string; name: string; table: SQLiteTable }[]> {
  const files = globSync(config.schema, { cwd: root });
  const modules = await Promise.all(
    files.map(async (file): Promise<object[]> => Object.values(await import(join(root, file)))),
  );
  return modules.flatMap((exported, at) =>
    exported
      .filter((value) => is(value, SQLiteTable))
      .map((table) => ({ owner: dirname(files[at] ?? ''), name: getTableName(table), table })),
  );
}
