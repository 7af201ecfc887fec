import type { Deps } from '../../deps.ts';
import type { PaymentStatus } from '../gateway/gateway.ts';
import type { DepositRow } from './statements.ts';

/** `ended` means expired or failed; `rejected` means that an administrator failed the deposit. */
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
 * The effect of a provider's response.
 * - `open`: the provider's page is opened, or opened again if its response was lost.
 * - `wait`: nothing yet; the provider is queried again.
 * - `lapse`: the same, but the deposit expires a day after its deadline.
 * - `end`: the deposit expires or fails.
 * - `credit`: the matching payment is credited.
 * - `review`: an administrator decides.
 * - `keep`: the credit is kept, reversed money is restored, and the order's other payments go to suspense.
 * - `return`: the amount reversed by the provider is debited from the credited accounts.
 * - `alarm`: the response contradicts the ledger; no money moves, and an administrator investigates.
 * - `decided`: nothing, because an administrator decides or has decided.
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

/** The effect of a response on a deposit. With `CARD_CREDIT=capture`, a captured card payment is treated as paid. */
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

/** Returns whether the provider reports a different amount or currency for the credited payment. */
function isContradicted({ payment, gross, asset }: DepositRow, { payments }: PaymentStatus): boolean {
  return payments.some(
    ({ id, amount, currency }) => id === payment && (amount !== gross || currency !== asset),
  );
}

/** Another, unsuccessful attempt for the same order says nothing about the credited payment. */
function ofOther({ payment }: DepositRow, { payment: about, state }: PaymentStatus, effect: Effect): Effect {
  if (about === undefined || about === payment || effect === 'keep') return effect;
  return state.endsWith('refunded') ? 'alarm' : 'wait';
}
