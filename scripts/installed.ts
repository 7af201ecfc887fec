import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Installs the packages of a folder that `npm ci` leaves out, at the versions and with the checksums in its own lock
 * file, unless it has them. It needs the network once for each version of that file.
 */
export function ensureInstalled(folder: string): void {
  if (isInstalled(folder)) return;
  console.error(`Installing the packages of ${relative(root, folder)}/, which npm ci leaves out ...`);
  const fresh = mkdtempSync(join(folder, '.installing-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, name), join(fresh, name));
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['ci', ...flags], { cwd: fresh, stdio: 'pipe' });
    copyFileSync(join(fresh, 'package-lock.json'), stampIn(fresh));
    // Another process may have done the same in the meantime.
    if (!isInstalled(folder)) replace(join(folder, 'node_modules'), join(fresh, 'node_modules'));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A copy of the lock file by which the packages were installed. */
function stampIn(folder: string): string {
  return join(folder, 'node_modules/.installed-by.json');
}

function isInstalled(folder: string): boolean {
  const stamp = stampIn(folder);
  return existsSync(stamp) && readFileSync(stamp).equals(readFileSync(join(folder, 'package-lock.json')));
}

/** Moves a complete folder into another's place, so that an interrupted installation leaves no partial folder. */
function replace(old: string, fresh: string): void {
  if (existsSync(old)) renameSync(old, `${fresh}-old`);
  renameSync(fresh, old);
}
