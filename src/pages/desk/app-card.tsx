import type { NamedApp } from '../../features/admin/named-apps.ts';
import type { DeskApp, RestrictedApps } from '../../features/admin/schema.ts';
import { deskPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';
import type { Entry } from '../shared/form.ts';
import { AskForm } from './ask.tsx';
import { DeskDetails, DeskForm, entryOf } from './forms.tsx';

export interface AppCardProps extends Entry {
  /** The requested id or name, if any. */
  readonly appId: string | undefined;
  /** The app with that id, if it exists. */
  readonly app: DeskApp | null;
  /** Apps whose name begins with the requested text. */
  readonly named: readonly NamedApp[];
  readonly requestKey: string;
}

/** Finds an app, and shows the details to review above the forms that set its flags and suspend it. */
export function AppCard({ appId, app, named, requestKey, ...entry }: AppCardProps) {
  const texts = useTexts(deskTexts);
  const isNone = appId !== undefined && app === null && named.length === 0;
  return (
    <Card heading={texts.appForm} lead={texts.appLead} id="app">
      <div class="stack">
        <form action={`${deskPath}#app`}>
          <Field
            id="app-id"
            name="app"
            label={texts.appSearch}
            value={appId ?? ''}
            problems={isNone ? [texts.noApp] : []}
            input={{ required: true, autocapitalize: 'none', spellcheck: 'false' }}
          />
          <Button text={texts.showApp} />
        </form>
        {named.length > 0 && (
          <ul class="plain">
            {named.map(({ id, name }) => (
              <li>
                <AppLink {...{ id, name }} />
              </li>
            ))}
          </ul>
        )}
        {app !== null && <AppFacts app={app} />}
      </div>
      {app !== null && <AppForms {...{ app, requestKey, ...entryOf(entry, 'act', 'app') }} />}
      <DeskDetails act="resource" {...{ requestKey, ...entryOf(entry, 'act', 'resource') }} />
    </Card>
  );
}

export function AppLink({ id, name }: NamedApp) {
  return (
    <>
      <a href={`${withQuery(deskPath, { app: id })}#app`}>{name}</a> <code>{id}</code>
    </>
  );
}

function AppForms({ app, requestKey, ...entry }: Entry & { app: DeskApp; requestKey: string }) {
  const texts = useTexts(deskTexts);
  const { id, status, updatedAt: seen } = app;
  const next = status === 'active' ? 'suspended' : 'active';
  const isStatus = entry.typed?.has('status');
  return (
    <>
      <AskForm
        id="app-status"
        label={texts[`${next}Do`]}
        path={deskPath}
        hidden={{ act: 'app', id, status: next, seen }}
        text={texts[`${next}Ask`]}
        isDanger={next === 'suspended'}
        {...(isStatus ? entry : {})}
      />
      <DeskForm act="app" of={id} {...{ seen, requestKey }} {...(isStatus ? {} : entry)} />
    </>
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
              <AppLink {...{ id, name }} />
            </p>
            <p class="quiet last">{fill(texts[reason], { count: grants ?? 0 })}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
