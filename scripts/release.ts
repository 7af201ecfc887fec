/**
 * `npm run release -- VERSION`: moves "Unreleased" in the changelog to the version, regenerates the files that contain
 * the version, and builds the release in `dist/release/`. It neither commits nor tags.
 *
 * `npm run release -- build`: builds the release of the current tree. Equal trees yield equal files. `npm run release
 * -- verify FILE [--key KEY]`: compares a downloaded file with the list next to it.
 *
 * Exits with 2, before anything is written, if the tree cannot be released; `verify` exits with 1 if the file differs
 * from the released one.
 */
import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipped } from './archive.ts';
import { buildRelease } from './release/build.ts';
import { promisesOf, releasedFile } from './release/contract.ts';
import { listName, problemOf, signedList } from './release/list.ts';
import { problemWith, withVersion } from './release/version.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/release');

function stop(message: string, status: 1 | 2): never {
  console.error(message);
  process.exit(status);
}

/** The key that signs the list. */
function signingKey(): string {
  const file = process.env['RELEASE_KEY'];
  const make = 'openssl genpkey -algorithm ed25519 -out release-key.pem';
  if (!file || !existsSync(file))
    stop(`RELEASE_KEY must be the file of an Ed25519 key. To make one: ${make}`, 2);
  const key = readFileSync(file, 'utf8');
  try {
    if (createPrivateKey(key).asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The key's own error does not mention the setting.
  }
  return stop(`${file} is no Ed25519 key. To make one: ${make}`, 2);
}

function prepare(version: string): void {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  const files = {
    'CHANGELOG.md': read('CHANGELOG.md'),
    'package.json': read('package.json'),
    'package-lock.json': read('package-lock.json'),
  };
  const problem = problemWith(version, files, changed);
  if (problem !== null) stop(problem, 2);
  const today = new Date().toISOString().slice(0, 10);
  for (const [name, text] of Object.entries(withVersion(version, files, today)))
    writeFileSync(join(root, name), text);
  for (const script of ['openapi', 'build:sdk'])
    execFileSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  const promises = promisesOf(JSON.parse(read('public/openapi.json')));
  writeFileSync(releasedFile(version), gzipped(Buffer.from(`${promises.join('\n')}\n`)));
}

async function build(key: string): Promise<void> {
  const files = await buildRelease();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) {
    writeFileSync(join(folder, name), content);
    console.log(`${content.length.toLocaleString('en').padStart(12)}  ${name}`);
  }
  writeFileSync(join(folder, listName), signedList(files, key));
  console.log(`\nThe files and ${listName} are in dist/release.`);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });
const [word = '', file] = positionals;
if (word === 'verify' && file !== undefined) {
  const problem = problemOf(file, values.key);
  if (problem !== null) stop(problem, 1);
  const pinned = values.key === undefined ? ', signed with the key in the list: pin it with --key' : '';
  console.log(`${file} is as released${pinned}.`);
} else if ((word === 'build' || /^\d/.test(word)) && file === undefined) {
  const key = signingKey();
  if (word !== 'build') prepare(word);
  await build(key);
  if (word !== 'build')
    console.log(
      `Commit the changed files as "release ${word}", tag the commit v${word} and publish dist/release.`,
    );
} else {
  stop('Usage: npm run release -- VERSION | build | verify FILE [--key KEY]', 2);
}
