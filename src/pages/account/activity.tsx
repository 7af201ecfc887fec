import type { ActivityEntry } from '../../features/account/schema.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { Pager, Table } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount, formatCountry } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { activityTexts } from '../messages/account.ts';
import { type ProviderNames, useDeviceName, useProviderName } from '../shared/names.ts';

interface ActivityProps {
  readonly page: Page<ActivityEntry>;
  readonly isFirst: boolean;
  readonly names: ProviderNames;
}

/** What happened to the identity, newest first. */
export function ActivityPanel({ page, isFirst, names }: ActivityProps) {
  const texts = useTexts(activityTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="activity">
      {page.data.length === 0 ? (
        <Empty title={texts.empty} advice={texts.emptyAdvice} />
      ) : (
        <Table
          caption={texts.heading}
          columns={[texts.what, texts.where, texts.when]}
          rows={page.data.map((entry) => [
            <What {...{ entry, names }} />,
            <Where entry={entry} />,
            <Moment at={entry.at} />,
          ])}
        />
      )}
      <Pager path={accountPaths.activity} nextCursor={page.nextCursor} isFirst={isFirst} />
    </Card>
  );
}

const reasonKeys: Readonly<Record<string, keyof (typeof activityTexts)['en']>> = {
  logout: 'logout',
  ended: 'byPerson',
  replaced: 'replaced',
  expired: 'expired',
  replay: 'replay',
  unlinked: 'byUnlink',
  password: 'password',
  suspended: 'suspended',
  closed: 'closed',
};

/** An entry in words. Types without words of their own appear as the API names them. */
function What({ entry, names }: { entry: ActivityEntry; names: ProviderNames }) {
  const texts = useTexts(activityTexts);
  const nameOf = useProviderName(names);
  const amount = formatAmount(useView().locale, entry.amount ?? 0);
  const provider = entry.provider === null ? '' : nameOf(entry.provider);
  const app = entry.app ?? '';
  const party = entry.party ?? '';
  const key = reasonKeys[entry.reason ?? ''];
  const reason = key === undefined ? (entry.reason ?? '') : texts[key];
  switch (entry.type) {
    case 'identity.claimed':
      return <strong>{texts.claimed}</strong>;
    case 'profile.changed':
      return <strong>{texts.profileChanged}</strong>;
    case 'data.exported':
      return <strong>{texts.exported}</strong>;
    case 'session.started':
      return <strong>{fill(texts.started, { provider })}</strong>;
    case 'session.ended':
      return <>{fill(texts.ended, { reason })}</>;
    case 'credential.linked':
      return <strong>{fill(texts.linked, { provider })}</strong>;
    case 'credential.unlinked':
      return <strong>{fill(texts.unlinked, { provider })}</strong>;
    case 'password.changed':
      return <strong>{texts.passwordChanged}</strong>;
    case 'password.reset':
      return <strong>{texts.passwordReset}</strong>;
    case 'app.created':
      return <strong>{fill(texts.appCreated, { app })}</strong>;
    case 'app.changed':
      return <strong>{fill(texts.appChanged, { app })}</strong>;
    case 'app.deleted':
      return <strong>{fill(texts.appDeleted, { app })}</strong>;
    case 'app.secret_rotated':
      return <strong>{fill(texts.secretRotated, { app })}</strong>;
    case 'app.secret_revoked':
      return <strong>{fill(texts.secretRevoked, { app })}</strong>;
    case 'grant.created':
      return <strong>{fill(texts.grantCreated, { app })}</strong>;
    case 'grant.revoked':
      return <strong>{fill(texts.grantRevoked, { app })}</strong>;
    case 'payment.sent':
      return <strong>{fill(texts.paymentSent, { amount, party })}</strong>;
    case 'payment.received':
      return <strong>{fill(texts.paymentReceived, { amount, party })}</strong>;
    case 'withdrawal.held':
      return <strong>{fill(texts.withdrawn, { amount, party })}</strong>;
    default:
      return <>{entry.type}</>;
  }
}

/** Where nothing is known of the session, as after a reset by mail, nothing is said about it. */
function Where({ entry: { type, device, country } }: { entry: ActivityEntry }) {
  const { locale } = useView();
  const nameOf = useDeviceName();
  const isKnown = device !== null || country !== null || type.startsWith('session.');
  const place = country === null ? [] : [formatCountry(locale, country)];
  return <>{isKnown ? [nameOf(device), ...place].join(' · ') : '–'}</>;
}
