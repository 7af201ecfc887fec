/**
 * `npm run build:sdk`: writes the publishable package to dist/sdk, the parts that the service serves to public/sdk, and
 * the exports in docs/sdk-reference.md. With `--dist` it writes only dist/sdk. With `--check` it also writes only
 * dist/sdk, and fails if a committed file is out of date, a package file exceeds its budget, or publint or attw reports
 * a problem.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { gzipped } from './archive.ts';
import { ensureInstalled } from './installed.ts';
import { budgets, entries, integrityOf, packageFiles, scriptBundle, weightOf } from './sdk-bundle.ts';
import {
  isReleased,
  movingFolder,
  packageTar,
  publicFolder,
  sdkHeaders,
  versionOf,
  versionsFile,
  withVersion,
} from './sdk-publish.ts';
import { sdkGuide, sdkGuideFile, sdkReference, sdkReferenceFile } from './sdk-reference.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/sdk');
const checks = process.argv.includes('--check');
const problems: string[] = [];

async function buildCode(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, { text }] of await packageFiles({ minify: false }))
    writeFileSync(join(folder, name), text);
  await weigh();
  declareTypes();
}

function completePackage(version: string): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(version), null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  // The README links to this file.
  cpSync(join(root, 'docs/back-ends.md'), join(folder, 'back-ends.md'));
  writeFileSync(join(folder, 'README.md'), readme());
}

/** A version's files: the script, and the package's modules, minified, with their types. */
async function versionFiles(script: string): Promise<Map<string, string>> {
  const modules = [...(await packageFiles({ minify: true }))].map(
    ([name, { text }]) => [name, text] as const,
  );
  const types = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  const declarations = types.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  return new Map([['pid.js', script], ...modules, ...declarations]);
}

/** Writes public/sdk, and removes versions that were never released. */
function publish(version: string, files: Map<string, string>): void {
  const list = withVersion(version, files);
  for (const name of existsSync(publicFolder) ? readdirSync(publicFolder) : []) {
    const isStale = /^\d/.test(name) && !(name in list.versions);
    if (isStale && checks) problems.push(`public/sdk/${name} is no released version; run npm run build:sdk`);
    else if (isStale) rmSync(join(publicFolder, name), { recursive: true });
  }
  for (const [name, text] of files) keepVersioned(version, name, text);
  keep(join(publicFolder, movingFolder, 'pid.js'), files.get('pid.js') ?? '');
  keep(versionsFile, `${JSON.stringify(list, null, 2)}\n`);
  const headersFile = join(publicFolder, '../_headers');
  keep(headersFile, readFileSync(headersFile, 'utf8').replace(/\n\/sdk\/.*/s, sdkHeaders(list)));
  keepArchive(version);
  for (const [released, hashes] of Object.entries(list.versions))
    for (const [name, hash] of Object.entries(hashes)) requireUnchanged(released, name, hash);
}

/** Pages pin these hashes. */
function requireUnchanged(version: string, name: string, hash: string): void {
  const file = join(publicFolder, version, name);
  const isIntact = existsSync(file) && integrityOf(readFileSync(file, 'utf8')) === hash;
  if (!isIntact) problems.push(`public/sdk/${version}/${name} is not what versions.json says`);
}

function keepVersioned(version: string, name: string, text: string): void {
  const file = join(publicFolder, version, name);
  const changes = existsSync(file) && readFileSync(file, 'utf8') !== text;
  if (changes && isReleased(version))
    problems.push(`${version} is released, but its ${name} changes: raise the version in package.json`);
  else keep(file, text);
}

/**
 * The package as npm installs it: at a URL for its version, which a lockfile can reference permanently, and at one for
 * the newest version. Compared unpacked, because zlib versions compress differently.
 */
function keepArchive(version: string): void {
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  const archive = packageTar(new Map(files));
  for (const place of [version, '.']) {
    const file = join(publicFolder, place, 'peridot-sdk.tgz');
    if (existsSync(file) && gunzipSync(readFileSync(file)).equals(archive)) continue;
    if (place === version && existsSync(file) && isReleased(version))
      problems.push(`${version} is released, but its package changes: raise the version in package.json`);
    else write(file, gzipped(archive));
  }
}

/** Every file has a budget, or is part of the budgets of the files that import it. */
async function weigh(): Promise<void> {
  const files = await packageFiles({ minify: true });
  const shared = new Set([...files.values()].flatMap(({ imports }) => imports));
  for (const name of files.keys()) {
    if (shared.has(name)) continue;
    const bytes = weightOf(files, name);
    const budget = budgets[name] ?? 0;
    console.log(`${String(bytes).padStart(6)} of ${budget} bytes gzipped  ${name}`);
    if (bytes > budget) problems.push(`${name} is ${bytes} bytes, over its budget of ${budget}`);
  }
}

/** Emits types with tsc, points their imports to the built files, and omits types that the entries do not need. */
function declareTypes(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const flags = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--stripInternal',
    '--outDir',
    folder,
  ];
  run([compiler, '-p', join(root, 'sdk'), ...flags]);
  const needed = new Set(entries.map((entry) => `${entry}.d.ts`));
  for (const name of needed) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(from ')(\.\/[\w-]+)\.ts(')/g, '$1$2.js$3'));
    for (const [, imported] of text.matchAll(/from '\.\/([\w-]+)\.ts'/g)) needed.add(`${imported}.d.ts`);
  }
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.d.ts')))
    if (!needed.has(name)) rmSync(join(folder, name));
  writeFileSync(join(folder, 'global.d.ts'), globalTypes);
}

/** The types for the script pid.js, which a page's own scripts include. */
const globalTypes = `declare global {
  /** The exports of peridot-sdk, from the script that the service serves. */
  const Pid: typeof import('./index.js');
}

export {};
`;

function packageManifest(version: string): Record<string, unknown> {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'peridot-sdk',
    version,
    description: 'Sign in with a PID: sessions, claims, credentials and popups in any browser',
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './messages': { types: './messages.d.ts', default: './messages.js' },
      './react': { types: './react.d.ts', default: './react.js' },
      './server': { types: './server.d.ts', default: './server.js' },
      './global': { types: './global.d.ts' },
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts', 'back-ends.md'],
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  };
}

/** The guide in docs/sdk.md. The package has no other documentation pages, so links to them become plain text. */
function readme(): string {
  return readFileSync(sdkGuideFile, 'utf8').replace(
    /\[([^\]]+)\]\((?!back-ends\.md|https?:|#)[^)]*\)/g,
    '$1',
  );
}

function keep(file: string, text: string): void {
  const known = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (known !== text) write(file, text);
}

function write(file: string, content: string | Buffer): void {
  if (checks) {
    problems.push(`${file.slice(root.length + 1)} is out of date; run npm run build:sdk`);
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function lintPackage(): void {
  const tools = join(root, 'checks');
  ensureInstalled(tools);
  run([join(tools, 'node_modules/publint/src/cli.js'), folder, '--strict']);
  const attw = join(tools, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  run([attw, '--pack', folder, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-color']);
}

function run(command: string[]): void {
  execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
}

const script = await scriptBundle();
await buildCode();
const files = await versionFiles(script);
const version = versionOf(files);
const serves = !process.argv.includes('--dist');
if (serves) {
  keep(sdkGuideFile, sdkGuide(readFileSync(sdkGuideFile, 'utf8'), script, version));
  keep(sdkReferenceFile, sdkReference(readFileSync(sdkReferenceFile, 'utf8')));
}
completePackage(version);
if (serves) publish(version, files);
if (checks) lintPackage();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
