import { type App, appScopes, idTokenAlgs } from '../../features/app/schema.ts';
import { accountPaths, appPath } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { ChoiceField, Field, LinesField } from '../../ui/components/field.tsx';
import { Button, LinkButton, type Question } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { appTexts } from '../messages/app.ts';
import { type FormProblems, linesOf } from '../shared/form-lines.ts';

type Fields = Pick<
  App,
  | 'name'
  | 'redirectUris'
  | 'allowedOrigins'
  | 'scopes'
  | 'homepageUrl'
  | 'backchannelLogoutUri'
  | 'idTokenAlg'
>;

interface FormProps {
  /** What was typed into a form that was refused. */
  readonly typed?: URLSearchParams | undefined;
  readonly problems?: FormProblems | undefined;
}

const newFields: Fields = {
  name: '',
  redirectUris: [],
  allowedOrigins: [],
  scopes: ['openid', 'profile'],
  homepageUrl: null,
  backchannelLogoutUri: null,
  idTokenAlg: 'RS256',
};

const algorithms = Object.fromEntries(idTokenAlgs.map((name) => [name, name]));

/** The form that registers an app. */
export function NewAppCard({ typed, problems }: FormProps) {
  const texts = useTexts(appTexts);
  const types = { web: texts.web, spa: texts.spa, native: texts.native };
  return (
    <>
      <BackToApps />
      <Card heading={texts.register} id="new-app">
        <form method="post" action={accountPaths.newApp}>
          <ChoiceField
            id="type"
            label={texts.type}
            choices={types}
            value={typed?.get('type') ?? 'web'}
            hint={texts.typeHint}
          />
          <AppFields fields={newFields} {...{ typed, problems }} />
          <Button look="main" text={texts.register} />
        </form>
      </Card>
    </>
  );
}

export function BackToApps() {
  return (
    <p>
      <a href={accountPaths.apps}>{useTexts(appTexts).back}</a>
    </p>
  );
}

/** What the app is, and the form that changes it. */
export function SettingsCard({ app, typed, problems }: FormProps & { readonly app: App }) {
  const texts = useTexts(appTexts);
  return (
    <Card heading={app.name} id="settings">
      {app.status === 'suspended' && <Notice kind="warning" text={texts.suspendedNotice} />}
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
        <AppFields fields={app} {...{ typed, problems }} />
        <Button look="main" text={texts.save} />
      </form>
    </Card>
  );
}

function AppFields({ fields, typed, problems = {} }: FormProps & { readonly fields: Fields }) {
  const texts = useTexts(appTexts);
  // Unticked boxes are not sent, so only a form that holds this field says which are ticked.
  const sent = typed?.has('name') ? typed : undefined;
  const lines = (name: 'redirectUris' | 'allowedOrigins') => (
    <LinesField
      id={name}
      label={texts[name]}
      lines={sent ? linesOf(sent.get(name)) : fields[name]}
      hint={texts[`${name}Hint`]}
      problems={problems[name] ?? []}
    />
  );
  const address = (name: 'homepageUrl' | 'backchannelLogoutUri', hint?: string) => (
    <Field
      id={name}
      label={texts[name]}
      value={sent?.get(name) ?? fields[name] ?? ''}
      autocomplete="off"
      {...(hint === undefined ? {} : { hint })}
      problems={problems[name] ?? []}
      input={{ inputmode: 'url', autocapitalize: 'none', spellcheck: 'false' }}
    />
  );
  return (
    <>
      <Field
        id="name"
        label={texts.name}
        value={sent?.get('name') ?? fields.name}
        autocomplete="off"
        hint={texts.nameHint}
        problems={problems['name'] ?? []}
        input={{ required: true }}
      />
      {lines('redirectUris')}
      {lines('allowedOrigins')}
      {address('homepageUrl')}
      <ScopeFields chosen={sent?.getAll('scopes') ?? fields.scopes} />
      {address('backchannelLogoutUri', texts.backchannelLogoutUriHint)}
      <ChoiceField
        id="idTokenAlg"
        label={texts.idTokenAlg}
        choices={algorithms}
        value={sent?.get('idTokenAlg') ?? fields.idTokenAlg}
        hint={texts.idTokenAlgHint}
      />
    </>
  );
}

function ScopeFields({ chosen }: { chosen: readonly string[] }) {
  return (
    <fieldset class="field">
      <legend class="label">{useTexts(appTexts).scopes}</legend>
      {appScopes.map((scope) => (
        <label class="check">
          <input type="checkbox" name="scopes" value={scope} checked={chosen.includes(scope)} />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}

export function DeleteAppCard({ app }: { app: App }) {
  const texts = useTexts(appTexts);
  return (
    <Card heading={texts.deleteHeading} lead={texts.deleteLead} id="delete">
      <LinkButton
        href={appPath(app.id, 'remove')}
        look="danger"
        opens="delete-app"
        text={texts.deleteHeading}
      />
    </Card>
  );
}

/** Whether to delete the app. */
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
