import type { App } from '../../features/app/schema.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths, appPath } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials, Moment } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { appTexts } from '../messages/app.ts';

/** The apps that the person has registered, the newest first. */
export function AppsPanel({ page, isFirst }: { page: Page<App>; isFirst: boolean }) {
  const texts = useTexts(appTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="apps">
      <p>
        <a href={accountPaths.allowed}>{texts.allowed}</a>
      </p>
      {page.data.length === 0 ? (
        <Empty title={texts.empty} advice={texts.emptyAdvice} />
      ) : (
        <ul class="plain">
          {page.data.map((app) => (
            <AppItem app={app} />
          ))}
        </ul>
      )}
      <Pager path={accountPaths.apps} nextCursor={page.nextCursor} isFirst={isFirst}>
        <LinkButton href={accountPaths.newApp} look="main" text={texts.register} />
      </Pager>
    </Card>
  );
}

function AppItem({ app }: { app: App }) {
  const texts = useTexts(appTexts);
  return (
    <li class="item">
      <Initials name={app.name} />
      <div>
        <p>
          <a href={appPath(app.id)}>
            <strong>{app.name}</strong>
          </a>{' '}
          {app.status === 'suspended' && <span class="badge">{texts.suspended}</span>}
        </p>
        <p class="quiet">
          {texts[app.type]}
          {' · '}
          <Moment text={texts.created} at={app.createdAt} as="day" />
        </p>
      </div>
    </li>
  );
}
