import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { signInDirectly } from '../claim/direct.ts';
import { type SignInContext, type SignInOutcome, signIn } from '../claim/sign-in.ts';
import { type Attempt, consumeOnce, createAttempt } from './attempt.ts';
import { idp } from './providers/idp.ts';
import type { Provider } from './providers/provider.ts';
import type { ProviderList } from './schema.ts';

/** Every external sign-in there is. A new one is a file in `providers/` and a line here. */
export const providers: Record<Provider['id'], Provider> = { idp };

export function listProviders(deps: Deps): ProviderList {
  const data = Object.values(providers).map((provider) => {
    const name = provider.name(deps);
    return { id: provider.id, name, kind: provider.kind, configured: name !== null };
  });
  return { data };
}

/**
 * Begins a sign-in at a provider.
 * @returns the attempt to keep in the browser, and where to send it
 * @throws AppError provider_not_configured, provider_failed
 */
export async function startSignIn(
  deps: Deps,
  id: Provider['id'],
  returnTo: string | null,
): Promise<{ attempt: Attempt; url: URL }> {
  const attempt = createAttempt(deps, id, { returnTo, popup: null, linkTo: null });
  return { attempt, url: await providers[id].authorizationUrl(deps, attempt) };
}

interface Callback {
  /** The attempt found in this browser under the state's name, if any. */
  readonly attempt: Attempt | null;
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly iss: string | undefined;
}

/**
 * Finishes a sign-in: the state must belong to this browser and this provider, and be used for the first
 * time, before the code is sent anywhere.
 * @throws AppError state_invalid, sign_in_cancelled, provider_error, provider_failed, and those of `signIn`
 */
export async function finishSignIn(
  deps: Deps,
  id: Provider['id'],
  callback: Callback,
  context: SignInContext,
): Promise<SignInOutcome> {
  const { attempt, code } = callback;
  if (attempt === null || attempt.state !== callback.state || attempt.provider !== id) {
    throw refused('state_invalid', 'no attempt of this browser has this state');
  }
  if (callback.error === 'access_denied') throw refused('sign_in_cancelled', 'refused by the person');
  if (callback.error !== undefined) throw refused('provider_error', 'the provider answered an error');
  if (code === undefined) throw refused('state_invalid', 'no code');
  if (!(await consumeOnce(deps, attempt.state, attempt.expiresAt))) {
    throw refused('state_invalid', 'the state was used before');
  }
  const credential = await providers[id].authenticate(deps, attempt, { code, iss: callback.iss });
  const enter = deps.config.INTERFACE_REVISION === 'direct' ? signInDirectly : signIn;
  return enter(deps, credential, context);
}

function refused(code: 'state_invalid' | 'sign_in_cancelled' | 'provider_error', reason: string): AppError {
  return new AppError(code, null, { reason });
}
