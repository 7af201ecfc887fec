import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { requireNotSuspended } from '../../features/identity/identity.ts';
import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import { listProviders } from '../../features/idp/list.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { readActor } from '../../features/session/require-session.ts';
import { readLastWay } from '../../features/sign-in/cookies.ts';
import { type AppContext, type AppEnv, headerOf, localeOf } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { pidOf } from '../../lib/id.ts';
import { claimPath, signInPath } from '../../lib/page-paths.ts';
import { hostedPath, successUrl } from '../../lib/success-url.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Toast } from '../../ui/components/card.tsx';
import { clientOrigin, redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { CancelForm } from '../authorize/cards.tsx';
import { readEmail, readWay, type Way, wayFields } from '../email/entry.ts';
import type { Shown } from '../email/views.tsx';
import { accountTexts } from '../messages/account.ts';
import { claimLinkTexts } from '../messages/claim.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { pageEndpoints } from '../shared/endpoints.ts';
import { placeOf, waitingRequestOf } from '../shared/place.ts';
import { renewalOf } from '../shared/renewal.ts';
import { ContinueCard, SignInCard } from './sign-in-card.tsx';

/** Apps with their own browser, in which some providers refuse all sign-ins. */
const inAppBrowser =
  /\b(FBAN|FBAV|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Twitter|Snapchat)|; wv\)/;

/** `/signin`: the sign-in methods. */
export function signInPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();

  pages.get(signInPath, async (c) => {
    const way = readWay(deps, { get: (key) => (key === 'popup' ? null : c.req.query(key)) });
    const mayContinue = isSure(c, way);
    const actor = mayContinue ? await readActor(c, deps) : null;
    if (actor !== null) await requireNotSuspended(deps, actor.handle);
    const renewal = mayContinue && actor === null ? renewalOf(c, deps) : null;
    if (renewal !== null) return redirectKeepingView(c, deps, renewal);
    return actor === null
      ? showSignIn(c, deps, { way, email: readEmail(c.req.query('email')) })
      : showContinue(c, deps, way, actor);
  });

  return pages;
}

/**
 * Returns whether a signed-in person may simply continue, which is not the case for a link, a confirmation of identity,
 * or a sign-in as another person.
 */
function isSure(c: AppContext, { toLink, prompt, returnTo }: Way): boolean {
  const isForApp = hostedPath(returnTo)?.includes('?continue=') ?? false;
  return !toLink && prompt === undefined && !isForApp && c.req.query('other') === undefined;
}

/** The sign-in page, as first opened or after a wrong password. */
export async function showSignIn(c: AppContext, deps: Deps, shown: Shown): Promise<Response> {
  const { way, email, problems = {}, status = 200 } = shown;
  const { returnTo, toLink, prompt = null } = way;
  const waiting = await waitingRequestOf(c, deps, returnTo);
  const { title } = signInTexts[localeOf(c)];
  const here = email === '' ? {} : { here: withQuery(signInPath, { ...wayFields(way), email }) };
  const formTargets = [clientOrigin(deps, returnTo)];
  const linkPage = pageEndpoints.showClaimLink.path;
  return renderPage(
    c,
    deps,
    { title, status, formTargets, script: passkeyScript, ...here },
    <SignInCard
      providers={listProviders(deps).data.filter(({ configured }) => configured)}
      place={placeOf(deps, returnTo, waiting)}
      passkey={{
        next: toLink ? withQuery(linkPage, { returnTo }) : clientUrl(deps, returnTo),
        claim: withQuery(claimPath, { returnTo }),
      }}
      notice={<SignInNotice done={c.req.query('done')} toLink={toLink} />}
      startOf={(id) =>
        withQuery(startSignInEndpoint(id).path, { returnTo, claim: toLink ? 'link' : null, prompt })
      }
      email={{ way, problems, email: email || (waiting?.loginHint ?? '') }}
      lastUsed={readLastWay(c)}
      isInApp={inAppBrowser.test(headerOf(c, 'User-Agent'))}
    >
      {waiting !== null && <CancelForm request={waiting.id} />}
    </SignInCard>,
  );
}

function showContinue(
  c: AppContext,
  deps: Deps,
  way: Way,
  actor: AccessClaims,
): Response | Promise<Response> {
  const pid = pidOf(actor.handle);
  const title = fill(signInTexts[localeOf(c)].continueAs, { pid });
  const card = (
    <ContinueCard
      {...{ pid, name: actor.displayName, place: placeOf(deps, way.returnTo, null) }}
      next={clientUrl(deps, way.returnTo)}
      other={withQuery(signInPath, { ...wayFields(way), other: '1' })}
    />
  );
  return renderPage(c, deps, { title }, card);
}

function clientUrl(deps: Deps, returnTo: string | null): string {
  return successUrl(deps.config, { isNew: false, returnTo });
}

function SignInNotice({ done, toLink }: { done: string | undefined; toLink: boolean }) {
  const texts = useTexts(accountTexts);
  const { signInFirst } = useTexts(claimLinkTexts);
  return (
    <>
      {(done === 'signedOut' || done === 'closed') && <Toast>{texts[done]}</Toast>}
      {toLink && <p>{signInFirst}</p>}
    </>
  );
}
