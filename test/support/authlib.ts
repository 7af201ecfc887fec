import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endsWithUs } from './ends-with-us.ts';

/** A Python with Authlib, which may not be the first in PATH; null if there is none. */
export const pythonWithAuthlib =
  ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'import authlib, requests']).status === 0,
  ) ?? null;

/** Authlib's report about the person. */
interface Learned {
  readonly claims: Record<string, unknown>;
  readonly userinfo: Record<string, unknown>;
}

/**
 * Signs in with authlib_client.py.
 * @param args its arguments
 * @param open opens an address in a browser, and returns the final address
 */
export async function signInByAuthlib(
  python: string,
  args: string[],
  open: (address: string) => Promise<URL>,
): Promise<Learned> {
  const script = join(import.meta.dirname, 'authlib_client.py');
  const child = endsWithUs(spawn(python, [script, ...args], { stdio: ['pipe', 'pipe', 'pipe'] }));
  const problems: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text) => problems.push(text));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`Authlib failed:\n${problems.join('')}`);
    return value;
  };
  try {
    child.stdin.write(`${await open(await next())}\n`);
    return JSON.parse(await next()) as Learned;
  } finally {
    child.kill();
  }
}
