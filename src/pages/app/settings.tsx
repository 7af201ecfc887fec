import { type App, appScopes, identityScopes, idTokenAlgs } from '../../features/app/schema.ts';
import { appPath, developerPaths } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { ChoiceField, Field, LinesField } from '../../ui/components/field.tsx';
import { Button, Form, type Question } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { appTexts, resourceTexts } from '../messages/app.ts';
import { scopeTexts } from '../messages/sign-in.ts';
import { type Entry, fieldOf, linesOf } from '../shared/form.ts';

type Fields = Pick<
  App,
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'allowedOrigins'
  | 'scopes'
  | 'homepageUrl'
  | 'privacyUrl'
  | 'logoUrl'
  | 'backchannelLogoutUri'
  | 'idTokenAlg'
  | 'pkce'
  | 'deviceFlow'
>;

const newFields: Fields = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  allowedOrigins: [],
  scopes: [...identityScopes],
  homepageUrl: null,
  privacyUrl: null,
  logoUrl: null,
  backchannelLogoutUri: null,
  idTokenAlg: 'RS256',
  pkce: 'required',
  deviceFlow: false,
};

const algorithms = Object.fromEntries(idTokenAlgs.map((name) => [name, name]));

/** The form for registering an app: three fields from which the rest is derived, and the rest for those who need it. */
export function NewAppCard({ typed, problems = {} }: Entry) {
  const texts = useTexts(appTexts);
  const types = { web: texts.web, spa: texts.spa, native: texts.native };
  const entry = { typed, problems };
  const isAdvanced = Object.keys(problems).some((field) => !['name', 'address'].includes(field));
  return (
    <Card heading={texts.register} id="new-app">
      <form method="post" action={developerPaths.register}>
        <NameField {...fieldOf(entry, 'name')} />
        <ChoiceField
          id="type"
          label={texts.type}
          choices={types}
          value={typed?.get('type') ?? 'web'}
          hint={texts.typeHint}
        />
        <Field
          {...fieldOf(entry, 'address')}
          label={texts.address}
          hint={texts.addressHint}
          input={{ required: !isAdvanced, ...urlInput }}
        />
        <details class="field" open={isAdvanced}>
          <summary>{texts.advanced}</summary>
          <AppFields fields={newFields} {...entry} />
        </details>
        <Button look="main" text={texts.register} />
      </form>
    </Card>
  );
}

const urlInput = { inputmode: 'url', autocapitalize: 'none', spellcheck: 'false' } as const;

function NameField(field: ReturnType<typeof fieldOf>) {
  const texts = useTexts(appTexts);
  return <Field {...field} label={texts.name} hint={texts.nameHint} input={{ required: true }} />;
}

/** The app with the form for changing it. */
export function SettingsCard({ app, typed, problems }: Entry & { readonly app: App }) {
  const texts = useTexts(appTexts);
  return (
    <Card heading={texts.settings} id="settings">
      {app.status === 'suspended' && <Notice kind="warning" text={texts.suspendedNotice} />}
      {app.pkce === 'nonce' && <Notice text={texts.pkceNotice} />}
      {app.deviceFlow && <Notice text={texts.deviceFlowNotice} />}
      <dl>
        <dt>{texts.id}</dt>
        <dd>
          <code>{app.id}</code>
        </dd>
        <dt>{texts.type}</dt>
        <dd>{texts[app.type]}</dd>
        <dt>{texts.since}</dt>
        <dd>
          <Moment at={app.createdAt} as="day" />
        </dd>
      </dl>
      <form method="post" action={appPath(app.id)}>
        <NameField {...fieldOf({ typed: sentBy(typed), problems }, 'name', app.name)} />
        <AppFields fields={app} {...{ typed, problems }} />
        <Button look="main" text={texts.save} />
      </form>
    </Card>
  );
}

/** Unticked boxes are not sent, so a form without this field leaves the boxes unchanged. */
const sentBy = (typed: Entry['typed']) => (typed?.has('name') ? typed : undefined);

