import type { DeskApp, RestrictedApps } from '../../features/admin/schema.ts';
import { deskPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';
import { DeskForm } from './forms.tsx';

export interface AppCardProps {
  /** The requested id, if any. */
  readonly appId: string | undefined;
  /** The app with that id, if it exists. */
  readonly app: DeskApp | null;
  readonly typed?: URLSearchParams | undefined;
  readonly requestKey: string;
}

/** Finds an app, and shows the details to review above the form that sets its flags. */
export function AppCard({ appId, app, typed, requestKey }: AppCardProps) {
  const texts = useTexts(deskTexts);
  return (
    <Card heading={texts.appForm} lead={texts.appLead} id="app">
      <div class="stack">
        <form action={`${deskPath}#app`}>
          <Field
            id="app-id"
            name="app"
            label={texts.appId}
            value={appId ?? ''}
            problems={appId !== undefined && app === null ? [texts.noApp] : []}
            input={{ required: true, autocapitalize: 'none', spellcheck: 'false' }}
          />
          <Button text={texts.showApp} />
        </form>
        {app !== null && <AppFacts app={app} />}
      </div>
      {app !== null && <DeskForm act="app" of={app.id} seen={app.updatedAt} {...{ typed, requestKey }} />}
    </Card>
  );
}

function AppFacts({ app }: { app: DeskApp }) {
  const texts = useTexts(deskTexts);
  const { name, owner, type, redirectUris, allowedOrigins, scopes } = app;
  const one = (value: string | null) => (value === null ? [] : [value]);
  const facts: [string, readonly string[]][] = [
    [texts.name, [name]],
    [texts.owner, [owner ?? texts.nobody]],
    [texts.type, [texts[type]]],
    [texts.redirectUris, redirectUris],
    [texts.postLogoutRedirectUris, app.postLogoutRedirectUris],
    [texts.allowedOrigins, allowedOrigins],
    [texts.homepage, one(app.homepageUrl)],
    [texts.privacy, one(app.privacyUrl)],
    [texts.logoutAddress, one(app.backchannelLogoutUri)],
    [texts.scopes, [scopes.join(', ')]],
    [texts.pkce, app.pkce === 'nonce' ? [texts.pkceNonce] : []],
    [texts.deviceFlow, app.deviceFlow ? [texts.yes] : []],
    [texts.resource, app.resources.map(({ resource }) => resource)],
    [texts.status, [texts[app.status]]],
    [texts.checked, [app.checked ? texts.yes : texts.no]],
    [texts.ownApp, [app.firstParty ? texts.yes : texts.no]],
    [texts.tokenLimitNow, app.tokenLimit === null ? [] : [String(app.tokenLimit)]],
  ];
  return (
    <dl>
      {facts
        .filter(([, values]) => values.length > 0)
        .map(([label, values]) => (
          <>
            <dt>{label}</dt>
            <dd>
              {values.map((value) => (
                <div>{value}</div>
              ))}
            </dd>
          </>
        ))}
      {app.logo !== null && (
        <>
          <dt>{texts.logo}</dt>
          <dd>
            <img class="logo" src={app.logo} alt={texts.logo} width={44} height={44} />
          </dd>
        </>
      )}
      <dt>{texts.changed}</dt>
      <dd>
        <Moment at={app.updatedAt} />
      </dd>
    </dl>
  );
}

/** Apps with restrictions, each with a link to its form. */
export function RestrictedCard({ apps: { data } }: { apps: RestrictedApps }) {
  const texts = useTexts(deskTexts);
  if (data.length === 0) return null;
  return (
    <Card heading={texts.restricted} id="restricted">
      <ul class="plain">
        {data.map(({ id, name, reason, grants }) => (
          <li>
            <p>
              <a href={`${withQuery(deskPath, { app: id })}#app`}>{name}</a> <code>{id}</code>
            </p>
            <p class="quiet last">{fill(texts[reason], { count: grants ?? 0 })}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
