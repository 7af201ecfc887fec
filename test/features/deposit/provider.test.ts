import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { all } from '../../../src/db/database.ts';
import type { Deps } from '../../../src/deps.ts';
import { checkout } from '../../../src/features/deposit/checkout.ts';
import { selectDeposits } from '../../../src/features/deposit/deposit.ts';
import { reconcileDue } from '../../../src/features/deposit/due.ts';
import { nextLook } from '../../../src/features/deposit/looks.ts';
import { takeNotification } from '../../../src/features/deposit/notification.ts';
import { reconcileDeposit } from '../../../src/features/deposit/reconcile.ts';
import type { Deposit } from '../../../src/features/deposit/schema.ts';
import type { Payment, PaymentGateway } from '../../../src/features/gateway/gateway.ts';
import type { Caller } from '../../../src/features/grant/acting-caller.ts';
import { sessionIdOf } from '../../support/answers.ts';
import { askCheckout, newDeposit, notice, payAt, signedNotice, sync } from '../../support/deposits.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newHolder } from '../../support/money.ts';
import type { Member } from '../../support/people.ts';

let files: ServiceFiles;
let service: InProcessTarget;
let ada: Member;
let asAda: Caller;
/** The number of times that the sandbox has read an order. */
let reads = 0;
beforeAll(async () => {
  files = await makeServiceFiles();
  const settings = {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
    ACCESS_TTL_SECONDS: '86400',
  };
  service = await openFileService(files, settings, (kv) => ({
    ...kv,
    get(key) {
      if (key.startsWith('sandbox:order:')) reads += 1;
      return kv.get(key);
    },
  }));
  ada = await newHolder(service);
  asAda = {
    by: 'person',
    handle: ada.handle,
    sessionId: await sessionIdOf(ada),
    appId: null,
    grantId: null,
    scopes: null,
  };
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

/** The service with another connection to the provider. */
function withFetch(fetch: (request: Request, send: Deps['fetch']) => Promise<Response>): Deps {
  return { ...service.deps, fetch: (request) => fetch(request, service.deps.fetch) };
}

const request = { amount: 50_000, asset: 'IDR', method: 'auto' } as const;
const unavailable = expect.objectContaining({ code: 'gateway_unavailable' });

async function rowsOf(where = '1') {
  return service.rows<{ id: string; status: string; failure: string | null; next_at: number | null }>(
    `SELECT id, status, failure, next_at FROM deposits WHERE ${where} ORDER BY id`,
  );
}

/** No deposits of earlier tests are due any more. */
const settleAll = () => service.rows('UPDATE deposits SET next_at = NULL');

describe('a provider that does not respond', () => {
  it('leaves a deposit unchanged if its page is opened by a repeated checkout or the scheduled job', async () => {
    const lost = withFetch(async (sent, send) => {
      await send(sent);
      throw new Error('the answer is lost');
    });
    for (const key of ['repeated', 'left']) {
      await expect(checkout(lost, asAda, { ...request, key })).rejects.toEqual(unavailable);
    }
    const [repeated] = await rowsOf(`idempotency_key = 'repeated'`);
    const [left] = await rowsOf(`idempotency_key = 'left'`);
    expect([repeated?.status, left?.status]).toEqual(['creating', 'creating']);
    const again = await askCheckout(ada.browser, { amount: 50_000 }, 'repeated');
    expect(await again.json()).toMatchObject({ id: repeated?.id, status: 'pending' });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    await service.advance(61);
    await reconcileDue(service.deps);
    expect(await rowsOf(`id = '${left?.id}'`)).toMatchObject([{ status: 'pending' }]);
  });

  it('fails a deposit after fifteen minutes, but a rejection fails it immediately', async () => {
    await settleAll();
    const down = withFetch(() => Promise.reject(new Error('no route')));
    await expect(checkout(down, asAda, { ...request, key: 'down' })).rejects.toEqual(unavailable);
    const refusing = withFetch(async () => new Response(null, { status: 409 }));
    await expect(checkout(refusing, asAda, { ...request, key: 'refused' })).rejects.toEqual(unavailable);
    expect(await rowsOf(`idempotency_key = 'refused'`)).toMatchObject([
      { status: 'failed', failure: 'refused' },
    ]);
    await service.advance(600);
    expect(await reconcileDue(down)).toEqual({ reconciled: 0, failed: 1 });
    const [waiting] = await rowsOf(`idempotency_key = 'down'`);
    expect(waiting?.status).toBe('creating');
    expect(waiting?.next_at).toBeGreaterThan(service.now());
    await service.advance(301);
    expect(await reconcileDue(service.deps)).toEqual({ reconciled: 1, failed: 0 });
    expect(await rowsOf(`idempotency_key = 'down'`)).toMatchObject([
      { status: 'failed', failure: 'not_opened' },
    ]);
  });

  it('is queried again about a payment, even if the service stops between the response and the write', async () => {
    await settleAll();
    const deposit = await newDeposit(ada);
    await payAt(service, deposit, 'pay');
    await service.advance(121);
    expect(await reconcileDue(withFetch(async () => new Response(null, { status: 500 })))).toEqual({
      reconciled: 0,
      failed: 1,
    });
    await service.advance(181);
    let batches = 0;
    const stopping: Deps = {
      ...service.deps,
      db: {
        batch(statements) {
          batches += 1;
          if (batches === 2) return Promise.reject(new Error('the process ends'));
          return service.deps.db.batch(statements);
        },
      },
    };
    await expect(reconcileDue(stopping)).rejects.toThrow('the process ends');
    expect(await rowsOf(`id = '${deposit.id}'`)).toMatchObject([{ status: 'pending' }]);
    await service.advance(61);
    expect(await reconcileDue(service.deps)).toEqual({ reconciled: 1, failed: 0 });
    expect(await rowsOf(`id = '${deposit.id}'`)).toMatchObject([{ status: 'credited' }]);
  });
});

describe('checks with the provider', () => {
  it('run after 1, 2, 5, 15, 30 and 60 minutes, hourly for two days, daily for a month, for a day after the order closes, and on seven days after the credit', () => {
    const minute = 60_000;
    const looks = (
      status: Deposit['status'],
      from: number,
      {
        updatedAt = 0,
        failure = null as string | null,
        isUntouched = false,
        creditedAt = null as number | null,
      } = {},
    ) => {
      const ages = [];
      let age: number | null = from;
      while (age !== null && ages.length < 100) {
        const row = {
          status,
          failure,
          created_at: 0,
          updated_at: updatedAt,
          expires_at: 24 * 60 * minute,
          credited_at: creditedAt,
        };
        age = nextLook(row, age, isUntouched);
        if (age !== null) ages.push(age / minute);
      }
      return ages;
    };
    const pending = looks('pending', 0);
    expect(pending.slice(0, 8)).toEqual([1, 2, 5, 15, 30, 60, 120, 180]);
    expect(pending.slice(52, 55)).toEqual([48 * 60, 72 * 60, 96 * 60]);
    expect(pending.at(-1)).toBe(30 * 24 * 60);
    expect(looks('expired', 7 * minute, { updatedAt: 7 * minute })).toHaveLength(24);
    // A page on which no method was chosen.
    expect(looks('pending', 0, { isUntouched: true }).slice(0, 13)).toEqual([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 2880,
    ]);
    // A page closed by a newer one, which is checked only at the end of its lifetime.
    expect(looks('expired', 7 * minute, { failure: 'replaced' })).toEqual([24 * 60]);
    expect(looks('review', 0)).toEqual([]);
    const days = [1, 3, 7, 14, 30, 60, 90].map((day) => day * 24 * 60 + 5);
    for (const status of ['credited', 'reversed'] as const)
      expect(looks(status, 5 * minute, { creditedAt: 5 * minute })).toEqual(days);
  });

  it('are limited to 250 per run, five at a time, with 10,000 deposits due', async () => {
    await settleAll();
    const { handle } = await newHolder(service);
    await service.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, created_at, updated_at,
        expires_at, next_at)
      SELECT 'dep_due' || i, ?, (SELECT id FROM accounts WHERE owner = ?), 'IDR', 10000, 0, 0, 10000, 'sandbox',
        ?, 1, ?, i FROM n`,
      [handle, handle, service.now(), service.now()],
    );
    await service.rows(
      `UPDATE deposits SET status = 'pending', session = 's', url = 'u' WHERE id LIKE 'dep_due%'`,
    );
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    const counting = withFetch(async (sent, send) => {
      seen.push(sent.url);
      running += 1;
      most = Math.max(most, running);
      return send(sent).finally(() => {
        running -= 1;
      });
    });
    expect(await reconcileDue(counting)).toEqual({ reconciled: 250, failed: 0 });
    expect([seen.length, most]).toEqual([250, 5]);
    const longest = Array.from({ length: 250 }, (_, index) => `/dev/gateway/dep_due${index + 1}/order`);
    expect(new Set(seen.map((url) => new URL(url).pathname))).toEqual(new Set(longest));
    await service.rows(`UPDATE deposits SET status = 'failed', next_at = NULL WHERE id LIKE 'dep_due%'`);
  });

  it('do not multiply when one order gets a thousand notifications, and these write no more rows than a single one', async () => {
    const deposit = await newDeposit(ada);
    await payAt(service, deposit, 'pay');
    await sync(ada.browser, deposit.id);
    const counts = () =>
      service.rows(
        `SELECT (SELECT count(*) FROM deposits) AS deposits, (SELECT count(*) FROM legs) AS legs,
          (SELECT count(*) FROM audit_log) AS audited, (SELECT count(*) FROM webhook_events) AS events`,
      );
    const before = await counts();
    const readsBefore = reads;
    await service.advance(2);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => notice(service, deposit.id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await expect.poll(() => rowsOf(`id = '${deposit.id}' AND asked_at > created_at + 1000`)).toHaveLength(1);
    expect(await counts()).toEqual(before);
    // At most one a second, however long the thousand take.
    expect(reads - readsBefore).toBeLessThan(100);
  });

  it('run after the response to a notification, and the response waits for a single write', async () => {
    const deposit = await newDeposit(ada);
    let batches = 0;
    const stuck: Deps = {
      ...service.deps,
      background: () => {},
      db: {
        batch(statements) {
          batches += 1;
          return batches === 1 ? service.deps.db.batch(statements) : new Promise(() => {});
        },
      },
    };
    const { headers, body } = signedNotice(service, deposit.id);
    await takeNotification(stuck, 'sandbox', new TextEncoder().encode(body), new Headers(headers));
    expect(await rowsOf(`id = '${deposit.id}' AND next_at <= ${service.now()}`)).toHaveLength(1);
  });
});

it('a response about another order moves no money, raises an alarm and writes one audit line [D-97]', async () => {
  await settleAll();
  const [paid, unpaid] = [await newDeposit(ada), await newDeposit(ada)];
  await payAt(service, paid, 'pay');
  const swapped = withFetch((sent, send) => send(new Request(sent.url.replace(unpaid.id, paid.id), sent)));
  for (let count = 0; count < 3; count += 1) {
    await service.advance(900);
    await reconcileDue(swapped);
  }
  expect(await rowsOf(`id = '${unpaid.id}'`)).toMatchObject([{ status: 'pending' }]);
  expect(await service.rows('SELECT * FROM legs WHERE ref = ?', [unpaid.id])).toEqual([]);
  expect(
    await service.rows('SELECT actor, action, detail FROM audit_log WHERE target = ?', [unpaid.id]),
  ).toEqual([{ actor: 'system', action: 'gateway.contradicted', detail: '{"field":"orderId"}' }]);
  expect(service.log().some((line) => /error.*gateway.contradicted/.test(line))).toBe(true);
  await reconcileDue(service.deps);
});

describe('a payment that differs from the order', () => {
  async function lookWith(payments: readonly Payment[], deposit: Deposit) {
    const gateway = { name: 'sandbox', getStatus: async () => ({ state: 'paid', payments }) };
    const [row] = await all(service.deps.db, selectDeposits(sql`id = ${deposit.id}`));
    if (!row) throw new Error('no such deposit');
    const { row: after } = await reconcileDeposit(
      service.deps,
      gateway as Partial<PaymentGateway> as PaymentGateway,
      row,
    );
    return [after.status, after.failure, after.payment];
  }
  const payment = (id: string, changes: Partial<Payment> = {}): Payment => ({
    id,
    amount: 50_000,
    currency: 'IDR',
    method: 'va',
    ...changes,
  });

  it('waits for review if its amount is not whole, its currency differs or it belongs to another order', async () => {
    const look = async (one: Payment) => lookWith([one], await newDeposit(ada));
    expect(await look(payment('p1', { amount: undefined }))).toEqual(['review', 'amount_mismatch', 'p1']);
    expect(await look(payment('p2', { currency: 'USD' }))).toEqual(['review', 'currency_mismatch', 'p2']);
    expect(await look(payment('p3'))).toEqual(['credited', null, 'p3']);
    expect(await look(payment('p3'))).toEqual(['review', 'payment_reused', null]);
  });

  it('is not credited if another payment matches the order', async () => {
    const deposit = await newDeposit(ada);
    const odd = [payment('o1', { amount: 1 }), payment('o2'), payment('o3', { amount: undefined })];
    for (let count = 0; count < 2; count += 1)
      expect(await lookWith(odd, deposit)).toEqual(['credited', null, 'o2']);
    expect(await service.rows('SELECT kind, amount FROM adjustments WHERE ref = ?', [deposit.id])).toEqual([
      { kind: 'second_payment', amount: 1 },
    ]);
    expect(service.log().some((line) => line.includes('deposit.unattributable'))).toBe(true);
  });
});

// This test comes last, because it advances several days, which ends sessions.
describe('an order whose page closed a day ago', () => {
  it.each([
    ['unknown', 'expired'],
    ['declined', 'expired'],
    ['open', 'pending'],
  ] as const)('with status %s becomes %s', async (state, status) => {
    const deposit = await newDeposit(await newHolder(service));
    const gateway = { getStatus: async () => ({ state, payments: [] }) } as Partial<PaymentGateway>;
    const look = async () => {
      const [row] = await all(service.deps.db, selectDeposits(sql`id = ${deposit.id}`));
      if (!row) throw new Error('no deposit');
      return (await reconcileDeposit(service.deps, gateway as PaymentGateway, row)).row.status;
    };
    await service.advance((Date.parse(deposit.expiresAt) - service.now()) / 1000 + 86_000);
    expect(await look()).toBe('pending');
    await service.advance(401);
    expect(await look()).toBe(status);
  });
});
