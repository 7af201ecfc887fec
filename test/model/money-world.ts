import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import {
  all,
  type Database,
  integer,
  run,
  type Statement,
  statement,
  type Value,
} from '../../src/db/database.ts';
import { AppError } from '../../src/errors.ts';
import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import type { LimitsInForce } from '../../src/features/ledger/limits.ts';
import { adjust, insertAppAccounts, insertWallet, isOpen } from '../../src/features/ledger/statements.ts';
import {
  type Capture,
  capture,
  explainCapture,
  readHold,
  release,
} from '../../src/features/transfer/hold-statements.ts';
import { acting } from '../../src/features/transfer/read.ts';
import { type Refund, readRefund, refund } from '../../src/features/transfer/refund-statements.ts';
import {
  type Confirmation,
  confirm,
  explainConfirm,
  inquire,
  type NewInquiry,
  readInquired,
} from '../../src/features/transfer/statements.ts';
import { breakDatabase, type Fault } from '../support/break-database.ts';
import { type Model, peopleCount } from './money-model.ts';

/** Counts each verdict and each fault across all runs. */
export type Tally = Map<string, number>;

/** People, an app and their accounts, in a database that earlier runs may have used. */
export interface MoneyWorld {
  /** For requests that the model follows; fails as planned. */
  readonly db: Database;
  plan(faults: readonly Fault[]): void;
  /** For everything else. */
  readonly raw: Database;
  readonly name: string;
  readonly people: readonly { readonly handle: string; readonly session: string }[];
  readonly app: string;
  /** By the names in the model. */
  readonly accounts: ReadonlyMap<number | string, number>;
  readonly tally: Tally;
  /** The last leg before this run. */
  readonly firstLeg: number;
  /** Guards were removed on purpose, so the remaining ones may reject. */
  readonly isMutated: boolean;
  /** The operator accounts' balances before this run. */
  readonly before: ReadonlyMap<number | string, number>;
  /** The wallets' limits. */
  limits: LimitsInForce;
  now: number;
  count: number;
}

export const text = <Row>(query: string, values: Value[] = []): Statement<Row> => ({ text: query, values });
const years = 10 * 365 * 86_400_000;
const startedAt = Date.UTC(2026, 0, 1);

export function newId(world: MoneyWorld): string {
  world.count += 1;
  return `${world.name}x${world.count}`;
}

export function note(world: MoneyWorld, what: string): void {
  world.tally.set(what, (world.tally.get(what) ?? 0) + 1);
}

interface WorldOptions {
  /** No other run in this database may have it. */
  readonly name: string;
  readonly tally: Tally;
  readonly isMutated: boolean;
}

