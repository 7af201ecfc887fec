import type { Consent } from '../../features/admin/consent.ts';
import type { DeskTransaction } from '../../features/admin/transaction.ts';
import { personPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { Foreign, Moment } from '../../ui/components/text.tsx';
import { formatCountry } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskMoneyTexts } from '../messages/desk-money.ts';
import { type ProviderNames, useDeviceName, useProviderName } from '../shared/names.ts';

interface ConsentProps {
  readonly consent: Consent;
  readonly transaction: DeskTransaction;
  readonly names: ProviderNames;
}

/** How the payer agreed, and in which session, by which a dispute is judged. */
export function ConsentText({ consent, transaction: { app, from }, names }: ConsentProps) {
  const texts = useTexts(deskMoneyTexts);
  const { how, at, grantedAt, session } = consent;
  return (
    <>
      {how === 'own' && <Moment text={texts.agreedAlone} at={at} as="moment" />}
      {how === 'popup' && (
        <>
          <Moment text={texts.agreedInPopup} at={at} as="moment" /> {app && <Foreign text={app.name} />}
        </>
      )}
      {how === 'grant' &&
        (grantedAt === null ? (
          texts.grantGone
        ) : (
          <Moment text={texts.agreedByGrant} at={grantedAt} as="moment" />
        ))}
      <div class="quiet">
        {session === null ? (
          texts.noSession
        ) : (
          <SessionText {...{ session, payer: present(from.handle, 'the payer'), names }} />
        )}
      </div>
    </>
  );
}

interface SessionProps {
  readonly session: NonNullable<Consent['session']>;
  readonly payer: string;
  readonly names: ProviderNames;
}

function SessionText({ session, payer, names }: SessionProps) {
  const texts = useTexts(deskMoneyTexts);
  const { locale } = useView();
  const provider = useProviderName(names)(session.provider);
  const device = useDeviceName()(session.device);
  const { id, address, country, isLive } = session;
  return (
    <>
      {[
        fill(texts.signedInOn, { provider, device }),
        country && formatCountry(locale, country),
        address,
        !isLive && texts.sessionEnded,
      ]
        .filter(Boolean)
        .join(' · ')}{' '}
      {isLive ? (
        <a class="mono" href={`${personPath(payer)}#${id}`}>
          {id}
        </a>
      ) : (
        <code>{id}</code>
      )}
    </>
  );
}
