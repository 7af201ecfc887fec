import type { Child } from 'hono/jsx';
import type { Credential } from '../../features/credential/schema.ts';
import { idpEndpoints } from '../../features/idp/endpoints.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import {
  Button,
  LinkButton,
  type Question,
  QuestionCard,
  QuestionDialog,
} from '../../ui/components/form.tsx';
import { ProviderIcon } from '../../ui/components/icon.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { credentialTexts } from '../messages/account.ts';
import { PasskeyDetails, PasskeyInvitation } from '../passkey/account.tsx';
import { type ProviderNames, useProviderName } from '../shared/names.ts';

interface CredentialsProps {
  readonly credentials: readonly Credential[];
  readonly names: ProviderNames;
  /** External providers that are not linked yet. */
  readonly linkable?: readonly LinkableProvider[];
  /** Invites the person to add a passkey. */
  readonly mayInvite?: boolean;
  /** Other kinds of credential to link. */
  readonly children?: Child;
}

/** The person's credentials. The last one cannot be unlinked, and the page explains why. */
export function CredentialsPanel(props: CredentialsProps) {
  const { credentials, names, linkable = [], mayInvite = false, children } = props;
  const texts = useTexts(credentialTexts);
  const isOnlyOne = credentials.length === 1;
  return (
    <>
      {mayInvite && <PasskeyInvitation />}
      <Card heading={texts.heading} lead={texts.lead} id="credentials">
        <ul class="plain">
          {credentials.map((credential) => (
            <CredentialItem {...{ credential, names, isOnlyOne }} />
          ))}
        </ul>
      </Card>
      <LinkSection providers={linkable} />
      {children}
      {!isOnlyOne && credentials.map(({ id, provider }) => <UnlinkDialog {...{ id, provider, names }} />)}
    </>
  );
}

interface ItemProps {
  readonly credential: Credential;
  readonly names: ProviderNames;
  readonly isOnlyOne: boolean;
}

function CredentialItem({ credential, names, isOnlyOne }: ItemProps) {
  const { id, provider, email, linkedAt, lastLoginAt } = credential;
  const texts = useTexts(credentialTexts);
  const name = useProviderName(names)(provider);
  const isPasskey = provider === 'passkey';
  return (
    <li class="item">
      <ProviderIcon provider={provider} />
      <div>
        <p>
          <strong>{isPasskey ? (credential.name ?? name) : name}</strong>
        </p>
        {isPasskey ? (
          <PasskeyDetails credential={credential} />
        ) : (
          email !== null && <p class="quiet">{email}</p>
        )}
        <p class="quiet">
          <Moment text={texts.linked} at={linkedAt} as="day" />
          {' · '}
          <Moment text={texts.lastUsed} at={lastLoginAt} />
        </p>
        {isOnlyOne && (
          <p class="hint" id={`${id}-reason`}>
            {texts.onlyOne}
          </p>
        )}
      </div>
      {isOnlyOne ? (
        <Button
          disabled
          describedBy={`${id}-reason`}
          label={fill(texts.unlinkNamed, { provider: name })}
          text={texts.unlink}
        />
      ) : (
        <LinkButton
          href={withQuery(accountPaths.unlink, { id })}
          opens={`unlink-${id}`}
          label={fill(texts.unlinkNamed, { provider: name })}
          text={texts.unlink}
        />
      )}
    </li>
  );
}

interface UnlinkProps {
  readonly id: string;
  readonly provider: string;
  readonly names: ProviderNames;
}

function useUnlinkQuestion({ id, provider, names }: UnlinkProps): Question {
  const texts = useTexts(credentialTexts);
  return {
    id: `unlink-${id}`,
    title: fill(texts.confirmTitle, { provider: useProviderName(names)(provider) }),
    text: texts.confirm,
    action: accountPaths.unlink,
    hidden: { id },
    'data-passkey-removal': provider === 'passkey' ? 'on' : undefined,
    submit: texts.unlink,
  };
}

function UnlinkDialog(props: UnlinkProps) {
  return <QuestionDialog question={useUnlinkQuestion(props)} />;
}

/** The dialog's question as a page, for browsers without script. */
export function UnlinkCard(props: UnlinkProps) {
  return <QuestionCard question={useUnlinkQuestion(props)} back={accountPaths.credentials} />;
}

export interface LinkableProvider {
  readonly id: string;
  readonly name: string | null;
}

/** Each button sends the id of its provider. */
export function LinkSection({ providers }: { providers: readonly LinkableProvider[] }) {
  const texts = useTexts(credentialTexts);
  if (providers.length === 0) return null;
  return (
    <Card heading={texts.linkHeading} lead={texts.linkLead} id="link">
      <form method="post" action={idpEndpoints.getLinkUrl.path} class="row">
        {providers.map(({ id, name }) => (
          <button type="submit" name="provider" value={id} class="provider">
            <ProviderIcon provider={id} />
            {fill(texts.link, { provider: name ?? id })}
          </button>
        ))}
      </form>
    </Card>
  );
}
