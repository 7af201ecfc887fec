import { popupEndpoints } from '../../features/popup/endpoints.ts';
import { signInPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';

/**
 * The sign-in page that returns to one of our pages.
 * @param prompt true if signed-in people must sign in again
 */
export function signInFor(path: string, prompt: 'login' | null = null): string {
  return withQuery(signInPath, { returnTo: `self:${path}`, prompt });
}

/** The sign-in to the PID to which the waiting account will be linked. */
export function signInToLink(returnTo: string | null): string {
  return withQuery(signInPath, { claim: 'link', returnTo });
}

/** The forms that renew a session and sign out, under the refresh token cookie's path. */
export const sessionPaths = {
  renew: '/v1/auth/refresh/continue',
  signOut: '/v1/auth/logout/leave',
} as const;

const popupPages = {
  login: popupEndpoints.showPopup,
  approval: popupEndpoints.showApproval,
  claim: popupEndpoints.showPopupClaim,
  done: popupEndpoints.finishPopup,
};

/** The popup page for a request. */
export function popupUrl(page: keyof typeof popupPages, popup: string): string {
  return withQuery(popupPages[page].path, { c: popup });
}
