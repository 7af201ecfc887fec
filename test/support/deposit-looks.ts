import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { all, run } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import { selectDeposits } from '../../src/features/deposit/deposit.ts';
import type { standings } from '../../src/features/deposit/effects.ts';
import { reconcileDeposit } from '../../src/features/deposit/reconcile.ts';
import type { PaymentGateway, PaymentStatus } from '../../src/features/gateway/gateway.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from './file-service.ts';
import type { InProcessTarget } from './in-process.ts';
import { appAccount, fundedWallet, newHolder } from './money.ts';

export type State = PaymentStatus['state'];
type Standing = (typeof standings)[number];

/** The ways in which a deposit reaches its state. */
const ways: Readonly<Record<Standing, readonly string[]>> = {
  creating: [],
  pending: [`status = 'pending', session = 's', url = 'u'`],
  ended: [`status = 'expired'`],
  rejected: [`status = 'failed', failure = 'rejected', payment = id`],
  review: [`status = 'review', payment = id, paid = 9000, paid_currency = 'IDR'`],
  credited: [`status = 'credited', payment = id, credited_at = 2`],
  reversed: [
    `status = 'credited', payment = id, credited_at = 2`,
    `status = 'reversed', reversed_at = 3, returned = gross`,
  ],
};

/** The changes to a document. */
export interface Found {
  readonly becomes: string;
  readonly moves: string;
  readonly audit: string;
  readonly events: string;
}

const app = 'app_looks';

/**
 * A service with deposits in the state that a test needs, and a provider with the responses that the test needs. The
 * books balance at the end.
 */
export function useDepositLooks() {
  let files: ServiceFiles;
  let service: InProcessTarget;
  let count = 0;
  beforeAll(async () => {
    files = await makeServiceFiles();
    service = await openFileService(files, {
      IDP_ISSUER: inject('lyingIssuer'),
      IDP_CLIENT_ID: 'peridot',
      IDP_CLIENT_SECRET: 'provider secret',
      RATE_LIMITS: '{"*":1000000}',
      ACCESS_TTL_SECONDS: '86400',
    });
    const owner = await newHolder(service);
    await service.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
      [app, owner.handle],
    );
  });
  afterAll(async () => {
    const broken = Object.entries(await run(service.deps.db, moneyInvariants(0)));
    await service.close();
    await files.remove();
    expect(broken.filter(([, rows]) => rows.length > 0)).toEqual([]);
  });

  /** A deposit of 10,000 with an app fee and an operator fee. */
  async function depositIn(standing: Standing, own?: { handle: string; account: number }): Promise<string> {
    count += 1;
    const id = `dep_${String(count).padStart(26, '0')}`;
    const handle = own?.handle ?? `payer${count}`;
    const account = own?.account ?? (await fundedWallet(service, handle, 0));
    await service.rows(
      `INSERT INTO deposits (id, handle, account, app_account, app_id, asset, gross, app_fee, platform_fee, net, gateway,
          created_at, updated_at, expires_at, next_at)
        VALUES (?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER), ?, 'IDR', 10000, 100, 50, 9850, 'sandbox', ?, ?, ?, ?)`,
      [
        ...[id, handle, account, await appAccount(service, app), app],
        ...[service.now(), service.now(), service.now() + 3_600_000, service.now()],
      ],
    );
    for (const way of ways[standing])
      await service.rows(`UPDATE deposits SET ${way}, tries = tries + 1 WHERE id = ?`, [id]);
    await service.rows('UPDATE deposits SET tries = tries + 1 WHERE id = ?', [id]);
    return id;
  }

  /** Sets the provider's next response. */
  async function look(
    id: string,
    said: Partial<PaymentStatus> & { state: State },
    { stale = false, deps = service.deps }: { stale?: boolean; deps?: Deps } = {},
  ) {
    const isPaid = /paid|captured|refunded/.test(said.state);
    const payment = { id: said.payment ?? id, amount: 10_000, currency: 'IDR', method: 'card' };
    const gateway: Partial<PaymentGateway> = {
      getStatus: async () => ({ payments: isPaid ? [payment] : [], payment: id, ...said }),
      createCheckout: async ({ expiresAt }) => ({ session: 's', url: 'u', expiresAt }),
      cancelCheckout: async () => {},
    };
    if (!stale) await service.rows('UPDATE deposits SET tries = tries + 1 WHERE id = ?', [id]);
    const [row] = await all(service.deps.db, selectDeposits(sql`id = ${id}`));
    if (!row) throw new Error('no deposit');
    const claimed = stale ? { ...row, tries: row.tries - 1 } : row;
    await reconcileDeposit(deps, gateway as PaymentGateway, claimed);
  }

  /** The newest leg, audit line and event. */
  async function marks() {
    const [row] = await service.rows<{ leg: number; line: number; event: number }>(
      `SELECT (SELECT coalesce(max(seq), 0) FROM legs) AS leg, (SELECT coalesce(max(seq), 0) FROM audit_log) AS line,
        (SELECT coalesce(max(seq), 0) FROM webhook_events) AS event`,
    );
    return row ?? { leg: 0, line: 0, event: 0 };
  }

  /** Returns the changes to a document since then. */
  async function since(
    { leg, line, event }: Awaited<ReturnType<typeof marks>>,
    table: 'deposits' | 'withdrawals',
    id: string,
  ): Promise<Found> {
    const list = async (query: string, from: number | string) => {
      const rows = await service.rows<{ what: string }>(query, [from]);
      return rows.map(({ what }) => what).join(', ') || '-';
    };
    return {
      becomes: await list(
        `SELECT status || coalesce(' (' || failure || ')', '') AS what FROM ${table} WHERE id = ?`,
        id,
      ),
      moves: await list(
        `SELECT d.kind || ' to ' || c.kind || ' ' || l.amount || iif(l.phase = 'void', ' void', '') AS what FROM legs l JOIN accounts d ON d.id = l.debit
          JOIN accounts c ON c.id = l.credit WHERE l.seq > ? ORDER BY l.seq`,
        leg,
      ),
      audit: await list('SELECT action AS what FROM audit_log WHERE seq > ? ORDER BY seq', line),
      events: await list('SELECT type AS what FROM webhook_events WHERE seq > ? ORDER BY type', event),
    };
  }
  return {
    get service() {
      return service;
    },
    app,
    depositIn,
    look,
    marks,
    since,
  };
}
