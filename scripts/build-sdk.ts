/**
 * `npm run build:sdk`: writes the publishable package to dist/sdk, the script to public/sdk/v1/pid.js, and the reference
 * in docs/sdk.md. With `--dist` it writes only dist/sdk. With `--check` it also writes only dist/sdk, and fails when a
 * committed file is out of date, when a file of the package is over its budget, or when publint or attw reports a problem.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { budgets, entries, packageFiles, scriptBundle, scriptFile, weightOf } from './sdk-bundle.ts';
import { sdkDocument, sdkDocumentFile } from './sdk-reference.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/sdk');
const checks = process.argv.includes('--check');
const problems: string[] = [];

async function buildPackage(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, { text }] of await packageFiles({ minify: false }))
    writeFileSync(join(folder, name), text);
  await weigh();
  declareTypes();
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'README.md'), readme());
}

/** Every file has a budget, or counts towards those of the files that import it. */
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

/**
 * Emits types with tsc, makes their imports name the built files, and leaves out what the entries do not need.
 */
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
  run([compiler, '-p', join(root, 'src/sdk'), ...flags]);
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

/** The types of the script at /sdk/v1/pid.js, which a page's own scripts include. */
const globalTypes = `declare global {
  /** The exports of peridot-sdk, from the script that the service serves. */
  const Pid: typeof import('./index.js');
}

export {};
`;

function packageManifest(): Record<string, unknown> {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'peridot-sdk',
    version,
    description: 'Sign in with a PID: sessions, claims, credentials and popups in any browser',
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './react': { types: './react.d.ts', default: './react.js' },
      './server': { types: './server.d.ts', default: './server.js' },
      './global': { types: './global.d.ts' },
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts'],
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  };
}

/** The guide of docs/sdk.md, without the reference, which the types already contain. */
function readme(): string {
  const [guide = ''] = readFileSync(sdkDocumentFile, 'utf8').split('\n## Reference\n');
  return `${guide.trimEnd()}\n`;
}

async function keep(file: string, text: string): Promise<void> {
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (known === text) return;
  if (checks) {
    problems.push(`${file.slice(root.length + 1)} is out of date; run npm run build:sdk`);
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function lintPackage(): void {
  run([join(root, 'node_modules/publint/src/cli.js'), folder, '--strict']);
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  run([attw, '--pack', folder, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-color']);
}

function run(command: string[]): void {
  execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
}

if (!process.argv.includes('--dist')) {
  const script = await scriptBundle();
  await keep(scriptFile, script);
  await keep(sdkDocumentFile, await sdkDocument(readFileSync(sdkDocumentFile, 'utf8'), script));
}
await buildPackage();
if (checks) lintPackage();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
