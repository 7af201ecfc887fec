import * as z from 'zod/mini';
import { levels } from '../../lib/level.ts';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { readText, trimmedText } from '../../lib/text-schema.ts';

/** The largest amount of one movement, in minor units. */
export const maxAmount = 1_000_000_000_000;

const amountText = 'amount must be a positive integer';

/** An amount in minor units. The handler rejects one above `maxAmount` with its own message. */
export const amount = z
  .number(amountText)
  .check(z.refine((value) => Number.isInteger(value) && value >= 1, amountText));

/** The only asset is rupiah, without decimals. */
export const asset = z._default(z.enum(['IDR'], 'asset must be IDR'), 'IDR');

const assetFields = { asset: z.string(), scale: z.int() };
const time = z.iso.datetime();

/** An account's balance, in minor units. */
export const balance = z.object({
  ...assetFields,
  available: z.int(),
  /** Reserved for money that is not final yet. */
  held: z.int(),
  balance: z.int(),
  /** Money that a provider reversed after it was spent. Incoming money settles this debt first. */
  debt: z.int(),
});

export type Balance = z.infer<typeof balance>;

const walletStatus = z.enum(['active', 'frozen', 'closed']);

const leftOf = z.nullable(z.object({ most: z.int(), left: z.int() }));

/** A wallet's limits, in minor units, including fees; an unset limit is null. Days and months are in Jakarta time. */
const walletLimits = z.object({
  level: z.enum(levels),
  /** The maximum cost of one payment. */
  payment: z.nullable(z.int()),
  /** The maximum balance of the wallet. */
  held: leftOf,
  /** The maximum outflow per day and per month. */
  day: leftOf,
  month: leftOf,
});

/** The response to POST and GET /v1/wallet. */
export const wallet = z.object({
  pid: z.string(),
  status: walletStatus,
  balances: z.array(balance),
  /** Null if the operator has set none. */
  limits: z.nullable(walletLimits),
  createdAt: time,
});

export type Wallet = z.infer<typeof wallet>;

/** The wallet in GET /v1/me and in the export. */
export const walletSummary = z.pick(wallet, { status: true, balances: true, limits: true });

const isoPattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Returns whether the day exists: some engines read 30 February as 2 March, others reject it. */
function isDay(date: string): boolean {
  const at = Date.parse(date);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

/** A time in a query, as epoch milliseconds; a date alone means midnight UTC. */
function isoQuery(name: string, message = `${name} must be an ISO 8601 time`) {
  return z.optional(
    readText(
      z.string(message),
      (text) => {
        const at = isoPattern.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
        return Number.isNaN(at) ? null : at;
      },
      message,
    ),
  );
}

export const futureText = 'at must be an ISO 8601 time that is not in the future';

/** The query of GET /v1/wallet/balance. */
export const balanceQuery = z.object({ asset, at: isoQuery('at', futureText) });

/** The response to GET /v1/wallet/balance; with `at` it omits `available` and `held`, which have no history. */
export const walletBalance = z.union([
  z.extend(balance, { asOf: time }),
  z.object({ ...assetFields, balance: z.int(), at: time }),
]);

export const transactionKinds = [
  'deposit',
  'transfer',
  'refund',
  'withdrawal',
  'reversal',
  'sweep',
  'correction',
  'debt',
] as const;

/** The query of GET /v1/wallet/transactions. `from` is inclusive, `to` is exclusive. */
export const transactionsQuery = z.extend(pageQuery(/^\d{1,15}\.\d{1,15}$/), {
  kind: z.optional(z.enum(transactionKinds)),
  direction: z.optional(z.enum(['in', 'out'])),
  from: isoQuery('from'),
  to: isoQuery('to'),
});

export type TransactionsQuery = z.infer<typeof transactionsQuery>;

/** The counterparty. */
const party = z.object({ pid: z.string(), displayName: z.string() });

/** A wallet line: a movement's total, with its fees and the resulting balance. */
export const transaction = z.object({
  id: z.string(),
  kind: z.enum(transactionKinds),
  direction: z.enum(['in', 'out']),
  asset: z.string(),
  /** The amount that left or entered the wallet, including fees. */
  amount: z.int(),
  /** The person's share of the fees. */
  fees: z.int(),
  balanceAfter: z.int(),
  counterparty: z.nullable(party),
  reference: z.object({ type: z.string(), id: z.string() }),
  memo: z.nullable(z.string()),
  appId: z.nullable(z.string()),
  createdAt: time,
});

export type Transaction = z.infer<typeof transaction>;

export const transactionPage = pageSchema(transaction);

/** The response to GET /v1/wallet/transactions/:id: the line, and the wallet movements it combines. */
export const transactionDetail = z.extend(transaction, {
  legs: z.array(z.object({ direction: z.enum(['in', 'out']), amount: z.int(), account: z.string() })),
});

export type TransactionDetail = z.infer<typeof transactionDetail>;

/** The query of GET /v1/wallet/statement. `from` is inclusive, `to` is exclusive. */
export const statementQuery = z.object({
  from: isoQuery('from'),
  to: isoQuery('to'),
  format: z._default(z.enum(['json', 'csv']), 'json'),
});

/** The response to GET /v1/wallet/statement as JSON, oldest line first. */
export const walletStatement = z.object({
  pid: z.string(),
  ...assetFields,
  from: time,
  to: time,
  openingBalance: z.int(),
  closingBalance: z.int(),
  data: z.array(transaction),
});

export type WalletStatement = z.infer<typeof walletStatement>;

/** The trigger `fee_version_allowed` has the same list. */
export const feeOperations = ['deposit', 'transfer', 'withdrawal'] as const;
export type FeeOperation = (typeof feeOperations)[number];
export const operationText = `operation must be one of: ${feeOperations.join(', ')}`;

const feePayers = ['payer', 'payee'] as const;

function bounded(name: string, most: number) {
  return z
    .int(`${name} must be a whole number`)
    .check(
      z.minimum(0, `${name} must be greater than or equal to 0`),
      z.maximum(most, `${name} must be less than or equal to ${most}`),
    );
}

const feeFields = {
  /** Minor units. */
  fixed: bounded('fixed', 1_000_000_000),
  /** Hundredths of a percent. */
  bps: bounded('bps', 10_000),
  min: z._default(bounded('min', maxAmount), 0),
  max: z._default(z.nullable(bounded('max', maxAmount)), null),
  payer: z._default(z.enum(feePayers), 'payer'),
};

const isInOrder = z.refine<{ min: number; max: number | null }>(
  ({ min, max }) => max === null || max >= min,
  {
    path: ['max'],
    error: 'max must be greater than or equal to min',
  },
);

/** The body of PUT /v1/apps/:id/fees/:operation. */
export const feeInput = z.object(feeFields).check(isInOrder);

/** The body of PUT /v1/admin/fees/:operation. */
export const platformFeeInput = z
  .object({ ...feeFields, reason: trimmedText('reason', 500) })
  .check(isInOrder);

export type FeeInput = z.infer<typeof feeInput>;

/** A fee version. Version 0 means that there is none yet. */
export const fee = z.object({
  operation: z.enum(feeOperations),
  fixed: z.int(),
  bps: z.int(),
  min: z.int(),
  max: z.nullable(z.int()),
  payer: z.enum(feePayers),
  version: z.int(),
  createdAt: time,
});

export type Fee = z.infer<typeof fee>;

/** The query of GET /v1/apps/:id/fees. */
export const feesQuery = z.object({ history: z._default(z.enum(['true', 'false']), 'false') });

/** The response to GET /v1/apps/:id/fees: the fees of the app and the operator. */
export const feeList = z.object({ data: z.array(fee), platform: z.array(fee) });

export type FeeList = z.infer<typeof feeList>;

/** The query of GET /v1/apps/:id/fees/:operation/preview. */
export const previewQuery = z.object({
  amount: z.pipe(
    z.string(amountText).check(z.regex(/^\d{1,16}$/, amountText)),
    z.pipe(
      z.transform((text: string) => Number(text)),
      amount,
    ),
  ),
});

/** A movement's fees, by payer and by recipient. */
export const fees = z.object({
  payer: z.int(),
  payee: z.int(),
  app: z.int(),
  platform: z.int(),
  total: z.int(),
});

/** The response to a preview. */
export const feePreview = z.object({
  operation: z.enum(feeOperations),
  ...assetFields,
  amount: z.int(),
  fees,
  totalDebit: z.int(),
  netAmount: z.int(),
});

export type FeePreview = z.infer<typeof feePreview>;

/** The body of POST /v1/apps/:id/sweep; without `amount` it sweeps everything. */
export const sweepInput = z.object({ amount: z.optional(amount) });

/** The response to POST /v1/apps/:id/sweep. */
export const sweep = z.object({
  id: z.string(),
  appId: z.string(),
  asset: z.string(),
  amount: z.int(),
  createdAt: time,
});

export type Sweep = z.infer<typeof sweep>;
