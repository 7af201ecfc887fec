import * as z from 'zod/mini';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { boundedText, trimmedText } from '../../lib/text-schema.ts';
import { app, clientList, resourceInput } from '../app/schema.ts';
import { deposit } from '../deposit/schema.ts';
import { amount } from '../ledger/schema.ts';

const time = z.iso.datetime();
const reason = trimmedText('reason', 500);

const ledgerMode = z.enum(['open', 'frozen', 'disabled'], 'mode must be open, frozen or disabled');

/** The body of PATCH /v1/admin/ledger: at least one of the switches. */
export const ledgerInput = z.object({
  mode: z.optional(ledgerMode),
  withdrawals: z.optional(z.boolean('withdrawals must be true or false')),
  reason,
});

/** The response to PATCH /v1/admin/ledger. */
export const ledgerState = z.object({
  mode: ledgerMode,
  withdrawals: z.boolean(),
  /** The reason why it is not open. */
  reason: z.nullable(z.string()),
  updatedAt: time,
});

export type LedgerState = z.infer<typeof ledgerState>;

/** The body of PATCH /v1/admin/wallets/:handle. */
export const walletStatusInput = z.object({
  status: z.enum(['active', 'frozen'], 'status must be active or frozen'),
  reason,
});

/** The response to PATCH /v1/admin/wallets/:handle. */
export const walletStatus = z.object({ pid: z.string(), status: z.string() });

export type WalletStatus = z.infer<typeof walletStatus>;

const tokenLimitText = 'tokenLimit must be a whole number from 1 to 100000, or null';

/** The body of PATCH /v1/admin/apps/:id: an absent field stays unchanged. */
export const appMarksInput = z.object({
  status: z.optional(z.enum(['active', 'suspended'], 'status must be active or suspended')),
  /** True if an administrator has verified who owns the app's name and addresses. */
  checked: z.optional(z.boolean('checked must be true or false')),
  /** True if it is the operator's own app, which implies `checked`. */
  firstParty: z.optional(z.boolean('firstParty must be true or false')),
  /** Requests per minute with the app's secret; null for the default. */
  tokenLimit: z.optional(
    z.nullable(z.int(tokenLimitText).check(z.minimum(1, tokenLimitText), z.maximum(100_000, tokenLimitText))),
  ),
  /** The `updatedAt` of the reviewed version; required to set a flag. */
  seen: z.optional(z.iso.datetime('seen must be the updatedAt of the app')),
  reason,
});

export type AppMarksInput = z.infer<typeof appMarksInput>;

/** An app as shown on the admin desk: the response to GET and PATCH /v1/admin/apps/:id. */
export const deskApp = z.extend(app, {
  /** The owner's PID; null for an unregistered client, whose id is the address of its document. */
  owner: z.nullable(z.string()),
  tokenLimit: z.nullable(z.int()),
  /** The path of the app's stored logo. */
  logo: z.nullable(z.string()),
});

export type DeskApp = z.infer<typeof deskApp>;

/** The response to GET /v1/admin/apps. */
export const restrictedApps = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      reason: z.enum(['not_checked', 'fee_not_covered', 'not_registered']),
      /** The number of grants that do not cover the app's fee; null if the app is restricted for another reason. */
      grants: z.nullable(z.int()),
    }),
  ),
});

export type RestrictedApps = z.infer<typeof restrictedApps>;

/** The body of POST /v1/admin/apps/:id/resources. */
export const appResourceInput = z.extend(resourceInput, {
  /** True assigns the resource to the app; false removes it. */
  proven: z.boolean('proven must be true or false'),
  /** Other apps that may use the resource. */
  clients: z._default(clientList, []),
  reason,
});

export type AppResourceInput = z.infer<typeof appResourceInput>;

/** The body of requests with only a reason. */
export const reasonInput = z.object({ reason });

/** The response to POST /v1/admin/transfers/:id/reverse. */
export const reversedTransfer = z.object({ id: z.string(), status: z.literal('reversed'), reversedAt: time });

export type ReversedTransfer = z.infer<typeof reversedTransfer>;

/** The query of GET /v1/admin/deposits. */
export const reviewsQuery = z.extend(pageQuery(/^dep_[0-9a-z]{26}$/), {
  status: z._default(z.enum(['review'], 'status must be review'), 'review'),
});

/** A deposit waiting for a decision: its owner, and the amount taken by the provider. */
export const reviewedDeposit = z.extend(deposit, {
  pid: z.string(),
  paidAmount: z.nullable(z.int()),
  paidCurrency: z.nullable(z.string()),
});

export type ReviewedDeposit = z.infer<typeof reviewedDeposit>;

export const reviewPage = pageSchema(reviewedDeposit);

/** The body of POST /v1/admin/deposits/:id/resolve. */
export const depositDecision = z.object({
  decision: z.enum(['credit', 'reject'], 'decision must be credit or reject'),
  /** The total refunded by the provider according to its dashboard, if the operator bears the refund. */
  returnedAmount: z.optional(z.int('returnedAmount must be a whole number')),
  reason,
});

/** The body of POST /v1/admin/second-payments/:id/resolve. */
export const secondPaymentDecision = z.object({
  decision: z.enum(['credit', 'return'], 'decision must be credit or return'),
  reason,
});

/** The body of POST /v1/admin/withdrawals/:id/resolve. */
export const withdrawalDecision = z.object({
  outcome: z.enum(['paid', 'failed'], 'outcome must be paid or failed'),
  reason,
});

