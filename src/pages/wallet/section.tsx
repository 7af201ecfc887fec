import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../features/grant/acting-caller.ts';
import type { Wallet } from '../../features/ledger/schema.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { takesPasskey } from '../../features/session/acting-session.ts';
import type { AppContext } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { refused } from '../account/actions.tsx';
import { SignInAgain } from '../account/again.tsx';
import type { Refusal } from '../account/member.tsx';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';

/** What every section of the wallet's page gets. */
export interface WalletView {
  readonly c: AppContext;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly wallet: Wallet;
}

/** A part of the wallet's page, in a file of its own. `sections` of overview.tsx lists them. */
export interface WalletSection {
  /** The page of its form, which a button beside the balance opens while money can move. */
  readonly action?: { readonly path: string; readonly text: keyof (typeof walletTexts)['en'] };
  /** What it shows below the balance. */
  readonly show?: (view: WalletView) => Promise<Child>;
}

/** The person at a page of ours, as the features know a caller. */
export function personAt({ handle, sessionId }: AccessClaims): Caller {
  return { by: 'person', handle, sessionId, appId: null, grantId: null, scopes: null };
}

/**
 * The reason for which no money was moved, above the page that asked for it.
 * @throws the error itself if it is a failure, or the person has to sign in
 */
export function moneyRefusal(c: AppContext, error: unknown): Refusal {
  if (!(error instanceof AppError) || error.status === 401) throw error;
  const isPaused = error.code === 'ledger_frozen' || error.code === 'ledger_disabled';
  const isGateway = error.code === 'gateway_not_configured' || error.code === 'gateway_unavailable';
  if (error.status >= 500 && !isPaused && !isGateway) throw error;
  const locale = localeOf(c);
  const text = isPaused ? walletTexts[locale].paused : errorTexts[locale][error.code];
  return { ...refused(c, error), problem: <p>{text}</p> };
}

interface RefusedPayment {
  readonly deps: Deps;
  readonly sessionId: string;
  /** The page that asked for it. */
  readonly path: string;
  /** The amount that leaves the wallet, in minor units. */
  readonly total: () => Promise<number>;
}

/** `moneyRefusal`, with a link to a new sign-in when that is what is missing. */
export async function refusalAt(
  c: AppContext,
  error: unknown,
  { deps, sessionId, path, total }: RefusedPayment,
): Promise<Refusal> {
  if (!(error instanceof AppError && error.code === 'not_fresh')) return moneyRefusal(c, error);
  const byPasskey = await takesPasskey(deps, sessionId, await total());
  return { ...refused(c, error), problem: <SignInAgain {...{ path, byPasskey }} /> };
}
