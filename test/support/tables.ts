import { globSync } from 'node:fs';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import config from '../../drizzle.config.ts';

const root = join(import.meta.dirname, '../..');

/** Every table that the code declares, found the way drizzle-kit finds it. */
export async function declaredTables(): Promise<SQLiteTable[]> {
  const files = globSync(config.schema ?? [], { cwd: root });
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(root, file))));
  return modules.flatMap((module) => Object.values(module)).filter((value) => is(value, SQLiteTable));
}
