import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** True in a release (scripts/release/service.ts), whose modules are all in one folder. */
declare const PERIDOT_BUNDLE: boolean;
export const isBundle = typeof PERIDOT_BUNDLE !== 'undefined' && PERIDOT_BUNDLE;

/** True in the executable of a release (scripts/release/executable.ts), which contains all files. */
export const isExecutable = import.meta.dirname.startsWith('/$bunfs/');

/** The folder with `migrations/` and `public/`. */
export const projectFolder = join(import.meta.dirname, isExecutable ? '.' : isBundle ? '..' : '../..');

/** The version of the service, as in `package.json`. */
export function readVersion(): string {
  return JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version;
}

/** The module of a thread, given relative to this folder. */
export function threadModule(file: string): string {
  return join(import.meta.dirname, isBundle ? basename(file).replace(/\.ts$/, '.js') : file);
}