/** Starts a run with new people. */
export async function openWorld(raw: Database, options: WorldOptions): Promise<MoneyWorld> {
  const { name } = options;
  const people = Array.from({ length: peopleCount }, (_, index) => ({
    handle: `p${name}.${index}`,
    session: `ses_${name}_${index}`,
  }));
  const now = startedAt;
  const app = `app_${name}`;
  await raw.batch([
    text(`UPDATE ledger SET mode = 'open', withdrawals = 1, limits = NULL`),
    // Nobody waits for anything from an earlier run.
    text('UPDATE deposits SET next_at = NULL WHERE next_at IS NOT NULL'),
    text(
      `UPDATE transfers SET status = 'cancelled', released_at = expires_at WHERE held_at IS NOT NULL AND status = 'open'`,
    ),
    text('UPDATE withdrawals SET next_at = ? WHERE next_at IS NOT NULL', [startedAt + years]),
    ...people.flatMap(({ handle, session }) => [
      text(`INSERT INTO identities (handle, skeleton, ticket, created_at) VALUES (?, ?, ?, 1)`, [
        handle,
        handle,
        handle,
      ]),
      text(
        `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
          VALUES (?, ?, 'idp', ?, 1, 1)`,
        [`crd_${handle}`, handle, handle],
      ),
      text(
        `INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
          token_hash, token_expires_at) VALUES (?, ?, ?, 'idp', 1, 1, 1, ?, ?, 2)`,
        [session, handle, `crd_${handle}`, now + years, session],
      ),
    ]),
    ...people.map(({ session }) => insertWallet(session, now)),
    text(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
      [app, people.at(-1)?.handle ?? ''],
    ),
    text(`INSERT INTO app_secrets (hash, id, app_id, hint, created_at) VALUES (?, ?, ?, '', 1)`, [
      app,
      app,
      app,
    ]),
    insertAppAccounts(sql`SELECT id FROM apps WHERE id = ${app}`, now),
  ]);
  const rows = await all(
    raw,
    text<{ id: number; owner: string; kind: string }>(
      `SELECT id, owner, kind FROM accounts WHERE owner IN ('system', 'debts', ?, ?, ?, ?, ?)`,
      [app, ...people.map(({ handle }) => handle)],
    ),
  );
  const nameOf = (owner: string, kind: string) => {
    if (owner === app) return 'app';
    if (owner === 'debts') return 'debts';
    return owner === 'system' ? kind : people.findIndex(({ handle }) => handle === owner);
  };
  const accounts = new Map(rows.map(({ id, owner, kind }) => [nameOf(owner, kind), id]));
  const [last] = await all(raw, text<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM legs'));
  const { db, plan } = breakDatabase(raw);
  const firstLeg = last?.seq ?? 0;
  const before = await balances(raw, accounts);
  return { ...options, db, plan, raw, people, app, accounts, firstLeg, before, limits: null, now, count: 0 };
}

async function balances(
  db: Database,
  accounts: ReadonlyMap<number | string, number>,
): Promise<Map<number | string, number>> {
  const rows = await all(
    db,
    text<{ id: number; balance: number; held: number; debt: number }>(
      `SELECT id, credits_posted - debits_posted AS balance, debits_pending AS held, debt FROM accounts WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify([...accounts.values()])],
    ),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    [...accounts].flatMap(([name, id]) => [
      [name, byId.get(id)?.balance ?? Number.NaN],
      [`held ${name}`, byId.get(id)?.held ?? Number.NaN],
      [`debt ${name}`, byId.get(id)?.debt ?? Number.NaN],
    ]),
  );
}

/** Every account's balance matches the model. */
export async function expectBalances(model: Model, world: MoneyWorld): Promise<void> {
  for (const [name, balance] of await balances(world.raw, world.accounts)) {
    assert.equal(
      balance - (world.before.get(name) ?? 0),
      model.balances.get(name) ?? 0,
      `the balance of ${name}`,
    );
  }
}

/** No invariant is violated, and every document and grant matches the model. */
export async function expectAgreement(model: Model, world: MoneyWorld): Promise<void> {
  await expectInvariants(world.raw, world.firstLeg);
  const rows = await all(
    world.raw,
    text<{ id: string; status: string; refunded: number }>(
      `SELECT id, status, refunded FROM transfers WHERE payer IN (?, ?, ?, ?)`,
      world.people.map(({ handle }) => handle),
    ),
  );
  const found = new Map(rows.map(({ id, status, refunded }) => [id, `${status} ${refunded}`]));
  const known = new Map(model.transfers.map(({ id, status, refunded }) => [id, `${status} ${refunded}`]));
  assert.deepEqual(found, known);
  const outflows = await all(
    world.raw,
    text<{ account: number; day: string; today: number; thisMonth: number }>(
      `SELECT account, day, day_total AS today, month_total AS thisMonth FROM outflows
        WHERE account IN (SELECT value FROM json_each(?)) ORDER BY account`,
      [JSON.stringify(world.people.map((_, index) => world.accounts.get(index) ?? 0))],
    ),
  );
  const gone = model.people
    .map(({ out }, index) => ({ account: world.accounts.get(index) ?? 0, ...out }))
    .filter(({ day }) => day !== '')
    .sort((one, other) => one.account - other.account);
  assert.deepEqual(outflows, gone);
  const grants = await all(
    world.raw,
    text<{ id: string; total: number; uses: number }>(
      `SELECT id, spent_total AS total, uses FROM grants WHERE app_id = ?`,
      [world.app],
    ),
  );
  const spent = model.grants.map(({ id, spentTotal, uses }) => ({ id, total: spentTotal, uses }));
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  assert.deepEqual(grants.sort(byId), spent.sort(byId));
}

/** @param after the last leg that need not be checked; 0 checks everything */
export async function expectInvariants(db: Database, after: number): Promise<void> {
  const broken = await run(db, moneyInvariants(after));
  assert.deepEqual(
    Object.entries(broken).filter(([, rows]) => rows.length > 0),
    [],
  );
}

/** Returns whether a remaining guard has rejected because another was removed. */
export const isGuarded = ({ isMutated }: Pick<MoneyWorld, 'isMutated'>, error: unknown): boolean =>
  isMutated && /guard:|constraint failed/.test(String(error));

/** Returns the response to a caller. */
async function answerOf(world: MoneyWorld, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return 'unavailable';
    if (isGuarded(world, error)) return 'guarded';
    throw error;
  }
}

/** Stores an inquiry like the service. */
export function sendInquiry(world: MoneyWorld, inquiry: NewInquiry): Promise<string> {
  const { db } = world;
  return answerOf(world, async () => {
    const { stored } = await run(db, { change: [inquire(inquiry)], stored: readInquired(inquiry.id) });
    return stored[0]?.id === inquiry.id ? 'stored' : `ledger_${stored[0]?.mode}`;
  });
}

/** Confirms like the service: if nothing changed, another round trip explains why. */
export function sendConfirm(world: MoneyWorld, request: Omit<Confirmation, 'limits'>): Promise<string> {
  const { db, limits } = world;
  return answerOf(world, async () => {
    const v = { ...request, limits };
    const done = await all(db, confirm(v));
    if (done.length > 0) return 'confirmed';
    const [why] = await all(db, explainConfirm(v));
    if (why?.verdict === 'limit_exceeded') return String(why.exceeded);
    return why?.verdict === 'ok' ? 'confirmed' : String(why?.verdict);
  });
}

/** Captures like the service, with the fees for that amount. */
export function sendCapture(
  world: MoneyWorld,
  v: Omit<Capture, 'app' | 'acting' | 'limits'>,
): Promise<string> {
  return answerOf(world, async () => {
    const capturing = { ...v, ...byApp(world, v.now), limits: world.limits };
    if ((await all(world.db, capture(capturing))).length > 0) return 'ok';
    return String((await all(world.db, explainCapture(capturing)))[0]?.verdict);
  });
}

/** Releases like the service. @returns the hold's status, if the app may see it */
export function sendRelease(world: MoneyWorld, v: { id: string; now: number }): Promise<string> {
  return answerOf(world, async () => {
    const ending = { ...v, ...byApp(world, v.now) };
    const { rows } = await run(world.db, { change: [release(ending)], rows: readHold(ending) });
    return String(rows[0]?.status);
  });
}

const byApp = ({ app }: MoneyWorld, now: number) => ({
  app,
  acting: acting({ by: 'token', handle: null, sessionId: null, appId: app, grantId: null, scopes: [] }, now),
});

/** Refunds like the service. */
export function sendRefund(world: MoneyWorld, v: Refund): Promise<string> {
  const { db } = world;
  return answerOf(world, async () => {
    const { rows } = await run(db, { change: [refund(v)], rows: readRefund(v) });
    return String(rows[0]?.verdict);
  });
}

/** Moves money by an operator document, if there is enough. */
export function sendAdjustment(
  world: MoneyWorld,
  { kind, from, to, amount }: { kind: 'correction' | 'sweep'; from: number; to: number; amount: number },
): Promise<string> {
  const { db, now } = world;
  const id = newId(world);
  return answerOf(world, async () => {
    await all(
      db,
      adjust(sql`SELECT ${id}, ${kind}, d.id, c.id, ${integer(amount)}, NULL, 'model', 'model', NULL, NULL, ${now}
        FROM accounts d JOIN accounts c ON c.id = ${to} AND c.status = 'active'
        WHERE d.id = ${from} AND d.status = 'active' AND ${isOpen}
          AND (d.may_overdraw = 1 OR d.credits_posted - d.debits_posted - d.debits_pending >= ${integer(amount)})`),
    );
    const found = await all(db, statement(sql`SELECT 1 FROM adjustments WHERE id = ${id}`));
    return found.length > 0 ? 'moved' : 'refused';
  });
}
