import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { attemptTtlSeconds } from '../../features/idp/attempt.ts';
import { oauthCookieName, setOauthCookie } from '../../features/idp/cookie.ts';
import { startLink } from '../../features/idp/idp.ts';
import { linkInput } from '../../features/idp/schema.ts';
import { readForm, validationError } from '../../http/body.ts';
import { type AppContext, type AppEnv, isNavigation } from '../../http/context.ts';
import { LinkButton } from '../../ui/components/button.tsx';
import { Card } from '../../ui/components/card.tsx';
import { localeOf } from '../../ui/locale.ts';
import { renderPage } from '../../ui/page.tsx';
import { useTexts } from '../../ui/view.ts';
import { linkTexts } from '../messages/link.ts';
import { forMembers, type Member } from './member.tsx';

/**
 * Linking for pages without script: the form of the account page posts here. The way to the provider is a page with
 * a link, because `form-action` would judge the redirects behind a form; it ends at the account page again.
 */
export function linkPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  const linkByForm = forMembers(deps, 'POST /v1/credentials/link', 'credentials', (c, member) =>
    begin(c, deps, member),
  );
  pages.post('/v1/credentials/link', (c, next) => (isNavigation(c) ? linkByForm(c) : next()));
  return pages;
}

async function begin(c: AppContext, deps: Deps, { actor }: Member): Promise<Response> {
  const input = linkInput.safeParse(Object.fromEntries(await readForm(c)));
  if (!input.success) throw validationError(input.error.issues);
  const { provider, returnTo = null } = input.data;
  const page = returnTo === null ? 'account' : null;
  const wish = { provider, sessionId: actor.sessionId, returnTo, page } as const;
  const { sealed, url } = await startLink(deps, wish);
  const name = oauthCookieName(deps.config);
  setOauthCookie(c, deps, { name, value: sealed, maxAgeSeconds: attemptTtlSeconds });
  const { title } = linkTexts[localeOf(c)];
  return renderPage(
    c,
    deps,
    { title, continueTo: url, here: '/account/credentials' },
    <LinkCard url={url} />,
  );
}

/** Stands between the account and a provider for a moment. */
export function LinkCard({ url }: { url: string }) {
  const texts = useTexts(linkTexts);
  return (
    <Card title={texts.title} lead={texts.text}>
      <LinkButton href={url} look="main" full>
        {texts.go}
      </LinkButton>
    </Card>
  );
}
