import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Service {
  name: string;
  port: number;
  pid: number;
  /** The settings the service was started with. */
  settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Both functions use a free port, and a separate folder that is removed at the end of the run. */
export interface ServiceSpec {
  name: string;
  command: (port: number, folder: string) => string[];
  settings: (port: number, folder: string) => Record<string, string>;
}

export const projectRoot = join(import.meta.dirname, '..');

const readySeconds = 90;
const patienceMs = 5000;
const scratch = mkdtempSync(join(tmpdir(), 'peridot-bench-'));
const running = new Map<string, ChildProcess>();

/** A folder that is removed at the end of the run. */
export function newFolder(name: string): string {
  return mkdtempSync(join(scratch, `${name}-`));
}

/** The CPU time of a process and its threads so far, in microseconds (proc_pid_stat(5), 100 ticks a second). */
export function cpuMicros(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return 0;
  }
}

/** Starts a service on a free port with a separate folder, and returns when `/healthz` responds. */
export async function startService(spec: ServiceSpec): Promise<Service> {
  const port = await freePort();
  const folder = join(scratch, `${spec.name.replaceAll(' ', '-')}-${port}`);
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'log.txt');
  const log = openSync(logFile, 'w');
  const settings = spec.settings(port, folder);
  const [program = '', ...args] = spec.command(port, folder);
  const child = spawn(program, args, {
    cwd: projectRoot,
    detached: isManyProcesses(program),
    stdio: ['ignore', log, log],
    env: { ...process.env, PATH: localPath(), ...settings },
  });
  closeSync(log);
  running.set(folder, child);
  // Without a listener, a missing program would crash the run before its log is shown.
  child.on('error', () => {});
  await untilReady(spec.name, child, port, logFile);
  return { name: spec.name, port, pid: child.pid ?? 0, settings, stop: () => stopService(folder) };
}

/** Ends all started processes, whatever their state, and deletes their files. */
export async function stopEverything(): Promise<void> {
  await Promise.all([...running.keys()].map(stopService));
  rmSync(scratch, { recursive: true, force: true });
}

/** Ends the services of an interrupted run, because Ctrl-C does not reach separate process groups. */
export function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void stopEverything().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
  process.on('exit', () => {
    for (const child of running.values()) signalService(child, 'SIGKILL');
    rmSync(scratch, { recursive: true, force: true });
  });
}

async function stopService(folder: string): Promise<void> {
  const child = running.get(folder);
  if (child === undefined) return;
  signalService(child, 'SIGTERM');
  const deadline = performance.now() + patienceMs;
  while (isAlive(child) && performance.now() < deadline) await sleep(20);
  signalService(child, 'SIGKILL');
  running.delete(folder);
}

async function untilReady(name: string, child: ChildProcess, port: number, logFile: string): Promise<void> {
  const deadline = performance.now() + readySeconds * 1000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) break;
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
      signal: AbortSignal.timeout(patienceMs),
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`${name} did not become ready:\n${readFileSync(logFile, 'utf8').slice(-3000)}`);
}

/**
 * npm, wrangler and workerd get a separate process group, so that they can be ended together. A server on Bun stays in
 * the load's session: Linux may schedule each session as a unit, and then lets a running thread continue for most of a
 * millisecond when a thread of another session wakes, even at the lowest priority.
 */
function isManyProcesses(program: string): boolean {
  return program !== 'bun';
}

function signalService(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(isManyProcesses(child.spawnfile) ? -child.pid : child.pid, signal);
  } catch {
    return false;
  }
}

function isAlive(child: ChildProcess): boolean {
  return signalService(child, 0);
}

function localPath(): string {
  return [join(projectRoot, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No free port'));
        else resolve(address.port);
      });
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
