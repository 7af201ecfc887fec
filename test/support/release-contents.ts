import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import type { SavedPerson } from './release-stage.ts';

export const releasesFolder = join(import.meta.dirname, '../fixtures/releases');

/** The data written by a release, besides its two files. */
export interface Saved {
  /** The time of writing, in epoch milliseconds. */
  readonly at: number;
  readonly people: readonly SavedPerson[];
}

/** A release's database and key-value store, for databases that are not files. */
export interface Release extends Saved {
  readonly version: string;
  /** The statements that create the database. */
  readonly statements: readonly string[];
  readonly kv: readonly (readonly [key: string, value: string])[];
}

/** Writes the files of a release. */
export function placeRelease(version: string, files: { database: string; kv: string }): Saved {
  const folder = join(releasesFolder, version);
  const unpack = (name: string) => gunzipSync(readFileSync(join(folder, name)));
  writeFileSync(files.database, unpack('peridot.db.gz'));
  writeFileSync(files.kv, unpack('kv.db.gz'));
  return JSON.parse(readFileSync(join(folder, 'saved.json'), 'utf8'));
}

export function releaseVersions(): string[] {
  return existsSync(releasesFolder) ? readdirSync(releasesFolder).sort() : [];
}

/** Reads all releases. @param folder the folder for their files */
export function readReleases(folder: string): Release[] {
  return releaseVersions().map((version) => {
    const files = { database: join(folder, `${version}.db`), kv: join(folder, `${version}.kv.db`) };
    const saved = placeRelease(version, files);
    const kv = new DatabaseSync(files.kv);
    const entries = kv.prepare('SELECT key, value FROM kv').all();
    kv.close();
    const pairs = entries.map(({ key, value }) => [String(key), String(value)] as const);
    return { ...saved, version, statements: dump(files.database), kv: pairs };
  });
}

function dump(file: string): string[] {
  const database = new DatabaseSync(file);
  const texts = (text: string) =>
    database
      .prepare(text)
      .all()
      .map(({ text: each }) => String(each));
  const made = (types: string) =>
    texts(
      `SELECT sql AS text FROM sqlite_schema WHERE type IN (${types}) AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`,
    );
  const rows = texts(`SELECT name AS text FROM sqlite_schema WHERE type = 'table'`).flatMap((table) => {
    const columns = texts(`SELECT name AS text FROM pragma_table_info('${table}')`);
    const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `);
    const into = `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')})`;
    const inserts = texts(`SELECT ${values} AS text FROM "${table}"`).map(
      (each) => `${into} VALUES (${each})`,
    );
    // The rows above are already counted.
    return table === 'sqlite_sequence' ? ['DELETE FROM sqlite_sequence', ...inserts] : inserts;
  });
  const last = rows.filter((text) => text.includes('sqlite_sequence'));
  const first = rows.filter((text) => !text.includes('sqlite_sequence'));
  // Foreign keys need the unique indexes that they refer to; the triggers have already run for these rows.
  const tables = [...made(`'table'`), ...made(`'index'`)];
  const statements = [...tables, ...first, ...last, ...made(`'view', 'trigger'`)];
  database.close();
  return ['PRAGMA defer_foreign_keys = ON', ...statements];
}
