import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import type { ClaimableCredential } from '../sign-in/proven-credential.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { claimFirstFree, dropTicket } from './claim.ts';
import { handleFrom, suggestHandles } from './handle.ts';

/** The last two of eight handles are random, so a second round almost never fails. */
const candidates = 8;
const rounds = 2;

/** The source of a newcomer's handle. */
interface Newcomer {
  readonly email: string | null;
  readonly displayName: string | null;
}

/**
 * Signs in with a credential that may not have an owner yet. Newcomers claim a handle; in interface revision `direct`
 * the service claims one for them.
 * @throws AppError those of `signIn` and `claimForNewcomer`
 */
export async function signInOrClaim(
  deps: Deps,
  credential: ClaimableCredential,
  context: SignInContext,
): Promise<SignInOutcome> {
  const newcomer = newcomerOf(credential);
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await signIn(deps, credential, context);
    const settled = await claimForNewcomer(deps, outcome, newcomer, context);
    if (settled !== null) return settled;
  }
  throw new AppError('unavailable', null, { reason: 'the ticket was gone twice', retryAfterSeconds: 1 });
}

function newcomerOf(credential: ClaimableCredential): Newcomer {
  if (!('shownEmail' in credential)) return { email: null, displayName: null };
  return { email: credential.shownEmail, displayName: credential.displayName };
}

/**
 * In interface revision `direct`, claims the first available handle for a newcomer, with the ticket that the sign-in
 * has just created. Any other outcome is passed through.
 * @returns null if another request has since claimed the credential or, for a password, the address
 * @throws AppError unavailable if no handle was available in two rounds
 */
export async function claimForNewcomer(
  deps: Deps,
  outcome: SignInOutcome,
  newcomer: Newcomer,
  context: SignInContext,
): Promise<SignInOutcome | null> {
  if (outcome.type === 'signed_in' || deps.config.INTERFACE_REVISION === 'claim') return outcome;
  const base = handleFrom(newcomer);
  for (let round = 1; round <= rounds; round += 1) {
    const handles = suggestHandles(base, deps.randomBytes, candidates);
    const claimed = await claimFirstFree(
      deps,
      { ticket: outcome.ticket, handles, displayName: null },
      context,
    );
    if (claimed.verdict === 'claimed') return { type: 'signed_in', tokens: claimed.tokens };
    const isTaken = claimed.verdict === 'ticket_gone' || claimed.verdict === 'email_conflict';
    // The browser never gets this ticket, so nobody else could use it.
    if (isTaken || round === rounds) await dropTicket(deps, outcome.ticket);
    if (isTaken) return null;
  }
  throw new AppError('unavailable', null, { reason: 'no handle was free', retryAfterSeconds: 1 });
}
