import type { Deps } from '../../deps.ts';
import type { PaymentStatus } from '../gateway/gateway.ts';
import type { DepositRow } from './statements.ts';

/** `ended` is expired or failed; `rejected` is failed by a decision of the desk. */
export const standings = [
  'creating',
  'pending',
  'ended',
  'rejected',
  'review',
  'credited',
  'reversed',
] as const;
type Standing = (typeof standings)[number];

/**
 * The effect of a provider's answer.
 * - `open`: the provider's page is opened, again if its answer was lost.
 * - `wait`: nothing yet; the provider is asked again.
 * - `lapse`: the same; a day after its time the deposit expires.
 * - `end`: it expires or fails.
 * - `credit`: the payment that fits is credited.
 * - `review`: a person decides.
 * - `keep`: the credit stands, money that was taken back is restored, and other payments of the order go to suspense.
 * - `return`: what the provider has taken back is taken from the accounts that were credited.
 * - `alarm`: the answer contradicts the ledger; nothing moves, and a person looks at it.
 * - `decided`: nothing, because a person decides or has decided.
 */
type Effect =
  | 'open'
  | 'wait'
  | 'lapse'
  | 'end'
  | 'credit'
  | 'review'
  | 'keep'
  | 'return'
  | 'alarm'
  | 'decided';

/** By the state at the provider, in the order of `standings`. */
export const effects: Readonly<Record<PaymentStatus['state'], readonly Effect[]>> = {
  unknown: ['open', 'lapse', 'wait', 'decided', 'decided', 'alarm', 'alarm'],
  open: ['open', 'wait', 'wait', 'decided', 'decided', 'alarm', 'alarm'],
  declined: ['open', 'lapse', 'wait', 'decided', 'decided', 'return', 'return'],
  captured: ['wait', 'wait', 'wait', 'decided', 'decided', 'wait', 'wait'],
  paid: ['credit', 'credit', 'credit', 'keep', 'decided', 'keep', 'keep'],
  expired: ['end', 'end', 'end', 'decided', 'decided', 'return', 'return'],
  failed: ['end', 'end', 'end', 'decided', 'decided', 'return', 'return'],
  refunded: ['end', 'end', 'end', 'decided', 'decided', 'return', 'return'],
  partly_refunded: ['review', 'review', 'review', 'decided', 'decided', 'return', 'return'],
};

/** The effect of an answer on a deposit. A captured card payment counts as paid under `CARD_CREDIT=capture`. */
export function effectOf({ config }: Deps, row: DepositRow, found: PaymentStatus): Effect {
  const isPaid = found.state === 'captured' && config.gateways.cardCredit === 'capture';
  const standing = standingOf(row);
  const effect = effects[isPaid ? 'paid' : found.state][standings.indexOf(standing)] ?? 'alarm';
  if (standing !== 'credited' && standing !== 'reversed') return effect;
  return isContradicted(row, found) ? 'alarm' : ofOther(row, found, effect);
}

function standingOf({ status, failure }: DepositRow): Standing {
  if (status !== 'expired' && status !== 'failed') return status;
  return failure === 'rejected' ? 'rejected' : 'ended';
}

/** Whether the provider names another amount or currency for the payment that was credited. */
function isContradicted({ payment, gross, asset }: DepositRow, { payments }: PaymentStatus): boolean {
  return payments.some(
    ({ id, amount, currency }) => id === payment && (amount !== gross || currency !== asset),
  );
}

/** Another try of the same order that came to nothing says nothing about the payment that was credited. */
function ofOther({ payment }: DepositRow, { payment: about, state }: PaymentStatus, effect: Effect): Effect {
  if (about === undefined || about === payment || effect === 'keep') return effect;
  return state.endsWith('refunded') ? 'alarm' : 'wait';
}
