/** The fee under a version: `ceil(amount * bps / 10000) + fixed`, but at least `least` and at most `most`. */
export interface FeeRule {
  readonly fixed: number;
  readonly bps: number;
  readonly least: number;
  readonly most: number | null;
  /** The party that pays the fee: sender or recipient of a transfer; otherwise always the person. */
  readonly payer: 'payer' | 'payee';
}

/** The fees for one movement, which determine the amounts paid and received. */
export interface Fees {
  /** The payer's part, added to the amount. */
  readonly payer: number;
  /** The payee's part, deducted from the amount. */
  readonly payee: number;
  readonly app: number;
  readonly platform: number;
}

/**
 * The fee for an amount. It is rounded up and therefore subadditive: splitting a payment never lowers it.
 * @param amount in minor units, a whole number from 1 to 10^12
 */
export function feeOf(amount: number, { fixed, bps, least, most }: FeeRule): number {
  // The product can exceed the safe integer range.
  const share = Number((BigInt(amount) * BigInt(bps) + 9999n) / 10_000n);
  const fee = Math.max(share + fixed, least);
  return most === null ? fee : Math.min(fee, most);
}

/** The rules for one movement: the app's and the operator's. */
export interface FeeRules {
  readonly app: FeeRule | null;
  readonly platform: FeeRule | null;
}

/** The highest fee that an app may set. */
export interface FeeCap {
  readonly bps: number;
  readonly fixed: number;
}

/** Returns whether the rule is within the cap for every amount. */
export function isWithinCap({ fixed, bps, least }: FeeRule, cap: FeeCap): boolean {
  return bps <= cap.bps && Math.max(fixed, least) <= cap.fixed;
}

/** The rule, limited to the cap. */
export function capped(rule: FeeRule, cap: FeeCap): FeeRule {
  const { fixed, bps, least, most, payer } = rule;
  const lower = { fixed: Math.min(fixed, cap.fixed), bps: Math.min(bps, cap.bps) };
  return { ...lower, least: Math.min(least, cap.fixed), most, payer };
}

/** The fees for an amount under the rules of an app and the operator, each computed on the full amount. */
export function feesOf(amount: number, rules: FeeRules): Fees {
  const app = rules.app === null ? 0 : feeOf(amount, rules.app);
  const platform = rules.platform === null ? 0 : feeOf(amount, rules.platform);
  const payee = (rules.app?.payer === 'payee' ? app : 0) + (rules.platform?.payer === 'payee' ? platform : 0);
  return { payer: app + platform - payee, payee, app, platform };
}
