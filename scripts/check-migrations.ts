/**
 * `npm run migrations`: fails if the tables, triggers and views in the code differ from those in the migrations. With
 * `-- --write NAME` it writes the migration NAME, which creates the triggers and views as the code declares them.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import config from '../drizzle.config.ts';
import { ensureInstalled } from './installed.ts';
import { declaredRules, differencesOf, madeRules, migrationOf } from './rules.ts';

const root = join(import.meta.dirname, '..');
const checks = join(root, 'checks');
const differences = differencesOf(declaredRules(), madeRules());

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

function generate(...args: readonly string[]): SpawnSyncReturns<string> {
  ensureInstalled(checks);
  const kit = join(checks, 'node_modules/drizzle-kit/bin.cjs');
  return spawnSync(process.execPath, [kit, 'generate', ...args], {
    cwd: root,
    encoding: 'utf8',
    // A prompt, for example whether a column was renamed, is also drift, because nobody can answer it here.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Lets drizzle-kit generate into a copy of `migrations/`, which must not gain any files. */
function checkTables(scratch: string): void {
  const copy = join(scratch, 'migrations');
  cpSync(join(root, 'migrations'), copy, { recursive: true });
  const before = listFiles(copy);
  // drizzle-kit prefixes every path with `./`, so paths are relative to the root.
  const settings = join(scratch, 'drizzle.config.json');
  writeFileSync(settings, JSON.stringify({ ...config, out: relative(root, copy) }));
  const kit = generate('--name', 'drift', '--config', relative(root, settings));
  const made = listFiles(copy).filter((name) => !before.includes(name));
  if (kit.status !== 0 || !kit.stdout.includes('No schema changes')) {
    console.error(
      'The tables in the code and the migrations differ. `npm run drizzle -- generate` would make:\n',
    );
    for (const name of made.filter((file) => file.endsWith('.sql')))
      console.error(readFileSync(join(copy, name), 'utf8'));
    if (made.length === 0) console.error(`${kit.stdout}${kit.stderr}`);
    process.exitCode = 1;
  } else if (made.length > 0) {
    console.error(`drizzle-kit made ${made.join(', ')} and yet named no changes.`);
    process.exitCode = 1;
  } else {
    console.log('The migrations make what the tables say.');
  }
}

function checkRules(): void {
  for (const { name, declared, made } of differences) {
    if (declared === undefined)
      console.error(`${name} is made by the migrations, and declared by no feature.`);
    else
      console.error(`${name} of ${declared.file} ${made ? 'differs in' : 'is missing from'} the migrations.`);
    process.exitCode = 1;
  }
  if (differences.length === 0) console.log('The migrations make what the triggers and views say.');
  else
    console.error(
      '`npm run migrations -- --write NAME` writes the migration that makes what the features say.',
    );
}

/**
 * Appends to the last migration if it has this name, so that a rebuilt table gets its triggers in the same transaction.
 */
function write(name: string): void {
  const last = () => listFiles(join(root, 'migrations')).findLast((file) => file.endsWith('.sql')) ?? '';
  if (!last().endsWith(`_${name}.sql`)) {
    const kit = generate('--custom', '--name', name);
    if (kit.status !== 0) throw new Error(`${kit.stdout}${kit.stderr}`);
    writeFileSync(join(root, 'migrations', last()), '');
  }
  const file = join(root, 'migrations', last());
  const before = readFileSync(file, 'utf8').trimEnd();
  const statements = [...(before === '' ? [] : [before]), ...migrationOf(differences)];
  writeFileSync(file, `${statements.join('\n--> statement-breakpoint\n')}\n`);
  console.log(`${relative(root, file)}: ${differences.map((rule) => rule.name).join(', ')}`);
}

const [flag, name] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'peridot-migrations-'));
try {
  if (flag === undefined) {
    checkTables(scratch);
    checkRules();
  } else if (flag === '--write' && name !== undefined && /^[a-z0-9-]+$/.test(name)) {
    if (differences.length > 0) write(name);
    else console.log('The migrations make what the triggers and views say.');
  } else {
    throw new Error('usage: npm run migrations [-- --write name-of-migration]');
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
