import { fate } from '../support/break-database.ts';
import * as rules from './money-model.ts';
import {
  accountOf,
  agree,
  type Course,
  type Decision,
  handleOf,
  sessionOf,
  type Via,
} from './money-setting.ts';
import { type MoneyWorld, newId, sendConfirm, sendInquiry, text } from './money-world.ts';

export interface Payment {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly fees: { readonly app: number; readonly platform: number; readonly ofPayee: boolean };
  readonly via: Via;
  readonly hold?: boolean;
}

/** Creates an inquiry like the service; null if the service would reject it. */
export async function inquire(
  model: rules.Model,
  world: MoneyWorld,
  { from, to, amount, fees, via, hold = false }: Payment,
  { faults, skewMs }: Course,
): Promise<rules.Transfer | null> {
  const byApp = via !== 'person';
  const grant = byApp ? rules.grantOf(model, from) : null;
  const appFee = byApp ? fees.app : 0;
  const total = appFee + fees.platform;
  const payeeFee = fees.ofPayee ? total : 0;
  const net = amount - payeeFee;
  if (from === to || net < 1 || (via === 'back end' && !grant)) return null;
  const now = world.now + skewMs;
  const debit = amount + total - payeeFee;
  const sums = { amount, appFee, total: debit, isForHold: hold && byApp };
  const isCovered = grant !== null && rules.allowsPayee(grant, to) && rules.isWithinLimits(grant, sums, now);
  const needsApproval = byApp && !isCovered;
  const id = newId(world);
  world.plan(faults);
  const answer = await sendInquiry(world, {
    id,
    payer: handleOf(world, from),
    payee: handleOf(world, to),
    payerAccount: accountOf(world, from),
    payeeAccount: accountOf(world, to),
    appAccount: appFee > 0 ? accountOf(world, 'app') : null,
    amount,
    payerFee: total - payeeFee,
    payeeFee,
    appFee,
    platformFee: fees.platform,
    app: byApp ? world.app : null,
    grant: grant?.id ?? null,
    needsApproval,
    aboveStepUp: 0,
    memo: null,
    holdRules: hold && byApp ? rulesOf({ app: appFee, platform: fees.platform }, fees.ofPayee) : null,
    now,
  });
  world.plan([]);
  const verdict = model.mode === 'open' ? 'stored' : `ledger_${model.mode}`;
  agree(world, 'inquiry', answer, { verdict, faults, trips: 1 });
  if (answer === 'guarded' || model.mode !== 'open' || !fate(faults[0]).applied) return null;
  const transfer: rules.Transfer = {
    id,
    payer: from,
    payee: to,
    amount,
    total: debit,
    net,
    appFee,
    platformFee: fees.platform,
    ofPayee: fees.ofPayee,
    isForHold: hold && byApp,
    isHeld: false,
    releasedAt: null,
    byApp,
    grant,
    needsApproval,
    expiresAt: now + rules.inquiryMs,
    refundOf: null,
    key: null,
    hash: null,
    approval: null,
    status: 'open',
    confirmedAt: 0,
    confirmedBy: '',
    refunded: 0,
    counted: null,
  };
  model.transfers.push(transfer);
  return transfer;
}

/** Rules that yield such a high fee, which never exceeds its base. */
function rulesOf(fees: { app: number; platform: number }, ofPayee: boolean): string {
  const payer = ofPayee ? 'payee' : 'payer';
  const rule = (most: number) => ({ fixed: 0, bps: 10_000, least: 0, most, payer });
  return JSON.stringify({ app: rule(fees.app), platform: rule(fees.platform) });
}

/** The person sees the app's request, and decides. */
export async function decide(world: MoneyWorld, transfer: rules.Transfer, decision: Decision): Promise<void> {
  if (decision === 'none' || !transfer.needsApproval || transfer.approval) return;
  const status = decision === 'undecided' ? 'created' : decision === 'denied' ? 'denied' : 'approved';
  const isOthers = decision === 'of another session';
  const approval: rules.Approval = {
    id: newId(world).padStart(22, 'p'),
    verifier: `${transfer.id}v`,
    session: isOthers ? 'ses_other' : sessionOf(world, transfer.payer),
    status,
    decidedAt: decision === 'late' ? world.now - 60_000 : world.now,
    expiresAt: world.now + 120_000,
  };
  transfer.approval = approval;
  await world.raw.batch([
    text(
      `INSERT INTO popup_requests (id, kind, app_id, origin, verifier_hash, operation, inquiry_id, digest, handle, session_id,
        status, decided_at, created_at, expires_at)
      VALUES (?, 'approval', ?, 'https://shop.example', ?, 'transfer', ?, 'digest', ?, ?, ?, ?, 1, ?)`,
      [
        approval.id,
        world.app,
        approval.verifier,
        transfer.id,
        handleOf(world, transfer.payer),
        approval.session,
        status,
        status === 'created' ? null : approval.decidedAt,
        approval.expiresAt,
      ],
    ),
  ]);
}

export interface Attempt {
  /** The acting person; the payer by default. */
  readonly as?: number;
  readonly via: Via;
  readonly isSessionLive: boolean;
  readonly verifier?: string;
  /** True to send it to the hold endpoint; by default it is sent to the matching endpoint. */
  readonly hold?: boolean;
}

/** One confirmation: the service's response, and the model's. */
export async function confirm(
  model: rules.Model,
  world: MoneyWorld,
  transfer: rules.Transfer | undefined,
  { as = transfer?.payer ?? 0, via, isSessionLive, verifier, hold = transfer?.isForHold ?? false }: Attempt,
  { faults, skewMs }: Course,
): Promise<void> {
  const now = world.now + skewMs;
  const live = sessionOf(world, as);
  const session = via === 'back end' ? null : isSessionLive ? live : 'ses_ended';
  const { approval = null } = transfer ?? {};
  const request = {
    transfer,
    payer: as,
    session,
    isSessionLive,
    byApp: via !== 'person',
    approvalId: approval?.id ?? null,
    verifier: verifier ?? approval?.verifier ?? null,
    hold,
    now,
  };
  const verdict = rules.judgeConfirm(model, request);
  const requestId = newId(world);
  world.plan(faults);
  const answer = await sendConfirm(world, {
    id: transfer?.id ?? 'unknown',
    payer: handleOf(world, as),
    requestId,
    sessionId: session,
    app: request.byApp ? world.app : null,
    approvalId: request.approvalId,
    verifierHash: request.verifier,
    hold,
    now,
  });
  world.plan([]);
  const trips = verdict === 'confirmed' && faults[0] !== 'lost after' ? 1 : 2;
  if (verdict === 'confirmed' && transfer && fate(faults[0]).applied)
    rules.confirm(model, transfer, requestId, now);
  agree(world, 'confirm', answer, { verdict, faults, trips });
}
