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

type ActivityTexts = Record<keyof (typeof activityTexts)['en'], string>;

interface ActivityProps {
  readonly page: Page<ActivityEntry>;
  readonly isFirst: boolean;
  readonly names: ProviderNames;
}

/** The identity's activity, newest first. */
export function ActivityPanel({ page, isFirst, names }: ActivityProps) {
  const texts = useTexts(activityTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="activity">
      {page.data.length === 0 ? (
        <Empty title={texts.empty} advice={texts.emptyAdvice} />
      ) : (
        <ActivityTable entries={page.data} names={names} />
      )}
      <Pager path={accountPaths.activity} nextCursor={page.nextCursor} isFirst={isFirst} />
    </Card>
  );
}

interface TableProps {
  readonly entries: readonly ActivityEntry[];
  readonly names: ProviderNames;
  /** For another reader than the person: other words, and times in full. */
  readonly others?: Partial<ActivityTexts>;
}

export function ActivityTable({ entries, names, others }: TableProps) {
  const texts = { ...useTexts(activityTexts), ...others };
  return (
    <Table
      caption={texts.heading}
      columns={[texts.what, texts.where, texts.when]}
      rows={entries.map((entry) => [
        <What {...{ entry, names, texts }} />,
        <Where entry={entry} />,
        <Moment at={entry.at} as={others ? 'both' : 'ago'} />,
      ])}
    />
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

/** The text for each type; types without one appear under their API name. */
const textKeys: Readonly<Record<string, keyof (typeof activityTexts)['en']>> = {
  'identity.claimed': 'claimed',
  'identity.verified': 'verified',
  'identity.unverified': 'unverified',
  'profile.changed': 'profileChanged',
  'data.exported': 'exported',
  'support.viewed': 'supportViewed',
  'support.ended_sessions': 'supportEnded',
  'support.sent_recovery': 'supportRecovery',
  'session.started': 'started',
  'session.ended': 'ended',
  'credential.linked': 'linked',
  'credential.unlinked': 'unlinked',
  'password.changed': 'passwordChanged',
  'password.reset': 'passwordReset',
  'app.created': 'appCreated',
  'app.changed': 'appChanged',
  'app.deleted': 'appDeleted',
  'app.secret_rotated': 'secretRotated',
  'app.secret_revoked': 'secretRevoked',
  'grant.created': 'grantCreated',
  'grant.revoked': 'grantRevoked',
  'payment.sent': 'paymentSent',
  'payment.received': 'paymentReceived',
  'payment.reversed': 'paymentReversed',
  'payment.returned': 'paymentReturned',
  'withdrawal.held': 'withdrawn',
};

interface WhatProps {
  readonly entry: ActivityEntry;
  readonly names: ProviderNames;
  readonly texts: ActivityTexts;
}

/** Describes an entry. */
function What({ entry, names, texts }: WhatProps) {
  const nameOf = useProviderName(names);
  const provider = entry.provider === null ? '' : nameOf(entry.provider);
  const reasonKey = reasonKeys[entry.reason ?? ''];
  const reason = reasonKey === undefined ? entry.reason : texts[reasonKey];
  const key = textKeys[entry.type];
  if (key === undefined) return <>{entry.type}</>;
  const text = fill(texts[key], { provider, app: entry.app, party: entry.party, reason });
  if (entry.type === 'session.ended') return <>{text}</>;
  return (
    <>
      <strong>{text}</strong>
      {entry.amount !== null && <Sum entry={entry} amount={entry.amount} />}
    </>
  );
}

/** The amount with its sign, as in the wallet. */
function Sum({ entry: { type }, amount }: { entry: ActivityEntry; amount: number }) {
  const isIn = type === 'payment.received' || type === 'payment.returned';
  const signed = isIn ? amount : -amount;
  return <div class="number">{formatAmount(useView().locale, signed, 'always')}</div>;
}

/** Empty if nothing is known about the session, as after a reset by email. */
function Where({ entry: { type, device, country } }: { entry: ActivityEntry }) {
  const { locale } = useView();
  const nameOf = useDeviceName();
  const isKnown = device !== null || country !== null || type.startsWith('session.');
  const place = country === null ? [] : [formatCountry(locale, country)];
  return <>{isKnown ? [nameOf(device), ...place].join(' · ') : null}</>;
}
