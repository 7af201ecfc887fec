import type { Deps } from '../../deps.ts';
import { originOfRedirect } from '../../features/oauth/authorize/redirect-uri.ts';
import { findWaitingRequest } from '../../features/oauth/authorize/waiting-cookie.ts';
import type { WaitingRequest } from '../../features/oauth/authorize/waiting-request.ts';
import type { AppContext } from '../../http/context.ts';
import { hostedPath } from '../../lib/success-url.ts';
import { clientOrigin } from '../../ui/page.tsx';
import type { Place } from './continue-to.tsx';

/** The app request for which the person signs in; its name and URL are verified to be the app's. */
export async function waitingRequestOf(
  c: AppContext,
  deps: Deps,
  returnTo: string | null,
): Promise<WaitingRequest | null> {
  return findWaitingRequest(c, deps, hostedPath(returnTo)?.split('?continue=')[1]);
}

/** Returns the destination of a sign-in with this `returnTo`. */
export function placeOf(deps: Deps, returnTo: string | null, waiting: WaitingRequest | null): Place {
  if (waiting !== null) return { host: originOfRedirect(waiting.redirectUri), app: waiting.appName };
  return hostedPath(returnTo) === null ? { host: new URL(clientOrigin(deps, returnTo)).host } : 'account';
}
