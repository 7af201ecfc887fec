import type { Grant } from '../../features/grant/schema.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths, grantPath } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials, Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { scopeTexts } from '../messages/authorize.ts';
import { grantTexts } from '../messages/grant.ts';

/** The apps that the person has allowed, the newest first. */
export function AllowedPanel({ page, isFirst }: { page: Page<Grant>; isFirst: boolean }) {
  const texts = useTexts(grantTexts);
  return (
    <>
      <p>
        <a href={accountPaths.apps}>{texts.ownApps}</a>
      </p>
      <Card heading={texts.heading} lead={texts.lead} id="allowed">
        {page.data.length === 0 ? (
          <Empty title={texts.empty} advice={texts.emptyAdvice} />
        ) : (
          <ul class="plain">
            {page.data.map((grant) => (
              <GrantItem grant={grant} />
            ))}
          </ul>
        )}
        <Pager path={accountPaths.allowed} nextCursor={page.nextCursor} isFirst={isFirst} />
      </Card>
    </>
  );
}

function GrantItem({ grant }: { grant: Grant }) {
  const texts = useTexts(grantTexts);
  const { id, app } = grant;
  return (
    <li class="item">
      <Initials name={app.name} />
      <div>
        <p>
          <strong>{app.name}</strong>
        </p>
        <Scopes scopes={grant.scopes} />
        {grant.resources.length > 0 && (
          <p class="quiet">{fill(texts.usedAt, { resources: grant.resources.join(', ') })}</p>
        )}
        <Times grant={grant} />
        <p class="row">
          <LinkButton
            href={grantPath(id)}
            text={texts.change}
            label={fill(texts.changeNamed, { app: app.name })}
          />
          <LinkButton
            href={grantPath(id, 'end')}
            look="danger"
            text={texts.end}
            label={fill(texts.endNamed, { app: app.name })}
          />
        </p>
      </div>
    </li>
  );
}

/** What the app may do, in words. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  const words: Readonly<Record<string, string>> = useTexts(scopeTexts);
  return (
    <>
      <p>{useTexts(grantTexts).may}</p>
      <ul class="last">
        {scopes.map((scope) => (
          <li>{words[scope] ?? scope}</li>
        ))}
      </ul>
    </>
  );
}

export function Times({ grant: { createdAt, lastUsedAt, expiresAt } }: { grant: Grant }) {
  const texts = useTexts(grantTexts);
  return (
    <p class="quiet">
      <Moment text={texts.since} at={createdAt} as="day" />
      {' · '}
      {lastUsedAt === null ? texts.neverUsed : <Moment text={texts.used} at={lastUsedAt} />}
      {expiresAt !== null && (
        <>
          {' · '}
          <Moment text={texts.until} at={expiresAt} as="day" />
        </>
      )}
    </p>
  );
}
