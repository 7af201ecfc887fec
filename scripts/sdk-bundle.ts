import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'src/sdk');

/** The file that a page includes by a script element; the service serves it. */
export const scriptFile = join(root, 'public/sdk/v1/pid.js');

/** What each entry may weigh, minified and gzipped. */
export const budgets = { index: 7_100, react: 900 } as const;

export type Entry = keyof typeof budgets;

interface Options {
  readonly minify: boolean;
  readonly format?: 'esm' | 'iife';
}

/** One file of an entry and everything it imports, as text. */
export async function bundle(entry: Entry, { minify, format = 'esm' }: Options): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(sources, `${entry}.ts`)],
    bundle: true,
    write: false,
    minify,
    format,
    ...(format === 'iife' ? { globalName: 'Pid' } : {}),
    target: 'es2022',
    external: ['react'],
    legalComments: 'none',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** The file at /sdk/v1/pid.js, which puts the SDK's exports into the global `Pid`. */
export function scriptBundle(): Promise<string> {
  return bundle('index', { minify: true, format: 'iife' });
}

/** What the `integrity` attribute of a script element takes. */
export function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}

export function gzippedBytes(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
