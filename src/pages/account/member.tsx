import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { sessionCookieNames } from '../../features/session/cookies.ts';
import { requireSession } from '../../features/session/require-session.ts';
import type { AppContext } from '../../http/context.ts';
import type { LimitName } from '../../http/rate-limit.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { hostedPath } from '../../lib/success-url.ts';
import { localeOf } from '../../ui/locale.ts';
import { redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { accountTexts } from '../messages/account.ts';
import { renewScript } from '../scripts/account.ts';
import { type ProviderNames, providerNames } from '../shared/names.ts';
import { signInFor } from '../shared/return-to.ts';
import { RenewCard } from './renew.tsx';
import type { AccountTab } from './shell.tsx';

export interface Member {
  readonly actor: AccessClaims;
  readonly names: ProviderNames;
}

/**
 * Answers signed-in people under the limit of the API route that does the same. Everybody else is led to a renewal
 * of their session, or to the sign-in page, and from there back to the tab.
 */
export function forMembers(
  deps: Deps,
  limit: LimitName,
  tab: AccountTab,
  answer: (c: AppContext, member: Member) => Promise<Response>,
): (c: AppContext) => Promise<Response> {
  const session = requireSession(deps, limit);
  return async (c) => {
    try {
      let answered: Response | undefined;
      await session(c, async () => {
        answered = await answer(c, { actor: c.get('actor'), names: providerNames(deps) });
      });
      if (answered === undefined) throw new Error('an account page answered nothing');
      return answered;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return bringBack(c, deps, tab);
      throw error;
    }
  };
}

/** The hint cookie says that a refresh token lies at its own path; where hints are off it may. */
function bringBack(c: AppContext, deps: Deps, tab: AccountTab): Response | Promise<Response> {
  const path = `/account/${tab}`;
  const hint = cookieValues(c.req.header('Cookie'), sessionCookieNames(deps.config).hint);
  if (deps.config.HINT_COOKIE === 'on' && hint.length === 0)
    return redirectKeepingView(c, deps, signInFor(path));
  // Once a renewal has not helped, a second one waits for the person, so that nothing goes in circles.
  const script = c.req.query('renewed') === undefined ? renewScript : undefined;
  return renderPage(
    c,
    deps,
    { title: accountTexts[localeOf(c)].renewTitle, script, here: path },
    <RenewCard path={path} isRepeat={c.req.method !== 'GET'} />,
  );
}

/** The account page that a form names to come back to; the first one unless it names one of ours. */
export function returnPath(form: URLSearchParams): string {
  return hostedPath(form.get('returnTo')) ?? '/account/credentials';
}
