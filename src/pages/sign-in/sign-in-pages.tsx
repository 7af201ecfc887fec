import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { attemptTtlSeconds, sealReturnTo } from '../../features/idp/attempt.ts';
import { oauthCookieName, setOauthCookie } from '../../features/idp/cookie.ts';
import { listProviders } from '../../features/idp/idp.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { hostedPath, successUrl } from '../../lib/success-url.ts';
import { Toast } from '../../ui/components/notice.tsx';
import { localeOf } from '../../ui/locale.ts';
import { clientOrigin, renderPage } from '../../ui/page.tsx';
import { EmailSignIn } from '../email/forms.tsx';
import { accountTexts } from '../messages/account.ts';
import { claimLinkTexts } from '../messages/claim-link.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { PasskeySignIn } from '../passkey/ceremony.tsx';
import { passkeyScript } from '../scripts/passkey.ts';
import { readReturnTo } from '../shared/return-to.ts';
import { SignInCard } from './sign-in-card.tsx';

/** Apps that show pages inside themselves, where some providers refuse to sign anybody in. */
const inAppBrowser =
  /\b(FBAN|FBAV|Instagram|Line\/|MicroMessenger|TikTok|musical_ly|Twitter|Snapchat)|; wv\)/;

/** `/signin`: the ways to sign in. */
export function signInPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  pages.get('/signin', async (c) => {
    const providers = listProviders(deps).data.filter((provider) => provider.configured);
    const returnTo = readReturnTo(c.req.query('returnTo'));
    if (returnTo !== null) await keepReturnTo(c, deps, returnTo);
    const locale = localeOf(c);
    const done = (['signedOut', 'closed'] as const).find((key) => key === c.req.query('done'));
    // The account of a claim ticket waits, to be linked to the PID that is signed in to here.
    const toLink = c.req.query('claim') === 'link';
    const { title } = signInTexts[locale];
    return renderPage(
      c,
      deps,
      { title, formTargets: [clientOrigin(deps)], script: passkeyScript },
      <SignInCard
        providers={providers}
        place={hostedPath(returnTo) === null ? { host: new URL(clientOrigin(deps)).host } : 'account'}
        passkey={
          <PasskeySignIn
            next={
              toLink
                ? '/v1/auth/claim/link'
                : successUrl(deps.config.CLIENT_SUCCESS_URL, { isNew: false, returnTo })
            }
            claim={returnTo === null ? '/claim' : `/claim?${new URLSearchParams({ returnTo })}`}
          />
        }
        notice={
          <>
            {done !== undefined && <Toast>{accountTexts[locale][done]}</Toast>}
            {toLink && <p>{claimLinkTexts[locale].signInFirst}</p>}
          </>
        }
        startOf={(id) => `/v1/auth/${id}${toLink ? '?claim=link' : ''}`}
        email={<EmailSignIn way={{ returnTo, popup: null, toLink }} />}
        isInApp={inAppBrowser.test(c.req.header('User-Agent') ?? '')}
      />,
    );
  });

  return pages;
}

/** The same cookie that POST /v1/auth/login leaves: the path waits in it until the sign-in starts. */
async function keepReturnTo(c: AppContext, deps: Deps, returnTo: string): Promise<void> {
  const value = await sealReturnTo(deps, returnTo);
  setOauthCookie(c, deps, { name: oauthCookieName(deps.config), value, maxAgeSeconds: attemptTtlSeconds });
}
