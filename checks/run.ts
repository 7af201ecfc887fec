/**
 * `node checks/run.ts NAME ...` runs a program of a package in checks/package.json; without a name it only installs
 * the packages, if they are missing.
 */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../scripts/installed.ts';

const folder = import.meta.dirname;
const [name, ...args] = process.argv.slice(2);

ensureInstalled(folder);
if (name !== undefined) {
  const program = realpathSync(join(folder, 'node_modules/.bin', name));
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
