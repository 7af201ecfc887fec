import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'sdk');

/** The package's entries. */
export const entries = ['index', 'messages', 'react', 'server'] as const;

/**
 * The maximum size of each file, minified and gzipped, with everything that it imports statically. Code imported on
 * first use is in a separate file.
 */
export const budgets: Readonly<Record<string, number>> = {
  'index.js': 5_700,
  'popup-flow.js': 1_850,
  'ceremonies.js': 1_250,
  'claim.js': 400,
  'diagnose.js': 300,
  'email.js': 500,
  'me.js': 400,
  'money.js': 950,
  'own-credentials.js': 400,
  'popup-steps.js': 450,
  'popup-tokens.js': 800,
  'providers.js': 200,
  'redirect.js': 500,
  'sessions.js': 300,
  'messages.js': 1_500,
  'react.js': 900,
  'server.js': 3_300,
  'server-dpop.js': 1_200,
};

const common = {
  bundle: true,
  target: 'es2022',
  external: ['react'],
  legalComments: 'none',
  logLevel: 'error',
} satisfies BuildOptions;

/** A file in the package: its text, and the package files that it imports statically. */
export interface PackageFile {
  readonly text: string;
  readonly imports: readonly string[];
}

/** The package's files by name: the entries, and the files that they import on first use. */
export async function packageFiles({ minify }: { minify: boolean }): Promise<Map<string, PackageFile>> {
  const { outputFiles, metafile } = await build({
    ...common,
    write: false,
    entryPoints: entries.map((entry) => join(sources, `${entry}.ts`)),
    format: 'esm',
    minify,
    splitting: true,
    metafile: true,
    absWorkingDir: sources,
    outdir: sources,
    chunkNames: '[name]',
  });
  return new Map(
    outputFiles.map(({ path, text }) => {
      const name = basename(path);
      const imports = (metafile.outputs[name]?.imports ?? [])
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map((imported) => imported.path);
      return [name, { text, imports }];
    }),
  );
}

/** A file's size with everything that it imports statically. */
export function weightOf(files: ReadonlyMap<string, PackageFile>, name: string): number {
  const loaded = new Set([name]);
  for (const each of loaded) for (const imported of files.get(each)?.imports ?? []) loaded.add(imported);
  return [...loaded].reduce((bytes, each) => bytes + gzippedBytes(files.get(each)?.text ?? ''), 0);
}

/** The file `pid.js`, which assigns the SDK's exports to the global `Pid`. */
export async function scriptBundle(): Promise<string> {
  const { outputFiles } = await build({
    ...common,
    write: false,
    entryPoints: [join(sources, 'index.ts')],
    format: 'iife',
    minify: true,
    globalName: 'Pid',
  });
  return outputFiles[0]?.text ?? '';
}

/** The value of a script element's `integrity` attribute. */
export function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}

function gzippedBytes(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
