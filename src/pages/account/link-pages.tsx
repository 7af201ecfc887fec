import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { setOauthCookie } from '../../features/idp/cookie.ts';
import { idpEndpoints } from '../../features/idp/endpoints.ts';
import { startLink } from '../../features/idp/idp.ts';
import { linkInput } from '../../features/idp/schema.ts';
import { readForm } from '../../http/body.ts';
import { type AppEnv, isNavigation } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { renderPage } from '../../ui/page.tsx';
import { useTexts } from '../../ui/view.ts';
import { type Member, membersAt } from '../member/member.tsx';
import { linkTexts } from '../messages/claim.ts';
import { parseInput } from '../shared/form.ts';

/**
 * Linking from the account page. The response is a page with a link to the provider, because `form-action` would block a
 * redirect to it.
 */
export function linkPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const linkByForm = membersAt(deps, accountPaths.credentials)(idpEndpoints.getLinkUrl, begin);
  pages.post(idpEndpoints.getLinkUrl.path, (c, next) => (isNavigation(c) ? linkByForm(c) : next()));
  return pages;
}

async function begin({ c, deps, sessionId, locale }: Member): Promise<Response> {
  const { provider, returnTo = null } = parseInput(linkInput, Object.fromEntries(await readForm(c)));
  const page = returnTo === null ? 'account' : null;
  const link = { provider, sessionId, returnTo, page } as const;
  const { sealed, url } = await startLink(deps, link);
  setOauthCookie(c, deps, sealed);
  const { title } = linkTexts[locale];
  const options = { title, continueTo: url, here: accountPaths.credentials };
  return renderPage(c, deps, options, <LinkCard url={url} />);
}

/** Shown briefly between the account and a provider. */
export function LinkCard({ url }: { url: string }) {
  const texts = useTexts(linkTexts);
  return (
    <Card title={texts.title} lead={texts.text}>
      <LinkButton href={url} look="main" full text={texts.go} />
    </Card>
  );
}
