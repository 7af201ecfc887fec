import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { endsWithUs } from './ends-with-us.ts';

/** What a third-party client learned from a sign-in. */
export interface Learned {
  readonly claims: Record<string, unknown>;
  readonly userinfo: Record<string, unknown>;
}

/** With a refresh. */
export interface LearnedMore extends Learned {
  readonly idToken: string;
  /** Whether the refresh returned another access token and another refresh token. */
  readonly rotated: boolean;
  /** Userinfo after the refresh. */
  readonly refreshed: Record<string, unknown>;
}

/**
 * Signs in with the program of a third-party client, which prints the address that a browser has to open, reads the
 * final address, and prints a report as JSON.
 * @param open opens an address in a browser, and returns the final address
 */
export async function signInByProgram<Report>(
  [command = '', ...args]: string[],
  open: (address: string) => Promise<URL>,
): Promise<Report> {
  const child = endsWithUs(spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] }));
  const problems: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text) => problems.push(text));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (!done) return value;
    await closed;
    throw new Error(`${command} failed:\n${problems.join('')}`);
  };
  try {
    child.stdin.write(`${await open(await next())}\n`);
    return JSON.parse(await next()) as Report;
  } finally {
    child.kill();
  }
}

/** Runs a program to completion; if it fails, rejects with its error output. */
export async function runToEnd(
  [command = '', ...args]: string[],
  env: Record<string, string> = {},
): Promise<void> {
  await promisify(execFile)(command, args, { env: { ...process.env, ...env } });
}

/** The request with another nonce. */
export function withOtherNonce(request: string): URL {
  const changed = new URL(request);
  if (!changed.searchParams.has('nonce')) throw new Error('the request has no nonce');
  changed.searchParams.set('nonce', 'the nonce of somebody else');
  return changed;
}
