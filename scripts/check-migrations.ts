/**
 * `npm run migrations`: fails when the tables in the code and the migrations have drifted apart. Lets drizzle-kit
 * generate into a copy of `migrations/`, which must gain nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import config from '../drizzle.config.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'peridot-migrations-'));

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

try {
  const copy = join(scratch, 'migrations');
  cpSync(join(root, 'migrations'), copy, { recursive: true });
  const before = listFiles(copy);
  // drizzle-kit prefixes every path with `./`, so paths are relative to the root.
  const settings = join(scratch, 'drizzle.config.json');
  writeFileSync(settings, JSON.stringify({ ...config, out: relative(root, copy) }));
  const generate = ['generate', '--name', 'drift', '--config', relative(root, settings)];
  const kit = spawnSync(process.execPath, [join(root, 'node_modules/drizzle-kit/bin.cjs'), ...generate], {
    cwd: root,
    encoding: 'utf8',
    // A question, such as whether a column was renamed, is drift too; nobody is there to answer it.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const made = listFiles(copy).filter((name) => !before.includes(name));
  if (kit.status !== 0 || !kit.stdout.includes('No schema changes')) {
    console.error(
      'The tables in the code and the migrations differ. `npx drizzle-kit generate` would make:\n',
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
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
