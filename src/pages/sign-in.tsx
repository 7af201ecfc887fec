import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { attemptTtlSeconds, sealReturnTo } from '../features/idp/attempt.ts';
import { listProviders } from '../features/idp/idp.ts';
import type { ProviderList } from '../features/idp/schema.ts';
import type { AppEnv } from '../middleware/context.ts';
import { oauthCookieName, setOauthCookie } from '../middleware/oauth-cookie.ts';
import { type Locale, localeOf } from './locale.ts';
import { claimLinkTexts } from './messages/claim-link.ts';
import { renderPage } from './page.tsx';
import { readReturnTo } from './return-to.ts';

/** `/signin`: the ways to sign in. They are links, so that no form policy stands between here and a provider. */
export function signInPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  pages.get('/signin', async (c) => {
    const configured = listProviders(deps).data.filter((provider) => provider.configured);
    const returnTo = readReturnTo(c.req.query('returnTo'));
    // The same cookie that POST /v1/auth/login leaves: the path waits in it until the sign-in starts.
    if (returnTo !== null) {
      const value = await sealReturnTo(deps, returnTo);
      setOauthCookie(c, deps, {
        name: oauthCookieName(deps.config),
        value,
        maxAgeSeconds: attemptTtlSeconds,
      });
    }
    const status = configured.length === 0 ? 503 : 200;
    return renderPage(
      c,
      deps,
      { title: 'Sign in', status },
      <SignInCard locale={localeOf(c)} toLink={c.req.query('claim') === 'link'} providers={configured} />,
    );
  });

  return pages;
}

interface SignInProps {
  readonly locale: Locale;
  /** Whether the account of a claim ticket is to be linked afterwards. */
  readonly toLink: boolean;
  readonly providers: ProviderList['data'];
}

function SignInCard({ locale, toLink, providers }: SignInProps) {
  if (providers.length === 0) {
    return (
      <section class="card">
        <h1>Sign in</h1>
        <p class="problems">The external sign-in is not configured on the server</p>
        <p class="quiet">Whoever runs this service has to set up an identity provider first.</p>
      </section>
    );
  }
  return (
    <section class="card">
      <h1>Sign in</h1>
      {toLink && <p lang={locale}>{claimLinkTexts[locale].signInFirst}</p>}
      <p class="quiet">
        You need no password here: prove who you are with an account you already have. The first time, you
        also choose your PID.
      </p>
      <div class="stack">
        {providers.map(({ id, name }) => (
          <a class="button main full" href={`/v1/auth/${id}${toLink ? '?claim=link' : ''}`}>
            {`Continue with ${name}`}
          </a>
        ))}
      </div>
    </section>
  );
}
