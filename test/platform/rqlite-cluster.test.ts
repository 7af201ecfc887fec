import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { secretHash } from '../../src/lib/secret.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { inspectCluster } from '../../src/platform/database/rqlite-check.ts';
import { serveOverLibsql } from '../support/over-libsql.ts';
import { type Member, newMember } from '../support/people.ts';
import { addressOf, hasRqlite, type RqliteNode, startCluster, startRqlite } from '../support/rqlite.ts';
import { testDefaults } from '../support/target.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const variables = () => ({
  ...testDefaults,
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  RATE_LIMITS: '{"*":1000000}',
});

const kills = Number(process.env['KILLS'] ?? 3);
const people = 12;
const writers = 8;

/** A cluster, and what was acknowledged by it. */
interface Stage {
  readonly nodes: readonly RqliteNode[];
  /** When the last change was acknowledged. */
  lastAt: number;
  isOver: boolean;
}

async function openStage() {
  const nodes = await startCluster(3, { isRepaired: true, isMigrated: true });
  ends.push(() => Promise.all(nodes.map((node) => node.close())));
  const opened = await openLibsql(addressOf(...nodes));
  await opened.db.batch([
    { text: 'CREATE TABLE written (id TEXT PRIMARY KEY, n INTEGER) STRICT', values: [] },
  ]);
  const target = await serveOverLibsql(variables(), async () => opened);
  ends.push(target.close);
  const stage: Stage = { nodes, lastAt: 0, isOver: false };
  return { stage, target, db: opened.db };
}

async function leaderOf(nodes: readonly RqliteNode[]): Promise<RqliteNode> {
  for (;;) {
    for (const node of nodes) if (await node.isLeader().catch(() => false)) return node;
    await sleep(20);
  }
}

/** Kills the leader, waits for the next acknowledged change, and starts the node again. */
async function killLeader(stage: Stage): Promise<number> {
  const leader = await leaderOf(stage.nodes);
  const killedAt = performance.now();
  await leader.kill();
  const deadAt = performance.now();
  while (stage.lastAt < deadAt + 1) await sleep(5);
  const waitedMs = stage.lastAt - killedAt;
  await leader.start();
  await sleep(200);
  return waitedMs;
}

/** Refreshes one after the other; a response other than 204 and 503 is a sign-out. */
async function refreshAll(stage: Stage, { browser }: Member, strange: string[]): Promise<number> {
  let count = 0;
  while (!stage.isOver) {
    const answer = await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    if (answer.status === 204) {
      count += 1;
      stage.lastAt = performance.now();
    } else if (answer.status !== 503) strange.push(`${answer.status} ${await answer.text()}`);
    await sleep(5);
  }
  return count;
}

describe.runIf(hasRqlite)('three real nodes of rqlite', () => {
  it(`lose nothing that was acknowledged while the leader is killed ${kills} times`, async () => {
    const { stage, target, db } = await openStage();
    const members = await Promise.all(Array.from({ length: people }, () => newMember(target)));
    const acknowledged: string[] = [];
    const strange: string[] = [];
    const write = async (writer: number) => {
      for (let n = 0; !stage.isOver; n += 1) {
        const id = `${writer}.${n}`;
        const insert = { text: 'INSERT INTO written VALUES (?, ?) ON CONFLICT DO NOTHING', values: [id, n] };
        const found = { text: 'SELECT n FROM written WHERE id = ?', values: [id] };
        const rows = await db.batch([insert, found]).catch(() => null);
        if (rows === null) continue;
        expect(rows[1]).toEqual([{ n }]);
        acknowledged.push(id);
        stage.lastAt = performance.now();
      }
    };
    const work = [
      ...members.map((member) => refreshAll(stage, member, strange)),
      ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ];
    const waits: number[] = [];
    await sleep(300);
    for (let kill = 0; kill < kills; kill += 1) waits.push(await killLeader(stage));
    stage.isOver = true;
    const counts = await Promise.all(work);
    const refreshes = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    if (process.env['KILLS'])
      console.log({ writes: acknowledged.length, refreshes, waitsMs: waits.map(Math.round) });
    expect(strange).toEqual([]);
    await sameEverywhere(stage.nodes, 'SELECT id FROM written ORDER BY id', (rows) => {
      const ids = new Set(rows.map(([id]) => id));
      return acknowledged.filter((id) => !ids.has(id));
    });
    const hashes = await Promise.all(members.map(({ browser }) => browser.cookie('pid_refresh')));
    await sameEverywhere(stage.nodes, 'SELECT token_hash FROM sessions', (rows) => {
      const stored = new Set(rows.map(([hash]) => hash));
      return hashes.filter((token) => !stored.has(secretHash(token?.split('.')[0] ?? '')));
    });
    for (const { browser } of members)
      expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  }, 120_000);

  it('continue while the leader hangs, return 503 without a quorum, and recover without a restart', async () => {
    const { stage, target } = await openStage();
    const member = await newMember(target);
    const refresh = () => member.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const hung = await leaderOf(stage.nodes);
    hung.signal('SIGSTOP');
    await expect.poll(async () => (await refresh()).status, { timeout: 10_000 }).toBe(204);
    hung.signal('SIGCONT');
    const [first, ...others] = stage.nodes;
    await Promise.all(others.map((node) => node.kill()));
    const askedAt = performance.now();
    const answer = await refresh();
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(performance.now() - askedAt).toBeLessThan(4_000);
    expect((await member.browser.fetch('/v1/auth/session')).status).toBe(200);
    await others[0]?.start();
    await expect.poll(async () => (await refresh()).status, { timeout: 10_000 }).toBe(204);
    // Another cluster's node is found out, even though it responds.
    const stranger = await startRqlite();
    ends.push(stranger.close);
    await expect(inspectCluster(addressOf(...(first ? [first] : []), stranger))).rejects.toThrow(
      'are not two nodes of one cluster',
    );
  }, 120_000);
});

/** Waits until no node lacks anything. */
async function sameEverywhere(
  nodes: readonly RqliteNode[],
  text: string,
  missing: (rows: unknown[][]) => unknown[],
): Promise<void> {
  for (const node of nodes)
    await expect.poll(async () => missing(await node.own(text)), { timeout: 10_000 }).toEqual([]);
}
