import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Statement, Value } from '../../src/db/database.ts';
import { type Refund, readRefund, refund } from '../../src/features/transfer/refund-statements.ts';
import {
  type Confirmation,
  cancel,
  confirm,
  explainConfirm,
  inquire,
  inquiryMs,
} from '../../src/features/transfer/statements.ts';
import { adjust, appAccount, fundedWallet, gateway } from '../support/money.ts';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();

let payer: Member;
let payee: Member;
let sessions = { payer: '', payee: '' };
let accounts = { payer: 0, payee: 0, app: 0 };
const app = 'app_verdicts';
const grant = 'grt_verdicts';
let now = 0;
let count = 0;

beforeAll(async () => {
  [payer, payee] = [await newMember(target), await newMember(target)];
  now = target.now();
  const sessionOf = async ({ handle }: Member) => {
    const [row] = await target.rows<{ id: string }>('SELECT id FROM sessions WHERE handle = ?', [handle]);
    return row?.id ?? '';
  };
  sessions = { payer: await sessionOf(payer), payee: await sessionOf(payee) };
  await target.rows(
    `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
    [app, payee.handle],
  );
  for (const [id, { handle }] of [[grant, payer] as const, [`${grant}_payee`, payee] as const]) {
    await target.rows(
      `INSERT INTO grants (id, app_id, handle, scopes, total_limit, created_at)
        VALUES (?, ?, ?, '["fiat:transfer","fiat:refund"]', 1000000, 1)`,
      [id, app, handle],
    );
  }
  accounts = {
    payer: await fundedWallet(target, payer.handle, 10_000),
    payee: await fundedWallet(target, payee.handle, 0),
    app: await appAccount(target, app),
  };
});

function send<Row>({ text, values }: Statement<Row>): Promise<Row[]> {
  return target.rows<Row>(text, values as Value[]);
}

/** The payer's inquiry, made personally or through the app. */
async function inquiry(changes: Partial<Parameters<typeof inquire>[0]> = {}): Promise<string> {
  count += 1;
  const id = `verdict${count}`;
  await send(
    inquire({
      id,
      payer: payer.handle,
      payee: payee.handle,
      payerAccount: accounts.payer,
      payeeAccount: accounts.payee,
      appAccount: null,
      amount: 100,
      payerFee: 0,
      payeeFee: 0,
      appFee: 0,
      platformFee: 0,
      app: null,
      grant: null,
      needsApproval: false,
      aboveStepUp: 0,
      memo: null,
      now,
      ...changes,
    }),
  );
  return id;
}

const throughApp = { app, grant };
const asked = { app, needsApproval: true };

/** Confirms, and returns the verdict. */
async function verdictOf(id: string, changes: Partial<Confirmation> = {}): Promise<string> {
  count += 1;
  const common = {
    id,
    payer: payer.handle,
    requestId: `request${count}`,
    sessionId: sessions.payer,
    limits: null,
    now,
  };
  const full = { ...common, app: null, approvalId: null, verifierHash: null, ...changes };
  const rows = await send(confirm(full));
  const [explained] = await send(explainConfirm(full));
  if (rows.length === 1) expect(explained?.verdict).toBe('ok');
  return rows.length === 1 ? 'confirmed' : (explained?.verdict ?? 'nothing');
}

/** Changes the database temporarily. */
async function during<T>(change: string, back: string, work: () => Promise<T>): Promise<T> {
  await target.rows(change);
  try {
    return await work();
  } finally {
    await target.rows(back);
  }
}

const setGrant = (columns: string) => `UPDATE grants SET ${columns} WHERE id = '${grant}'`;
const setStatus = (table: string, where: string, status: string) =>
  `UPDATE ${table} SET status = '${status}' WHERE ${where}`;

async function popup(inquiryId: string, changes: Record<string, string | number> = {}): Promise<string> {
  count += 1;
  const row = {
    id: `'${String(count).padStart(22, 'p')}'`,
    kind: `'approval'`,
    app_id: `'${app}'`,
    origin: `'https://shop.example.com'`,
    verifier_hash: `'hash'`,
    operation: `'transfer'`,
    inquiry_id: `'${inquiryId}'`,
    digest: `'digest'`,
    handle: `'${payer.handle}'`,
    session_id: `'${sessions.payer}'`,
    status: `'approved'`,
    decided_at: now,
    created_at: now,
    expires_at: now + 120_000,
    ...changes,
  };
  await target.rows(
    `INSERT INTO popup_requests (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`,
  );
  return String(row.id).slice(1, -1);
}

describe('confirming a transfer', () => {
  it('moves the money only once, and a repeat is recognised by its request [S-19]', async () => {
    const id = await inquiry();
    expect(await verdictOf(id)).toBe('confirmed');
    expect(await verdictOf(id)).toBe('already_confirmed');
    expect(await verdictOf(await inquiry({ ...throughApp }), { app })).toBe('confirmed');
  });

  it('reports the reasons for a rejection in a fixed order', async () => {
    const id = await inquiry();
    const mode = (name: string) => `UPDATE ledger SET mode = '${name}'`;
    expect(await verdictOf(id, { sessionId: 'ses_gone' })).toBe('session_ended');
    expect(await during(mode('frozen'), mode('open'), () => verdictOf(id))).toBe('ledger_frozen');
    expect(await during(mode('disabled'), mode('open'), () => verdictOf('none'))).toBe('ledger_disabled');
    expect(await verdictOf('none')).toBe('transaction_not_found');
    expect(await verdictOf(id, { payer: payee.handle, sessionId: sessions.payee })).toBe(
      'transaction_not_found',
    );
    expect(await verdictOf(id, { app })).toBe('transaction_not_found');
    expect(await verdictOf(id, { now: now + inquiryMs })).toBe('inquiry_expired');
    const cancelled = await inquiry();
    await send(cancel({ id: cancelled, payer: sql`${payer.handle}`, app: null, now }));
    expect(await verdictOf(cancelled)).toBe('inquiry_expired');
    const wallet = (account: number, status: string) => setStatus('accounts', `id = ${account}`, status);
    const stopped = (account: number, status: string) =>
      during(wallet(account, status), wallet(account, 'active'), () => verdictOf(id));
    for (const status of ['frozen', 'closed']) {
      expect(await stopped(accounts.payer, status)).toBe(`wallet_${status}`);
      expect(await stopped(accounts.payee, status)).toBe('recipient_unavailable');
    }
    const suspended = (status: string) => setStatus('identities', `handle = '${payee.handle}'`, status);
    expect(await during(suspended('suspended'), suspended('active'), () => verdictOf(id))).toBe(
      'recipient_unavailable',
    );
    expect(await verdictOf(await inquiry({ amount: 9_999_999 }))).toBe('insufficient_internal_credit');
    expect(await verdictOf(id)).toBe('confirmed');
  });

  it('keeps an app within its grant’s limits, which may change after the inquiry [D-81]', async () => {
    const id = await inquiry(throughApp);
    const under = (columns: string, back: string) =>
      during(setGrant(columns), setGrant(back), () => verdictOf(id, { app }));
    expect(await under('per_transfer = 99', 'per_transfer = NULL')).toBe('grant_limit_exceeded');
    expect(await under('per_period = 99, period_ms = 1000', 'per_period = NULL, period_ms = NULL')).toBe(
      'grant_limit_exceeded',
    );
    expect(await under('total_limit = 99', 'total_limit = 1000000')).toBe('grant_limit_exceeded');
    expect(await under('max_uses = uses', 'max_uses = NULL')).toBe('grant_limit_exceeded');
    expect(await under('total_limit = NULL', 'total_limit = 1000000')).toBe('grant_limit_exceeded');
    expect(await under(`payees = '["eve"]'`, 'payees = NULL')).toBe('grant_recipient');
    expect(await under(`expires_at = ${now}`, 'expires_at = NULL')).toBe('grant_expired');
    const appStatus = (status: string) => setStatus('apps', `id = '${app}'`, status);
    expect(
      await during(appStatus('suspended'), appStatus('active'), () =>
        verdictOf(id, { app, sessionId: null }),
      ),
    ).toBe('grant_revoked');
    const person = (status: string) => setStatus('identities', `handle = '${payer.handle}'`, status);
    expect(
      await during(person('suspended'), person('active'), () => verdictOf(id, { app, sessionId: null })),
    ).toBe('grant_revoked');
    expect(await verdictOf(id, { app, sessionId: null })).toBe('confirmed');
    const [spent] = await target.rows('SELECT uses, spent_total FROM grants WHERE id = ?', [grant]);
    expect(spent).toEqual({ uses: 2, spent_total: 200 });
  });

  it('redeems an approval only once, within thirty seconds, for its app, inquiry, person and session', async () => {
    const id = await inquiry(asked);
    const given = (approvalId: string, changes: Partial<Confirmation> = {}) =>
      verdictOf(id, { app, approvalId, verifierHash: 'hash', ...changes });
    expect(await verdictOf(id, { app })).toBe('approval_required');
    const undecided = { status: `'opened'`, decided_at: 'NULL' };
    expect(await given(await popup(id, undecided))).toBe('approval_required');
    expect(await given(await popup(id, { ...undecided, expires_at: now }))).toBe('approval_expired');
    expect(await given(await popup(id, { status: `'denied'` }))).toBe('approval_rejected');
    expect(await given(await popup('other'))).toBe('approval_rejected');
    expect(await given(await popup(id, { handle: `'eve'` }))).toBe('approval_rejected');
    expect(await given(await popup(id, { session_id: `'ses_other'` }))).toBe('approval_rejected');
    const approval = await popup(id);
    expect(await given(approval, { verifierHash: 'guess' })).toBe('approval_rejected');
    expect(await given(approval, { now: now + 30_000 })).toBe('approval_expired');
    expect(await given(approval, { now: now + 29_999 })).toBe('confirmed');
    const [redeemed] = await target.rows('SELECT status, redeemed_op FROM popup_requests WHERE id = ?', [
      approval,
    ]);
    expect(redeemed).toEqual({ status: 'redeemed', redeemed_op: id });
    expect(await verdictOf(await inquiry(asked), { app, approvalId: approval, verifierHash: 'hash' })).toBe(
      'approval_rejected',
    );
  });

  it('is rejected for a revoked grant, with or without an approval [S-20, D-81]', async () => {
    const [bare, open] = [await inquiry(throughApp), await inquiry({ ...asked, grant })];
    await target.rows(setGrant(`revoked_at = 1, revoked_by = 'person'`));
    const approvalId = await popup(open);
    expect(await verdictOf(bare, { app })).toBe('grant_revoked');
    expect(await verdictOf(open, { app, approvalId, verifierHash: 'hash' })).toBe('grant_revoked');
  });
});

describe('refunding a transfer', () => {
  const refunding = (transfer: string, changes: Partial<Refund> = {}) => {
    count += 1;
    return {
      id: `refund${count}`,
      transfer,
      payee: payee.handle,
      amount: null,
      memo: null,
      key: `key${count}`,
      hash: `hash${count}`,
      sessionId: sessions.payee,
      app: null,
      grant: null,
      now,
      ...changes,
    };
  };
  async function refundVerdict(v: Refund): Promise<string> {
    await send(refund(v));
    const [row] = await send(readRefund(v));
    return row?.verdict ?? 'nothing';
  }
  const paid = async (changes: Parameters<typeof inquiry>[0] = {}) => {
    const id = await inquiry(changes);
    expect(await verdictOf(id, changes.app ? { app, sessionId: null } : {})).toBe('confirmed');
    return id;
  };

  it('returns at most the remaining amount, once per key [D-80]', async () => {
    const id = await paid();
    const first = refunding(id, { amount: 60 });
    expect(await refundVerdict(first)).toBe('ok');
    expect(await refundVerdict(first)).toBe('ok');
    expect(await refundVerdict({ ...first, id: 'another' })).toBe('repeated');
    expect(await refundVerdict({ ...first, id: 'another', hash: 'other' })).toBe('idempotency_key_reused');
    expect(await refundVerdict(refunding(id, { amount: 41 }))).toBe('refund_exceeds');
    expect(await refundVerdict(refunding(id))).toBe('ok');
    expect(await refundVerdict(refunding(id))).toBe('refund_exceeds');
    expect(await refundVerdict(refunding(first.id, { payee: payer.handle, sessionId: sessions.payer }))).toBe(
      'not_refundable',
    );
  });

  it('reports the reasons for a rejection in a fixed order', async () => {
    const id = await paid();
    const attempt = (changes: Partial<Refund> = {}) => refundVerdict(refunding(id, changes));
    const mode = (name: string) => `UPDATE ledger SET mode = '${name}'`;
    expect(await attempt({ sessionId: 'ses_gone' })).toBe('session_ended');
    expect(await during(mode('frozen'), mode('open'), () => attempt())).toBe('ledger_frozen');
    expect(await attempt({ transfer: 'none' })).toBe('transaction_not_found');
    expect(await attempt({ payee: payer.handle, sessionId: sessions.payer })).toBe('transaction_not_found');
    const theirs = { app, grant: `${grant}_payee`, sessionId: null };
    expect(await attempt(theirs)).toBe('transaction_not_found');
    expect(await attempt({ now: now + 31_536_000_000 })).toBe('session_ended');
    const wallet = (account: number, status: string) => setStatus('accounts', `id = ${account}`, status);
    const stopped = (account: number, status: string) =>
      during(wallet(account, status), wallet(account, 'active'), () => attempt());
    for (const status of ['frozen', 'closed']) {
      expect(await stopped(accounts.payee, status)).toBe(`wallet_${status}`);
      expect(await stopped(accounts.payer, status)).toBe('recipient_unavailable');
    }
    const [row] = await target.rows<{ balance: number }>(
      'SELECT credits_posted - debits_posted AS balance FROM accounts WHERE id = ?',
      [accounts.payee],
    );
    await adjust(target, { from: accounts.payee, to: gateway, amount: row?.balance ?? 0 });
    expect(await attempt()).toBe('insufficient_internal_credit');
    await adjust(target, { from: gateway, to: accounts.payee, amount: 1000 });
    expect(await attempt()).toBe('ok');
  });

  it('needs the payee’s grant with its scope if the transfer’s app requests it [D-80]', async () => {
    await target.rows(
      `INSERT INTO grants (id, app_id, handle, scopes, total_limit, created_at) VALUES ('grt_again', ?, ?, '[]', 1000, 1)`,
      [app, payer.handle],
    );
    const id = await paid({ app, grant: 'grt_again' });
    const theirs = { app, grant: `${grant}_payee`, sessionId: null };
    const attempt = (changes: Partial<Refund> = {}) =>
      refundVerdict(refunding(id, { ...theirs, ...changes }));
    expect(await attempt({ grant: 'grt_again' })).toBe('grant_revoked');
    const set = (columns: string) => `UPDATE grants SET ${columns} WHERE id = '${grant}_payee'`;
    const scopes = (list: string) => set(`scopes = '${list}'`);
    expect(await during(scopes('[]'), scopes('["fiat:refund"]'), () => attempt())).toBe('grant_revoked');
    expect(await during(set(`expires_at = ${now}`), set('expires_at = NULL'), () => attempt())).toBe(
      'grant_expired',
    );
    expect(await refundVerdict(refunding(id, { ...theirs, now: now + 31_536_000_000 }))).toBe(
      'not_refundable',
    );
    expect(await attempt({ amount: 100 })).toBe('ok');
    const events = await target.rows<{ type: string; data: string }>(
      `SELECT type, data FROM webhook_events WHERE type LIKE 'transfer.%' AND data LIKE ? ORDER BY seq`,
      [`%trf_${id}%`],
    );
    expect(events.map(({ type }) => type)).toEqual(['transfer.completed', 'transfer.refunded']);
    expect(JSON.parse(events[1]?.data ?? '')).toMatchObject({
      refundOf: `trf_${id}`,
      refundedTotal: 100,
      refundable: 0,
    });
  });
});
