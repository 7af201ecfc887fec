import { deskPath, personPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { useDeviceName, useProviderName } from '../shared/names.ts';
import { Ask } from './ask.tsx';
import type { PersonProps } from './person-card.tsx';

/**
 * Shows how a person who cannot sign in can regain access, such as after losing a passkey, and offers the recovery
 * email.
 */
export function WaysBackCard(props: PersonProps) {
  const { person, typed, problems } = props;
  const texts = useTexts(deskPeopleTexts);
  const { handle, emails, status, credentials } = person;
  if (status === 'closed') return null;
  const hasPassword = credentials.some(({ provider }) => provider === 'email');
  return (
    <Card heading={texts.waysBack} id="ways-back">
      {status === 'suspended' ? (
        <p>{texts.waySuspended}</p>
      ) : (
        <>
          <Advice {...props} />
          <MoveMoney {...props} />
          {hasPassword && emails.length > 0 && (
            <Ask
              act="recovery"
              {...{ path: personPath(handle), typed, problems }}
              text={fill(texts.recoveryAsk, { emails: emails.join(', ') })}
            />
          )}
        </>
      )}
    </Card>
  );
}

const canProve = ({ credentials }: PersonProps['person']) =>
  credentials.some(({ provider }) => provider !== 'passkey');

/** Leads to the form that moves money, filled in with the whole balance. */
function MoveMoney({ person, isAdministrator }: PersonProps) {
  const { moveMoney } = useTexts(deskPeopleTexts);
  const balance = person.wallet?.balances[0]?.available ?? 0;
  if (!isAdministrator || canProve(person) || balance === 0) return null;
  const href = `${withQuery(deskPath, { from: person.pid, amount: String(balance) })}#adjust`;
  return (
    <p>
      <LinkButton href={href} text={moveMoney} />
    </p>
  );
}

function Advice({ person, names }: PersonProps) {
  const { credentials, sessions, emails } = person;
  const texts = useTexts(deskPeopleTexts);
  const providerOf = useProviderName(names);
  const deviceOf = useDeviceName();
  const hasPassword = credentials.some(({ provider }) => provider === 'email');
  const passkeys = credentials.filter(({ provider }) => provider === 'passkey').length;
  const others = credentials.filter(({ provider }) => provider !== 'passkey' && provider !== 'email');
  const isLost = !canProve(person);
  const providers = others
    .map(({ provider, email }) => [providerOf(provider), ...(email === null ? [] : [`(${email})`])].join(' '))
    .join(', ');
  const devices = [...new Set(sessions.map(({ device }) => deviceOf(device)))].join(', ');
  return (
    <ul>
      {hasPassword && emails.length > 0 && <li>{texts.wayPassword}</li>}
      {others.length > 0 && <li>{fill(texts.wayProvider, { providers })}</li>}
      {passkeys > 0 && <li>{fill(texts.wayPasskey, { count: passkeys })}</li>}
      {!hasPassword && <li>{texts.noRecovery}</li>}
      {sessions.length > 0 && isLost && <li>{fill(texts.waySession, { devices })}</li>}
      {isLost && <li>{texts.wayNone}</li>}
    </ul>
  );
}
