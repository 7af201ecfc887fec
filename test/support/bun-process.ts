import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us.ts';
import { freePort } from './processes.ts';
import { type TargetVariables, testDefaults } from './target.ts';

const root = join(import.meta.dirname, '../..');

/** A process's exit, and all of its output. */
export interface Ending {
  readonly code: number | null;
  readonly output: string;
  readonly tookMs: number;
}

/**
 * The entry itself in a separate process, without npm in between: signals reach it directly, and the exit code is its
 * own.
 */
export interface BunProcess {
  readonly origin: string;
  readonly port: number;
  /** The database's path. */
  readonly file: string;
  output(): string;
  /** Sends a signal, and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<Ending>;
  /** Ends the process if it is still running, and removes its folder. */
  close(): Promise<void>;
}

type Command = readonly [string, ...string[]];
export const bun = join(root, 'node_modules/.bin/bun');
export const entryFile = join(root, 'src/bun.ts');
const entry: Command = [bun, entryFile];
/** As in the README; a signal then reaches only npm. */
export const npmStart: Command = ['npm', 'start', '--silent'];

const inMemory = { DATABASE_URL: 'file::memory:', KV_URL: 'file::memory:' };

/** Runs the entry until it exits, without files. */
export async function runBun(variables: TargetVariables): Promise<Ending> {
  const { child, output } = spawnEntry({ ...inMemory, ...variables });
  return ended(child, output);
}

/**
 * Starts the entry and kills it when a promise settles.
 * @param moment called with the entry's output so far
 */
export async function killBun(
  variables: TargetVariables,
  moment: (output: () => string) => Promise<unknown>,
): Promise<Ending> {
  const PORT = String(await freePort());
  const { child, output } = spawnEntry({ ...testDefaults, PORT, ...variables });
  const ending = ended(child, output);
  await moment(output);
  child.kill('SIGKILL');
  return ending;
}

/** Starts the entry and waits until it is ready. */
export async function startBun(
  variables: TargetVariables = {},
  command: Command = entry,
): Promise<BunProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-bun-'));
  const file = join(folder, 'peridot.db');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const stores = { DATABASE_URL: `file:${file}`, KV_URL: `file:${join(folder, 'kv.db')}` };
  const settings = { ...testDefaults, ...stores, PORT: String(port), ...variables };
  const { child, output } = spawnEntry(settings, command);
  const end = (signal: NodeJS.Signals) => {
    const ending = ended(child, output);
    child.kill(signal);
    return ending;
  };
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 2_000 && child.exitCode === null; attempt += 1) {
    const ready = await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return { origin, port, file, output, end, close };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await close();
  throw new Error(`the entry did not come up:\n${output()}`);
}

function spawnEntry(
  variables: TargetVariables,
  [command, ...rest]: Command = entry,
): { child: ChildProcess; output(): string } {
  const child = endsWithUs(
    spawn(command, rest, {
      cwd: root,
      // This process's own environment must not supply variables that a test omits.
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  return { child, output: () => parts.join('') };
}

async function ended(child: ChildProcess, output: () => string): Promise<Ending> {
  const startedAt = performance.now();
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output: output(), tookMs: performance.now() - startedAt };
}
