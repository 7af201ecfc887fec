import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import type { ProviderId } from '../../lib/credential-kinds.ts';
import { signInOrClaim } from '../claim/newcomer.ts';
import type { Credential } from '../credential/schema.ts';
import { requireFreshSession } from '../session/acting-session.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import { linkCredential } from '../sign-in/link.ts';
import type { ProvenAccount } from '../sign-in/proven-credential.ts';
import {
  type Attempt,
  attemptTtlSeconds,
  createAttempt,
  createLinkIntention,
  type Destination,
  encryptLinkIntention,
} from './attempt.ts';
import { consumeOnce } from './consume-once.ts';
import { providerName } from './list.ts';
import { github } from './providers/github.ts';
import { google } from './providers/google.ts';
import { idp } from './providers/idp.ts';
import type { Provider } from './providers/provider.ts';

/**
 * All external sign-ins. A new provider needs a file in `providers/`, its name in `providerIds`, its kind in `list.ts`,
 * and a line here.
 */
export const providers: Readonly<Record<ProviderId, Provider>> = { idp, google, github };

/**
 * Starts a sign-in at a provider, or links an account there.
 * @param asksAgain true if the provider must not rely on its own session
 * @returns the attempt to keep in the browser, and the redirect target
 * @throws AppError provider_not_configured, provider_failed
 */
export async function startSignIn(
  deps: Deps,
  provider: Provider,
  destination: Destination,
  asksAgain = false,
) {
  const attempt = createAttempt(deps, provider.id, destination);
  const ask = { choosesAccount: destination.linkTo !== null, asksAgain };
  return { attempt, url: await provider.authorizationUrl(deps, attempt, ask) };
}

/**
 * Starts linking a provider account to a session's identity. The session must already be live and fresh, so that nobody
 * has to sign in again after the provider's consent screen.
 * @returns the cookie for the navigation to `url`
 * @throws AppError unauthenticated, not_fresh, provider_not_configured
 */
export async function startLink(deps: Deps, link: Parameters<typeof createLinkIntention>[1]) {
  if (providerName(deps, link.provider) === null) throw new AppError('provider_not_configured');
  await requireFreshSession(deps, link.sessionId);
  const intention = createLinkIntention(deps, link);
  const query = new URLSearchParams({ link: intention.id });
  return { sealed: await encryptLinkIntention(deps, intention), url: `/v1/auth/${link.provider}?${query}` };
}

interface Callback {
  /** This browser's attempt with the given state, if any. */
  readonly attempt: Attempt | null;
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly iss: string | undefined;
}

/**
 * Returns the credential proved by a provider when it redirects the browser back. Before the code is sent anywhere, the
 * state must belong to this browser and this provider, and be unused.
 * @throws AppError state_invalid, sign_in_cancelled, provider_error, provider_failed
 */
async function proveCredential(deps: Deps, provider: Provider, callback: Callback): Promise<ProvenAccount> {
  const { attempt, code } = callback;
  if (attempt === null || attempt.state !== callback.state || attempt.provider !== provider.id) {
    throw callbackError('state_invalid', 'no attempt of this browser has this state');
  }
  if (callback.error === 'access_denied')
    throw callbackError('sign_in_cancelled', 'callbackError by the person');
  if (callback.error !== undefined) throw callbackError('provider_error', 'the provider answered an error');
  if (code === undefined) throw callbackError('state_invalid', 'no code');
  const { state: value, expiresAt } = attempt;
  if (!(await consumeOnce(deps, { value, ttlSeconds: attemptTtlSeconds, expiresAt }))) {
    throw callbackError('state_invalid', 'the state was used before, or made before a restore');
  }
  return provider.authenticate(deps, attempt, { code, iss: callback.iss });
}

/**
 * Finishes a sign-in.
 * @throws AppError those of `proveCredential` and of `signInOrClaim`
 */
export async function finishSignIn(
  deps: Deps,
  provider: Provider,
  callback: Callback,
  context: SignInContext,
): Promise<SignInOutcome> {
  const credential = await proveCredential(deps, provider, callback);
  return signInOrClaim(deps, credential, context);
}

/**
 * Finishes linking an account.
 * @param actor the session of this browser, which must have started the link
 * @throws AppError those of `proveCredential` and of `linkCredential`
 */
export async function finishLink(
  deps: Deps,
  provider: Provider,
  callback: Callback,
  actor: { sessionId: string; client: ClientInfo },
): Promise<Credential> {
  if (callback.attempt?.linkTo !== actor.sessionId)
    throw callbackError('state_invalid', 'begun by another session');
  const credential = await proveCredential(deps, provider, callback);
  return linkCredential(deps, { ...actor, credential, popup: callback.attempt.popup });
}

function callbackError(
  code: 'state_invalid' | 'sign_in_cancelled' | 'provider_error',
  reason: string,
): AppError {
  return new AppError(code, null, { reason });
}
