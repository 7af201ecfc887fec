import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us.ts';

const root = join(import.meta.dirname, '../..');

/** One of the project's processes, in a process group that ends with it. */
export interface RunningProcess {
  readonly lines: string[];
  /** Sends a signal only to the process itself. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** A port on which nothing is listening. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Runs one of the project's npm scripts and waits until `ready` matches its output. */
export function runScript(
  script: string[],
  env: Record<string, string>,
  ready: () => Promise<boolean>,
): Promise<RunningProcess> {
  return runProcess(['npm', 'run', '--silent', ...script], { cwd: root, env }, ready);
}

/** Runs a command and waits until `ready` matches its output. */
export async function runProcess(
  [command = '', ...args]: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
  ready: () => Promise<boolean>,
): Promise<RunningProcess> {
  const child = endsWithUs(
    spawn(command, args, {
      cwd,
      detached: true,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => lines.push(text));
  for (let attempt = 0; attempt < 1_800 && child.exitCode === null; attempt += 1) {
    if (await ready().catch(() => false))
      return { lines, signal: (name) => void child.kill(name), stop: () => stop(child) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop(child);
  throw new Error(`${command} ${args.join(' ')} did not come up:\n${lines.join('')}`);
}

/** Ends the whole group: npm, and everything it started. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await exited;
}
