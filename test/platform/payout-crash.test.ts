import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { all } from '../../src/db/database.ts';
import { workPayouts } from '../../src/features/withdrawal/payout.ts';
import { cancel } from '../../src/features/withdrawal/statements.ts';
import { openFile } from '../../src/platform/database/libsql-file.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { expectInvariants, openWorld, sendAdjustment, text } from '../model/money-world.ts';
import { endsWithUs } from '../support/ends-with-us.ts';
import { holdOne, payoutDeps } from '../support/payout-deps.ts';
import { openFileProvider, payoutsIn } from '../support/payout-file.ts';

const root = join(import.meta.dirname, '../..');
/** PAYOUT_CRASHES=200 takes minutes. */
const rounds = Number(process.env['PAYOUT_CRASHES'] ?? 40);
const amount = 10_000;
const fee = 500;
const funds = 1_000_000_000;

/** Runs the worker in a separate process until it kills itself at a chosen point. @returns the signal */
async function crash(file: string, provider: string, now: number, killAt: number): Promise<string | null> {
  const writer = endsWithUs(
    spawn(
      join(root, 'node_modules/.bin/bun'),
      [join(root, 'test/support/payout-writer.ts'), file, provider, String(now), String(killAt)],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
    ),
  );
  const [, signal] = await once(writer, 'close');
  return signal;
}

it('killing a worker between mark, call and write neither repeats a payout nor returns one that was made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-payout-crash-'));
  const [file, provider] = [join(folder, 'peridot.db'), join(folder, 'provider.jsonl')];
  const { db, close } = openFile(file);
  await migrate(db, join(root, 'migrations'));
  const world = await openWorld(db, { name: 'crash', tally: new Map(), isMutated: false });
  await db.batch([text('UPDATE ledger SET withdrawals = 1')]);
  const ids = { from: world.accounts.get('gateway') ?? 0, to: world.accounts.get(0) ?? 0 };
  expect(await sendAdjustment(world, { kind: 'correction', ...ids, amount: funds })).toBe('moved');
  let now = world.now;
  const deps = payoutDeps(db, () => now);
  let killed = 0;
  for (let round = 0; round < rounds; round += 1) {
    now += 61_000;
    for (const which of ['a', 'b']) {
      const sessionId = world.people[0]?.session ?? '';
      expect(await holdOne(deps, { id: `wdr_-${round}${which}`, sessionId, amount, fee })).toBe(true);
    }
    if ((await crash(file, provider, now, 1 + (round % 10))) === 'SIGKILL') killed += 1;
    // Takes effect only where the worker died before its mark.
    await all(db, cancel({ id: `wdr_-${round}b`, sessionId: world.people[0]?.session ?? '', now }));
    await expectInvariants(db, 0);
  }
  expect(killed).toBe(rounds);

  const gateway = openFileProvider(provider);
  for (let hour = 0; hour < 12; hour += 1) {
    now += 3_600_000;
    await workPayouts(deps, gateway);
  }
  const rows = await all(
    db,
    text<{ id: string; status: string }>('SELECT id, status FROM withdrawals ORDER BY id'),
  );
  const made = payoutsIn(provider);
  const sent = rows.filter(({ status }) => status !== 'cancelled');
  expect(rows).toHaveLength(2 * rounds);
  expect(rows.length - sent.length).toBeGreaterThanOrEqual(Math.floor(rounds / 10));
  expect(sent).toEqual(
    made.map(({ id, state }) => ({ id, status: state })).sort((one, other) => (one.id < other.id ? -1 : 1)),
  );
  const paid = made.filter(({ state }) => state === 'paid').length;
  const [wallet] = await all(
    db,
    text<{ balance: number; held: number }>(
      'SELECT credits_posted - debits_posted AS balance, debits_pending AS held FROM accounts WHERE id = ?',
      [ids.to],
    ),
  );
  expect(wallet).toEqual({ balance: funds - paid * (amount + fee), held: 0 });
  await expectInvariants(db, 0);
  close();
  await rm(folder, { recursive: true, force: true });
}, 1_800_000);
