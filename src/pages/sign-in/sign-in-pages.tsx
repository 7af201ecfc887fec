import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import { listProviders } from '../../features/idp/idp.ts';
import { readReturnTo } from '../../features/idp/return-to.ts';
import { originOfRedirect } from '../../features/oauth/redirect-uri.ts';
import { findWaitingRequest } from '../../features/oauth/waiting-cookie.ts';
import type { WaitingRequest } from '../../features/oauth/waiting-request.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { claimPath, signInPath } from '../../lib/page-paths.ts';
import { hostedPath, successUrl } from '../../lib/success-url.ts';
import { Toast } from '../../ui/components/notice.tsx';
import { clientOrigin, renderPage } from '../../ui/page.tsx';
import { useTexts } from '../../ui/view.ts';
import { CancelForm } from '../authorize/cards.tsx';
import { EmailSignIn } from '../email/forms.tsx';
import { accountTexts } from '../messages/account.ts';
import { claimLinkTexts } from '../messages/claim-link.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { PasskeySignIn } from '../passkey/ceremony.tsx';
import { passkeyScript } from '../scripts/passkey.ts';
import type { Place } from '../shared/continue-to.tsx';
import { pageEndpoints } from '../shared/endpoints.ts';
import { withQuery } from '../shared/paths.ts';
import { SignInCard } from './sign-in-card.tsx';

/** Apps with a browser of their own, in which some providers refuse to sign anybody in. */
const inAppBrowser =
  /\b(FBAN|FBAV|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Twitter|Snapchat)|; wv\)/;

/** `/signin`: the ways to sign in. */
export function signInPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  pages.get(signInPath, async (c) => {
    const returnTo = readReturnTo(deps, c.req.query('returnTo'));
    const waiting = await waitingRequestOf(c, deps, returnTo);
    // The account of a claim ticket waits to be linked to the PID that signs in here.
    const toLink = c.req.query('claim') === 'link';
    const prompt = c.req.query('prompt') === 'login' ? 'login' : null;
    const { title } = signInTexts[localeOf(c)];
    const options = { title, formTargets: [clientOrigin(deps, returnTo)], script: passkeyScript };
    return renderPage(
      c,
      deps,
      options,
      <SignInCard
        providers={listProviders(deps).data.filter(({ configured }) => configured)}
        place={placeOf(deps, returnTo, waiting)}
        passkey={
          <PasskeySignIn
            next={
              toLink ? withQuery(pageEndpoints.showClaimLink.path, { returnTo }) : clientUrl(deps, returnTo)
            }
            claim={withQuery(claimPath, { returnTo })}
          />
        }
        notice={<SignInNotice done={c.req.query('done')} toLink={toLink} />}
        startOf={(id) =>
          withQuery(startSignInEndpoint(id).path, { returnTo, claim: toLink ? 'link' : null, prompt })
        }
        email={<EmailSignIn way={{ returnTo, popup: null, toLink }} email={waiting?.loginHint ?? ''} />}
        isInApp={inAppBrowser.test(c.req.header('User-Agent') ?? '')}
      >
        {waiting !== null && <CancelForm request={waiting.id} />}
      </SignInCard>,
    );
  });

  return pages;
}

/** The request of an app that the sign-in is for; its name and address are known to be those of the app. */
async function waitingRequestOf(c: AppContext, deps: Deps, returnTo: string | null) {
  return findWaitingRequest(c, deps, hostedPath(returnTo)?.split('?continue=')[1]);
}

function placeOf(deps: Deps, returnTo: string | null, waiting: WaitingRequest | null): Place {
  if (waiting !== null) return { host: originOfRedirect(waiting.redirectUri), app: waiting.appName };
  return hostedPath(returnTo) === null ? { host: new URL(clientOrigin(deps, returnTo)).host } : 'account';
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
