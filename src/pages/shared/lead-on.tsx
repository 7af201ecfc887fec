import type { Deps } from '../../deps.ts';
import { originOfRedirect } from '../../features/oauth/authorize/redirect-uri.ts';
import { type AppContext, localeOf } from '../../http/context.ts';
import { comesFromAnotherSite } from '../../http/origin.ts';
import { Card } from '../../ui/components/card.tsx';
import { Filled } from '../../ui/components/text.tsx';
import { redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { useTexts } from '../../ui/view.ts';
import { popupTexts } from '../messages/popup.ts';
import { authorizeTexts } from '../messages/sign-in.ts';
import { leadOnScript } from '../scripts/authorize.ts';

/** Opens the URL by a page: a form may not redirect to an app, and nothing may redirect to a private-use scheme. */
export function leadOn(
  c: AppContext,
  deps: Deps,
  url: string,
  title = authorizeTexts[localeOf(c)].onTheWay,
): Response | Promise<Response> {
  const options = { title, withoutScript: { seconds: 0, url }, script: leadOnScript };
  return renderPage(c, deps, options, <LeadOnCard {...{ url, title, origin: originOfRedirect(url) }} />);
}

/**
 * Leads to the renewal of the session. If another site sent the browser here, our own page does, because that site
 * could count its redirects, and stop it midway: the response with the new token would then be lost.
 */
export function leadToRenewal(c: AppContext, deps: Deps, path: string): Response | Promise<Response> {
  return comesFromAnotherSite(c)
    ? leadOn(c, deps, `${deps.config.origin}${path}`, popupTexts[localeOf(c)].waiting)
    : redirectKeepingView(c, deps, path);
}

interface LeadOnProps {
  readonly title: string;
  readonly url: string;
  readonly origin: string;
}

export function LeadOnCard({ title, url, origin }: LeadOnProps) {
  const texts = useTexts(authorizeTexts);
  return (
    <Card title={title}>
      <p class="lead">
        <Filled text={texts.onTheWayText}>
          <strong>{origin}</strong>
        </Filled>
      </p>
      <a class="button main full" href={url} data-lead-on>
        {texts.goOn}
      </a>
    </Card>
  );
}
