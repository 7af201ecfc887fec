import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { attemptTtlSeconds } from '../features/idp/attempt.ts';
import { startLink } from '../features/idp/idp.ts';
import { linkInput } from '../features/idp/schema.ts';
import { readForm, validationError } from '../middleware/body.ts';
import type { AppEnv } from '../middleware/context.ts';
import { oauthCookieName, setOauthCookie } from '../middleware/oauth-cookie.ts';
import { requireSession } from '../middleware/require-session.ts';
import { localeOf } from './locale.ts';
import { linkTexts } from './messages/link.ts';
import { forNavigations, renderPage } from './page.tsx';

/**
 * Linking for pages without script: the form of the account page posts here. The way to the provider is a page with
 * a link, because `form-action` would judge the redirects behind a form; it ends at the account page again.
 */
export function linkPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  pages.post(
    '/v1/credentials/link',
    forNavigations(requireSession(deps, 'POST /v1/credentials/link'), async (c) => {
      const input = linkInput.safeParse(Object.fromEntries(await readForm(c)));
      if (!input.success) throw validationError(input.error.issues);
      const { provider, returnTo = null } = input.data;
      const { sessionId } = c.get('actor');
      const page = returnTo === null ? 'account' : null;
      const { sealed, url } = await startLink(deps, { provider, sessionId, returnTo, page });
      const name = oauthCookieName(deps.config);
      setOauthCookie(c, deps, { name, value: sealed, maxAgeSeconds: attemptTtlSeconds });
      const locale = localeOf(c);
      const texts = linkTexts[locale];
      return renderPage(
        c,
        deps,
        { title: texts.title, continueTo: url },
        <section class="card" lang={locale}>
          <h1>{texts.title}</h1>
          <p>{texts.text}</p>
          <a class="button main full" href={url}>
            {texts.go}
          </a>
        </section>,
      );
    }),
  );

  return pages;
}