function AppFields({ fields, typed, problems = {} }: Entry & { readonly fields: Fields }) {
  const texts = useTexts(appTexts);
  const sent = sentBy(typed);
  const entry = { typed: sent, problems };
  const lines = (name: 'redirectUris' | 'postLogoutRedirectUris' | 'allowedOrigins') => (
    <LinesField
      id={name}
      label={texts[name]}
      lines={sent ? linesOf(sent.get(name)) : fields[name]}
      hint={texts[`${name}Hint`]}
      problems={problems[name] ?? []}
    />
  );
  const address = (
    name: 'homepageUrl' | 'privacyUrl' | 'logoUrl' | 'backchannelLogoutUri',
    hint?: string,
  ) => (
    <Field
      {...fieldOf(entry, name, fields[name] ?? '')}
      label={texts[name]}
      {...(hint === undefined ? {} : { hint })}
      input={urlInput}
    />
  );
  return (
    <>
      {lines('redirectUris')}
      {lines('allowedOrigins')}
      {address('homepageUrl')}
      {address('privacyUrl')}
      {address('logoUrl', texts.logoUrlHint)}
      <input type="hidden" name="logoBefore" value={fields.logoUrl ?? ''} />
      <ScopeFields chosen={sent?.getAll('scopes') ?? fields.scopes} />
      {lines('postLogoutRedirectUris')}
      {address('backchannelLogoutUri', texts.backchannelLogoutUriHint)}
      <ChoiceField
        id="idTokenAlg"
        label={texts.idTokenAlg}
        choices={algorithms}
        value={sent?.get('idTokenAlg') ?? fields.idTokenAlg}
        hint={texts.idTokenAlgHint}
      />
      <ChoiceField
        id="pkce"
        label={texts.pkce}
        choices={{ required: texts.pkceRequired, nonce: texts.pkceNonce }}
        value={sent?.get('pkce') ?? fields.pkce}
        hint={texts.pkceHint}
        problems={problems['pkce'] ?? []}
      />
      <ChoiceField
        id="deviceFlow"
        label={texts.deviceFlow}
        choices={{ false: texts.deviceFlowOff, true: texts.deviceFlowOn }}
        value={sent?.get('deviceFlow') ?? String(fields.deviceFlow)}
        hint={texts.deviceFlowHint}
        problems={problems['deviceFlow'] ?? []}
      />
    </>
  );
}

/** The scopes in the words that people read when the app asks, each with its code. */
function ScopeFields({ chosen }: { chosen: readonly string[] }) {
  const words = useTexts(scopeTexts);
  return (
    <fieldset class="field">
      <legend class="label">{useTexts(appTexts).scopes}</legend>
      {appScopes.map((scope) => (
        <label class="check">
          <input type="checkbox" name="scopes" value={scope} checked={chosen.includes(scope)} />
          <span>
            {words[scope]} <code>{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function useDeleteQuestion({ id, name }: App): Question {
  const texts = useTexts(appTexts);
  return {
    id: 'delete-app',
    title: fill(texts.deleteTitle, { app: name }),
    text: texts.deleteLead,
    action: appPath(id, 'remove'),
    submit: texts.delete,
  };
}

/** The other services that the app's access tokens may be for, and instructions for proving one. */
export function ResourcesCard({ app, ...entry }: Entry & { readonly app: App }) {
  const texts = useTexts(resourceTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="resources">
      <ul class="plain">
        {app.resources.map((one) => (
          <ResourceItem appId={app.id} {...one} />
        ))}
      </ul>
      <form method="post" action={appPath(app.id, 'resources')}>
        <Field
          {...fieldOf(entry, 'resource')}
          label={texts.address}
          hint={
            <>
              {texts.proof} <code>{JSON.stringify({ owner: app.id, clients: [] })}</code>
            </>
          }
          input={{ required: true, ...urlInput }}
        />
        <Button text={texts.add} />
      </form>
    </Card>
  );
}

function ResourceItem({ appId, resource, clients }: App['resources'][number] & { readonly appId: string }) {
  const texts = useTexts(resourceTexts);
  const action = appPath(appId, 'resources');
  return (
    <li>
      <h3>
        <code>{resource}</code>
      </h3>
      {clients.length > 0 && <p class="quiet">{fill(texts.clients, { apps: clients.join(', ') })}</p>}
      <div class="row">
        <Form {...{ action }} hidden={{ resource }}>
          <Button text={texts.check} label={fill(texts.checkNamed, { resource })} />
        </Form>
        <Form {...{ action }} hidden={{ resource, remove: 'true' }}>
          <Button look="danger" text={texts.remove} label={fill(texts.removeNamed, { resource })} />
        </Form>
      </div>
    </li>
  );
}