const account = (name: string) => {
  const text = `${name} must be a PID, the id of an app, platform, gateway, payout, suspense, bank or provider_fee`;
  const named =
    /^([a-z0-9][a-z0-9._-]{1,28}[a-z0-9]@pid|app_[0-9a-z]{26}|platform|gateway|payout|suspense|bank|provider_fee)$/;
  return z.string(text).check(z.regex(named, text));
};

/** The body of POST /v1/admin/adjustments. */
export const adjustmentInput = z.object({ from: account('from'), to: account('to'), amount, reason });

export type AdjustmentInput = z.infer<typeof adjustmentInput>;

/** The response to POST /v1/admin/adjustments. */
export const adjustment = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  asset: z.string(),
  amount: z.int(),
  createdAt: time,
});

export type Adjustment = z.infer<typeof adjustment>;

/** The body of POST /v1/admin/proposals/:id/resolve. The author of a proposal withdraws it with `reject`. */
export const proposalDecision = z.object({
  decision: z.enum(['approve', 'reject'], 'decision must be approve or reject'),
  reason,
});

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** A money decision that is waiting for a second administrator, or its outcome. */
export const proposal = z.object({
  id: z.string(),
  /** The proposed decision as named in the audit log, with its details. */
  action: z.string(),
  target: z.string(),
  detail: facts,
  asset: z.string(),
  amount: z.int(),
  /** The PIDs whose money increases. */
  gainers: z.array(z.string()),
  reason: z.string(),
  maker: z.string(),
  createdAt: time,
  expiresAt: time,
  /** Null while the proposal is pending. */
  outcome: z.nullable(z.enum(['approved', 'rejected', 'withdrawn'])),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(time),
});

export type Proposal = z.infer<typeof proposal>;

const dayText = 'day must be a date such as 2026-11-22';

/** The query of GET /v1/admin/overview. */
export const overviewQuery = z.object({
  day: z.optional(z.iso.date(dayText)),
});

/** The response to GET /v1/admin/overview. */
export const overview = z.object({
  ledger: ledgerState,
  /** Deposits waiting for a decision. */
  reviews: z.int(),
  /** Every open case by kind and status, as in GET /v1/admin/unexplained; `ids` has the oldest 20. */
  stuck: z.array(
    z.object({
      kind: z.string(),
      status: z.string(),
      count: z.int(),
      oldestAt: time,
      ids: z.array(z.string()),
    }),
  ),
  /** The oldest 20 of these withdrawals, individually, for the operator to decide. */
  stuckWithdrawals: z.array(
    z.object({
      id: z.string(),
      pid: z.string(),
      status: z.string(),
      /**
       * `unknown` or `payout_reused`; `contradicted` if the provider denies the payment; `debt` if the wallet has a
       * debt; null if the withdrawal is only slow.
       */
      failure: z.nullable(z.string()),
      asset: z.string(),
      amount: z.int(),
      heldAt: time,
    }),
  ),
  /** The 20 oldest decisions waiting for a second administrator. */
  proposals: z.array(proposal),
  /** The last time the ledger froze itself because of a violated invariant. */
  lastViolation: z.nullable(z.object({ at: time, reason: z.string() })),
  /** The number of rows waiting for scheduled jobs. */
  queues: z.record(z.string(), z.int()),
  /** The operator's own accounts, including total debts, the bank, and provider fees. */
  accounts: z.array(z.object({ kind: z.string(), balance: z.int() })),
  /** A day's movements (Jakarta time) through the provider accounts, by kind. */
  day: z.string(),
  totals: z.array(z.object({ kind: z.string(), count: z.int(), amount: z.int() })),
});

export type Overview = z.infer<typeof overview>;

/** The query of GET /v1/admin/audit. */
export const auditQuery = z.extend(pageQuery(/^\d{1,15}$/), {
  /** A PID or handle, `operator` or `system`. */
  actor: z.optional(boundedText('actor', 200)),
  action: z.optional(boundedText('action', 200)),
  /** A PID, a handle, or the id of the changed object. */
  target: z.optional(boundedText('target', 200)),
  /** The first and last day, in Jakarta. */
  from: z.optional(z.iso.date('from must be a date such as 2026-11-22')),
  to: z.optional(z.iso.date('to must be a date such as 2026-11-22')),
  format: z._default(z.enum(['json', 'csv'], 'format must be json or csv'), 'json'),
});

export type AuditFilter = Omit<z.infer<typeof auditQuery>, 'limit' | 'cursor' | 'format'>;

/** An audit log line. */
export const auditLine = z.object({
  at: time,
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  detail: facts,
});

export type AuditLine = z.infer<typeof auditLine>;

export const auditPage = pageSchema(auditLine);

/** The response to GET /v1/admin/unexplained. */
export const unexplained = z.object({
  count: z.int(),
  data: z.array(
    z.object({
      /** For example `second_payment`; for `suspense`, the id is the kind of movement that put the money there. */
      kind: z.string(),
      id: z.string(),
      status: z.string(),
      asset: z.string(),
      amount: z.int(),
      /** The person's PID, if the case concerns one person. */
      pid: z.nullable(z.string()),
      since: time,
      /** The endpoint whose POST closes the case; null if only the provider or the person can close it. */
      resolve: z.nullable(z.string()),
    }),
  ),
});

export type Unexplained = z.infer<typeof unexplained>;
