import type { Child } from 'hono/jsx';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../features/grant/acting-caller.ts';
import type { Wallet } from '../../features/ledger/schema.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { takesPasskey } from '../../features/session/acting-session.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { refused } from '../member/form.tsx';
import type { Member, Refusal } from '../member/member.tsx';
import { SignInAgain } from '../member/page.tsx';
import { walletTexts } from '../messages/wallet.ts';
import { errorText } from '../shared/error-text.ts';

/** The data that every section of the wallet page receives. */
export interface WalletView extends Pick<Member, 'c' | 'deps'> {
  readonly caller: Caller;
  readonly wallet: Wallet;
}

/** A part of the wallet page, in a separate file. `sections` in overview.tsx lists them. */
export interface WalletSection {
  /** The page with its form. A button next to the balance opens it unless money movements are stopped. */
  readonly action?: { readonly path: string; readonly text: keyof (typeof walletTexts)['en'] };
  /** Shows the section below the balance. */
  readonly show?: (view: WalletView) => Promise<Child>;
}

/** The person on one of our pages, as a caller of the features. */
export function personAt({ handle, sessionId }: AccessClaims): Caller {
  return { by: 'person', handle, sessionId, appId: null, grantId: null, scopes: null };
}

/**
 * The reason why no money was moved, shown above the page that sent the request.
 * @throws the error itself for a failure, or if the person has to sign in
 */
export function moneyRefusal(member: Member, error: unknown): Refusal {
  if (!(error instanceof AppError) || error.status === 401) throw error;
  const isPaused = error.code === 'ledger_frozen' || error.code === 'ledger_disabled';
  const isGateway = error.code === 'gateway_not_configured' || error.code === 'gateway_unavailable';
  if (error.status >= 500 && !isPaused && !isGateway) throw error;
  const { locale } = member;
  const text = isPaused ? walletTexts[locale].paused : errorText(error, locale);
  return { ...refused(member, error), problem: <p>{text}</p> };
}

/**
 * `moneyRefusal`, with a link to sign in again if that is required.
 * @param path the page that requested the payment
 * @param total the amount that leaves the wallet, in minor units
 */
export async function refusalAt(
  member: Member,
  error: unknown,
  path: string,
  total: () => Promise<number>,
): Promise<Refusal> {
  if (!(error instanceof AppError && error.code === 'not_fresh')) return moneyRefusal(member, error);
  const byPasskey = await takesPasskey(member.deps, member.sessionId, await total());
  return { ...refused(member, error), problem: <SignInAgain {...{ path, byPasskey }} /> };
}

/** The page that offers to open a wallet. @throws any error other than a missing wallet */
export function walletPage(error: unknown): string {
  if (lacksWallet(error)) return accountPaths.wallet;
  throw error;
}

/** `moneyRefusal`, with a way to open a wallet for people without one. */
export function refusalOrWallet(member: Member, error: unknown): Refusal | string {
  return lacksWallet(error) ? accountPaths.wallet : moneyRefusal(member, error);
}

export function lacksWallet(error: unknown): boolean {
  return error instanceof AppError && error.code === 'wallet_not_found';
}

export function availableIn({ balances: [balance] }: Wallet): number {
  return balance?.available ?? 0;
}
