import { AppError, type ErrorCode } from '../../errors.ts';
import { getPublicIdentity } from '../../features/identity/identity.ts';
import { maxAmount } from '../../features/ledger/schema.ts';
import { inquiryInput } from '../../features/transfer/schema.ts';
import { pidOf } from '../../lib/id.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import type { Member } from '../member/member.tsx';
import { readAmount } from '../shared/form.ts';

/**
 * The values that a link fills into the form for sending money: the recipient, and optionally the amount and a message.
 */
export interface Asked {
  readonly to: { readonly pid: string; readonly displayName: string };
  readonly amount: number | null;
  readonly memo: string | null;
}

type Query = Readonly<Record<string, string>>;

/** A sign-in stores the link in its cookies. */
const longest = 400;

/** The page for sending money, filled in by a link; empty without a link, or if the link is too long to store. */
export function askedPath({ to, amount, memo }: Query): string {
  const path = withQuery(accountPaths.send, { to, amount: amount || null, memo: memo || null });
  return path.length <= longest ? path : accountPaths.send;
}

/** The reason why a link fills in nothing. */
export type BadLink = Extract<ErrorCode, 'own_wallet' | 'recipient_unavailable'> | 'badAmount' | 'badMemo';

/** The payment request in a link to this page; null without one. Markup in a message is an attack. */
export async function readAsked({ c, deps, actor }: Member): Promise<Asked | BadLink | null> {
  const { to = '', amount = '', memo = '' } = c.req.query();
  if (to === '' && amount === '' && memo === '') return null;
  const value = amount === '' ? null : readAmount(amount);
  if (value !== null && !(value >= 1 && value <= maxAmount)) return 'badAmount';
  const { data: text, error } = inquiryInput.shape.memo.safeParse(memo);
  if (error || /[<>]/.test(memo)) return 'badMemo';
  if (to.trim().toLowerCase() === pidOf(actor.handle)) return 'own_wallet';
  try {
    return { to: await getPublicIdentity(deps, to.trim()), amount: value, memo: text ?? null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'identity_not_found') return 'recipient_unavailable';
    throw error;
  }
}
