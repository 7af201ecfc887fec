import type { Credential } from '../../features/credential/schema.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { credentialTexts } from '../messages/account.ts';
import { passkeyStates, passkeyTexts } from '../messages/sign-in.ts';
import { CeremonyButton } from './ceremony.tsx';

/** Adds a passkey. This needs a script, so without one the button stays hidden. */
export function PasskeySection() {
  const texts = useTexts(passkeyTexts);
  const states = useTexts(passkeyStates);
  const next = withQuery(accountPaths.credentials, { done: 'passkeyAdded' });
  return (
    <div data-passkey data-passkey-account hidden data-texts={JSON.stringify(states)} data-next={next}>
      <Card heading={texts.heading} lead={texts.lead} id="passkeys">
        <Field id="passkey-name" label={texts.nameLabel} hint={texts.nameHint} input={{ maxlength: 64 }} />
        <CeremonyButton ceremony="add" text={texts.add} look="compact" />
        <p role="status" class="hint" />
      </Card>
    </div>
  );
}

/** Invites someone who signed in with a password to add a passkey. A browser without passkeys does not show it. */
export function PasskeyInvitation() {
  const texts = useTexts(passkeyTexts);
  const states = useTexts(passkeyStates);
  const next = withQuery(accountPaths.credentials, { done: 'passkeyAdded' });
  return (
    <div data-passkey data-optional hidden data-texts={JSON.stringify(states)} data-next={next}>
      <Notice title={texts.inviteTitle} text={texts.invite}>
        <div class="row">
          <CeremonyButton ceremony="add" text={texts.add} look="compact" />
          <a class="button" href={withQuery(accountPaths.credentials, { passkey: 'later' })}>
            {texts.later}
          </a>
        </div>
        <p role="status" class="hint" />
      </Notice>
    </div>
  );
}

/** The details of a passkey in the list of credentials: where it is stored, and a form for renaming it. */
export function PasskeyDetails({ credential }: { credential: Credential }) {
  const texts = useTexts(passkeyTexts);
  const { passkey } = useTexts(credentialTexts);
  const { id, name = null, backedUp = false } = credential;
  return (
    <>
      <p class="quiet">{backedUp ? texts.synced : texts.single}</p>
      <details>
        <summary>{texts.rename}</summary>
        <Form action={accountPaths.rename} hidden={{ id }}>
          <Field
            id={`name-${id}`}
            name="name"
            label={fill(texts.renameNamed, { name: name ?? passkey })}
            value={name ?? ''}
            input={{ maxlength: 64, required: true }}
          />
          <Button text={texts.save} />
        </Form>
      </details>
    </>
  );
}
