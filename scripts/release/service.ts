import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { listFiles } from '../../src/platform/list-files.ts';

const root = join(import.meta.dirname, '../..');

/**
 * The entry. Startup runs most functions only a few times, so the runtime compiles none to machine code; `settle` in
 * `src/bun.ts` restores its own thresholds.
 */
const start = "// @bun\nBun.unsafe.setJITPolicy(1000);\nawait import('./serve.js');\n";

export interface BuiltService {
  /** The contents of the service's folder by their paths. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly metafile: Metafile;
}

/**
 * Bundles the service and its command line for Bun: `src/bun.js`, `src/cli.js`, a module for each thread and each
 * dynamic import, with the migrations and public files. The bundle needs no node_modules.
 */
export async function buildService(): Promise<BuiltService> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      serve: 'src/bun.ts',
      cli: 'scripts/cli.ts',
      'libsql-thread': 'src/platform/database/libsql-thread.ts',
      'scrypt-thread': 'src/platform/scrypt-thread.ts',
    },
    outdir: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'esnext',
    platform: 'node',
    conditions: ['bun'],
    external: ['bun', 'wrangler'],
    // Names of chunks depend on paths, which must not depend on the location of the folder.
    preserveSymlinks: true,
    define: {
      PERIDOT_BUNDLE: 'true',
      PERIDOT_SANDBOX: 'false',
      'process.env.NODE_ENV': '"production"',
    },
    // Identifiers are kept for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Bun then runs the files as they are, instead of compiling them as TypeScript first.
    banner: { js: '// @bun' },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const code = outputFiles.map(
    ({ path, contents }) => [`src/${basename(path)}`, Buffer.from(contents)] as const,
  );
  const copied = [
    'LICENSE',
    'compose.yaml',
    'CHANGELOG.md',
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'bench/README.md',
    ...below('public'),
    ...below('docs'),
    ...migrationNames(),
  ];
  const entry = ['src/bun.js', Buffer.from(start)] as const;
  const files = [entry, ...code, ...copied.map((name) => [name, readFileSync(join(root, name))] as const)];
  return { files: new Map([...files, ['package.json', packageJson()] as const].sort(byName)), metafile };
}

export function migrationNames(): string[] {
  const names = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'));
  return names.map((name) => `migrations/${name}`);
}

export function below(folder: string): string[] {
  return listFiles(join(root, folder)).map((name) => `${folder}/${name}`);
}

/** The scripts have the same names as in the repository: `bun run start`, `bun run cli db status`. */
function packageJson(): Buffer {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scripts = { start: 'exec bun src/bun.js', cli: 'bun src/cli.js' };
  const content = { name, version, license, private: true, type: 'module', scripts };
  return Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
