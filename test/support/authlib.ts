import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Learned, signInByProgram } from './client-program.ts';

/** A Python with Authlib, which may not be the first in PATH; null if there is none. */
export const pythonWithAuthlib =
  ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import authlib, requests']).status === 0,
  ) ?? null;

/**
 * Signs in with authlib_client.py.
 * @param args its arguments
 * @param open opens an address in a browser, and returns the final address
 */
export function signInByAuthlib(
  python: string,
  args: string[],
  open: (address: string) => Promise<URL>,
): Promise<Learned> {
  return signInByProgram([python, join(import.meta.dirname, 'authlib_client.py'), ...args], open);
}
