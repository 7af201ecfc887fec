/**
 * `npm run contract:check`: fails when the contract removes or narrows something that the newest release has, unless a
 * line under "Upgrade notes" of the changelog names the path.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, promisesOf, readNewest, unannounced } from './release/contract.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

const newest = readNewest();
if (newest === null) {
  console.log('There is no release to compare with yet.');
} else {
  const lines = broken(newest.promises, promisesOf(JSON.parse(read('public/openapi.json'))));
  const missing = unannounced(lines, read('CHANGELOG.md'));
  for (const line of missing)
    console.error(`${newest.version} has, and the upgrade notes do not say that it changed: ${line}`);
  if (missing.length > 0) process.exitCode = 1;
  else console.log(`The contract keeps what ${newest.version} has, or says so (${lines.length} lines).`);
}
