import * as z from 'zod/mini';
import { type Level, levels } from '../lib/level.ts';

/** In rupiah; null means no limit. */
export interface Limits {
  /** The maximum for one payment, including fees. */
  readonly payment: number | null;
  /** The maximum outflow per day and per month. */
  readonly day: number | null;
  readonly month: number | null;
  /** The maximum balance of the wallet. */
  readonly held: number | null;
}

/** The limits of each level, also as JSON, which the ledger stores so that the database enforces them too. */
export interface WalletLimits {
  readonly levels: Readonly<Record<Level, Limits>>;
  readonly json: string;
}

const message =
  'must be whole numbers from 1 to 1000000000000, or none, for unverified and verified people, such as 2000000,20000000';
const most = 1_000_000_000_000;

/** One limit for everyone, or one for each level. */
const amounts = (fallback: string) =>
  z._default(
    z.string().check(
      z.refine((text) => {
        const parts = text.split(',');
        const isAmount = (part: string) =>
          part === 'none' || (/^[1-9]\d{0,12}$/.test(part) && Number(part) <= most);
        return parts.length <= levels.length && parts.every(isAmount);
      }, message),
    ),
    fallback,
  );

export const limitVariables = {
  WALLET_LIMITS: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  LIMIT_PAYMENT: amounts('none'),
  LIMIT_DAY: amounts('none'),
  LIMIT_MONTH: amounts('40000000'),
  LIMIT_HELD: amounts('2000000,20000000'),
};

type LimitSettings = Readonly<Record<`LIMIT_${'PAYMENT' | 'DAY' | 'MONTH' | 'HELD'}`, string>> & {
  readonly WALLET_LIMITS: 'on' | 'off';
};

/** The wallet limits, or null if they are disabled. */
export function walletLimits(env: LimitSettings): WalletLimits | null {
  if (env.WALLET_LIMITS === 'off') return null;
  const of = (level: Level): Limits => {
    const amountIn = (text: string) => {
      const parts = text.split(',');
      const part = parts[levels.indexOf(level)] ?? parts[0];
      return part === 'none' ? null : Number(part);
    };
    return {
      payment: amountIn(env.LIMIT_PAYMENT),
      day: amountIn(env.LIMIT_DAY),
      month: amountIn(env.LIMIT_MONTH),
      held: amountIn(env.LIMIT_HELD),
    };
  };
  const byLevel = { unverified: of('unverified'), verified: of('verified') };
  return { levels: byLevel, json: JSON.stringify(byLevel) };
}
