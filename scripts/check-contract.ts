/**
 * `npm run contract:check`: fails if the contract removes or narrows part of the newest release's contract, unless a
 * line under "Upgrade notes" in the changelog contains its path.
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
