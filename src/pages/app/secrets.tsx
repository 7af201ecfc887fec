import type { SecretList } from '../../features/app/schema.ts';
import { appPath } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { ChoiceField } from '../../ui/components/field.tsx';
import { Button, CopyButton, LinkButton, type Question, QuestionDialog } from '../../ui/components/form.tsx';
import { Icon } from '../../ui/components/icon.tsx';
import { Filled, Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { secretTexts } from '../messages/app.ts';

type Secret = SecretList['data'][number];

/** A secret that is shown only once: selectable text, and a button that copies it if scripts run. */
export function NewSecretCard({ value, label }: { value: string; label: 'newSecret' | 'newSigningSecret' }) {
  const texts = useTexts(secretTexts);
  return (
    <Card heading={texts[label]} id="new-secret">
      <Notice kind="warning" text={texts.copyNow} />
      <div class="field">
        <textarea id="secret" class="mono" rows={2} readonly aria-labelledby="new-secret-heading">
          {value}
        </textarea>
      </div>
      <div class="row">
        <CopyButton id="secret" text={texts.copy} />
      </div>
    </Card>
  );
}

interface SecretsProps {
  readonly appId: string;
  readonly secrets: readonly Secret[];
}

/** The valid secrets, and the form that creates another. */
export function SecretsCard({ appId, secrets }: SecretsProps) {
  const texts = useTexts(secretTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="secrets">
      {secrets.length === 0 && <Notice kind="warning" text={texts.none} />}
      <ul class="plain">
        {secrets.map((secret) => (
          <SecretItem {...{ appId, secret }} />
        ))}
      </ul>
      <form method="post" action={appPath(appId, 'secrets')}>
        <OverlapField id="overlap" label={texts.overlap} />
        <Button text={texts.rotate} />
      </form>
    </Card>
  );
}

/** The question of each secret's button. */
export function RevokeDialogs({ appId, secrets }: SecretsProps) {
  return (
    <>
      {secrets.map((secret) => (
        <RevokeDialog {...{ appId, secret, isOnly: secrets.length === 1 }} />
      ))}
    </>
  );
}

/** The question on the button of each secret. */
export function OverlapField({ id, label }: { id: string; label: string }) {
  const texts = useTexts(secretTexts);
  const choices = {
    0: texts.seconds0,
    3600: texts.seconds3600,
    86400: texts.seconds86400,
    604800: texts.seconds604800,
  };
  return <ChoiceField {...{ id, label, choices }} name="overlapSeconds" value="86400" />;
}

function SecretItem({ appId, secret }: { appId: string; secret: Secret }) {
  const texts = useTexts(secretTexts);
  const { id, hint, createdAt, expiresAt } = secret;
  return (
    <li class="item">
      <Icon name="key" />
      <div>
        <p>
          <Filled text={texts.endsWith}>
            <code>{hint}</code>
          </Filled>{' '}
          {expiresAt === null && <span class="badge">{texts.current}</span>}
        </p>
        <p class="quiet">
          <Moment text={texts.made} at={createdAt} />
          {expiresAt !== null && (
            <>
              {' · '}
              <Moment text={texts.expires} at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <LinkButton
        href={`${appPath(appId, 'revoke')}?${new URLSearchParams({ secret: id })}`}
        opens={`revoke-${id}`}
        label={fill(texts.revokeNamed, { hint })}
        text={texts.revoke}
      />
    </li>
  );
}

interface RevocationProps {
  readonly appId: string;
  readonly secret: Secret;
  readonly isOnly: boolean;
}

function RevokeDialog(props: RevocationProps) {
  return <QuestionDialog question={useRevokeQuestion(props)} />;
}

/** The overlap during which previous secrets stay valid. */
export function useRevokeQuestion({ appId, secret, isOnly }: RevocationProps): Question {
  const texts = useTexts(secretTexts);
  return {
    id: `revoke-${secret.id}`,
    title: fill(texts.revokeTitle, { hint: secret.hint }),
    text: isOnly ? `${texts.revokeText} ${texts.revokeOnly}` : texts.revokeText,
    action: appPath(appId, 'revoke'),
    hidden: { secret: secret.id, ...(isOnly ? { force: 'true' } : {}) },
    submit: texts.revoke,
  };
}
