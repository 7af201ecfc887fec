import type { FoundPeople, Person } from '../src/features/admin/person-schema.ts';
import type { Reversibility } from '../src/features/admin/reversal.ts';
import type { AuditLine } from '../src/features/admin/schema.ts';
import type { DeskTransaction } from '../src/features/admin/transaction.ts';
import { isoTime } from '../src/lib/id.ts';
import { AuditView } from '../src/pages/desk/audit.tsx';
import { AddressCard, FoundCard, SimilarCard } from '../src/pages/desk/people.tsx';
import { PersonView } from '../src/pages/desk/person.tsx';
import { DeskShell } from '../src/pages/desk/shell.tsx';
import { TransactionView } from '../src/pages/desk/transaction.tsx';
import { AccountCorner } from '../src/pages/member/page.tsx';
import { deskPeopleTexts } from '../src/pages/messages/desk-people.ts';
import { fill } from '../src/ui/view.ts';
import type { PageState } from './page-state.tsx';

const day = 86_400_000;
const options = { wide: true, corner: <AccountCorner /> };

const person = (now: number, change: Partial<Person> = {}): Person => ({
  ...{ pid: 'budi.santoso@pid', handle: 'budi.santoso', status: 'active', level: 'unverified' },
  ...{ displayName: 'Budi Santoso', createdAt: isoTime(now - 90 * day), closedAt: null },
  emails: ['budi@example.com'],
  credentials: [
    {
      ...{ id: 'crd_01k9zmb0x4e6w9q2r5t8y1c3v7', provider: 'email', subject: 'budi@example.com', name: null },
      ...{ email: 'budi@example.com', linkedAt: isoTime(now - 90 * day), lastLoginAt: isoTime(now - day) },
    },
    {
      ...{
        id: 'crd_01k9zmb0x4e6w9q2r5t8y1c3v8',
        provider: 'google',
        subject: '108204268033311374519',
        name: null,
      },
      ...{ email: 'budi@example.com', linkedAt: isoTime(now - 9 * day), lastLoginAt: isoTime(now - 3 * day) },
    },
  ],
  sessions: ['Chrome on Android', 'Firefox on Windows'].map((device, index) => ({
    ...{ id: `ses_01k9zmb0x4e6w9q2r5t8y1c3v${index}`, provider: 'email', device, address: '203.0.113.7' },
    ...{ country: 'ID', createdAt: isoTime(now - 2 * day), lastUsedAt: isoTime(now - 600_000) },
  })),
  activity: [
    { ...noDetail, type: 'support.viewed', at: isoTime(now - 60_000) },
    { ...noDetail, type: 'session.started', at: isoTime(now - 2 * day), provider: 'email' },
  ],
  grants: [],
  wallet: {
    ...{ pid: 'budi.santoso@pid', status: 'active', limits: null, createdAt: isoTime(now - 80 * day) },
    balances: [{ asset: 'IDR', scale: 0, available: 180_000, held: 20_000, balance: 200_000, debt: 0 }],
  },
  transactions: [
    {
      ...{ id: paymentId, kind: 'transfer', direction: 'out', asset: 'IDR' },
      ...{ amount: 25_000, fees: 0, balanceAfter: 200_000, memo: 'Kopi', appId: null },
      counterparty: { pid: 'ayu.lestari@pid', displayName: 'Ayu Lestari' },
      reference: { type: 'transfer', id: 'trf_01k9zmb0x4e6w9q2r5t8y1c3v7' },
      createdAt: isoTime(now - day),
    },
  ],
  deposits: [],
  withdrawals: [],
  mails: [
    {
      ...{ id: 'mai_1', kind: 'sign_in_new_device', to: 'budi@example.com', fate: 'sent', tries: 1 },
      ...{ createdAt: isoTime(now - 3_600_000), sentAt: isoTime(now - 3_590_000) },
    },
    {
      ...{ id: 'mai_2', kind: 'reset_code', to: 'budi@example.com', fate: 'given_up', tries: 5 },
      ...{ createdAt: isoTime(now - 7_200_000), sentAt: null },
    },
  ],
  audit: lines(now),
  ...change,
});

const paymentId = 'trf_01k9zmb0x4e6w9q2r5t8y1c3v7';

const at = { address: `https://id.example/admin/transactions/${paymentId}`, names: {} };

const parties = { payer: 'budi.santoso@pid', payee: 'ayu.lestari@pid', paid: 25_000 };
const reversible: Reversibility = { ...parties, state: 'completed', refusal: null };
const reversed: Reversibility = { ...parties, state: 'reversed', refusal: 'moved_on' };

const transaction = (now: number, change: Partial<DeskTransaction> = {}): DeskTransaction => ({
  ...{ id: paymentId, kind: 'transfer', status: 'confirmed', failure: null, amount: 24_000, paid: 25_000 },
  ...{ received: 24_000, appFee: 600, platformFee: 400, memo: 'Kopi', provider: null, reference: null },
  from: { handle: 'budi.santoso', name: 'Budi Santoso' },
  to: { handle: 'ayu.lestari', name: 'Ayu Lestari' },
  app: { id: 'app_01k9zmb0x4e6w9q2r5t8y1c3v7', name: 'Kopi Kita' },
  ...{ createdAt: isoTime(now - day), movedAt: isoTime(now - day), reversedAt: null },
  ...{ refundOf: null, refunds: [], proposal: null, needsSecond: false, audit: lines(now) },
  reversedBy: null,
  consent: {
    ...{ how: 'popup', at: isoTime(now - day), grantedAt: null },
    session: {
      ...{ id: 'ses_01k9zmb0x4e6w9q2r5t8y1c3v0', provider: 'passkey', device: 'Chrome on Windows' },
      ...{ address: '203.0.113.7', country: 'ID', isLive: true },
    },
  },
  reversibility: reversible,
  legs: [
    {
      ...{ seq: 1, kind: 'transfer', phase: 'posted', amount: 24_000, at: isoTime(now - day) },
      from: { handle: 'budi.santoso', name: 'budi.santoso@pid' },
      to: { handle: 'ayu.lestari', name: 'ayu.lestari@pid' },
    },
    {
      ...{ seq: 2, kind: 'transfer', phase: 'posted', amount: 400, at: isoTime(now - day) },
      from: { handle: 'budi.santoso', name: 'budi.santoso@pid' },
      to: { handle: null, name: 'platform' },
    },
  ],
  ...change,
});

/** As many codes as an address gets in an hour. */
const codes = (now: number): Person['mails'] =>
  Array.from({ length: 5 }, (_, nth) => ({
    ...{ id: `mai_${nth}`, kind: 'register_code', to: 'budi@example.org', fate: 'sent', tries: 1 },
    ...{ createdAt: isoTime(now - nth * 60_000), sentAt: isoTime(now - nth * 60_000) },
  }));

const noDetail = {
  ...{ provider: null, reason: null, app: null, amount: null, party: null, device: null, country: null },
};

export const lines = (now: number): AuditLine[] => [
  {
    at: isoTime(now),
    actor: 'ayu.lestari',
    action: 'wallet.status',
    target: 'budi.santoso',
    detail: { status: 'frozen', reason: 'Reported stolen' },
  },
];

const found: FoundPeople = {
  data: [
    {
      ...{ pid: 'budi.santoso@pid', displayName: 'Budi Santoso', status: 'active', foundBy: 'name' },
      ...{ createdAt: '2026-08-20T08:15:00.000Z', email: 'b…@example.com' },
    },
    {
      ...{ pid: 'budiman@pid', displayName: 'Budiman', status: 'suspended', foundBy: 'name' },
      ...{ createdAt: '2026-03-02T02:30:00.000Z', email: null },
    },
  ],
  nextCursor: 'YnVkaW1hbg',
};

/** The admin desk's search, people and audit log. */
export const deskPeopleStates: Record<string, PageState> = {
  'desk-search': {
    options,
    body: () => (
      <DeskShell tab="people" isAdministrator q="budi">
        <FoundCard found={found} q="budi" isFirst />
      </DeskShell>
    ),
  },
  'desk-search-none': {
    options,
    body: () => <DeskShell tab="people" q="budi@exam" problems={[deskPeopleTexts.en.qPart]} />,
  },
  'desk-person': {
    options,
    body: (now) => (
      <DeskShell tab="people" isAdministrator>
        <PersonView
          person={person(now)}
          reversals={new Map([[paymentId, reversible]])}
          isAdministrator
          names={{ google: 'Google' }}
        />
      </DeskShell>
    ),
  },
  'desk-person-refused': {
    options,
    body: (now) => (
      <DeskShell tab="people" isAdministrator>
        <PersonView
          person={person(now, { level: 'verified' })}
          isAdministrator
          names={{ google: 'Google' }}
          typed={new URLSearchParams({ act: 'suspend', reason: ' ' })}
          problems={{ reason: [deskPeopleTexts.en.reasonMissing] }}
        />
      </DeskShell>
    ),
  },
  'desk-person-support': {
    options,
    body: (now) => (
      <DeskShell tab="people" done="budi.santoso@pid is signed out everywhere.">
        <PersonView
          person={person(now, {
            status: 'suspended',
            sessions: [],
            wallet: null,
            transactions: [],
            mails: [],
          })}
          names={{ google: 'Google' }}
        />
      </DeskShell>
    ),
  },
  'desk-person-passkey': {
    options,
    body: (now) => (
      <DeskShell tab="people" isAdministrator isKept>
        <PersonView
          person={person(now, {
            emails: [],
            credentials: [
              {
                ...{
                  id: 'crd_01k9zmb0x4e6w9q2r5t8y1c3v9',
                  provider: 'passkey',
                  subject: 'q2r5t8',
                  name: 'Pixel 9',
                  email: null,
                },
                ...{ linkedAt: isoTime(now - 9 * day), lastLoginAt: isoTime(now - 3 * day) },
              },
            ],
            audit: Array.from({ length: 12 }, () => lines(now)).flat(),
          })}
          reversals={new Map([[paymentId, reversed]])}
          isAdministrator
          names={{}}
        />
      </DeskShell>
    ),
  },
  'desk-nearest': {
    options,
    body: () => (
      <DeskShell tab="people" q="budii" problems={[fill(deskPeopleTexts.en.noneFound, { q: 'budii' })]}>
        <SimilarCard people={found.data.map(({ foundBy: _, ...similar }) => similar)} />
      </DeskShell>
    ),
  },
  'desk-address': {
    options,
    body: (now) => (
      <DeskShell tab="people" q="budi@example.org">
        <AddressCard email="budi@example.org" mails={codes(now)} />
      </DeskShell>
    ),
  },
  'desk-transaction': {
    options,
    body: (now) => (
      <DeskShell tab="people" isAdministrator>
        <TransactionView transaction={transaction(now)} own="siti" isAdministrator {...at} />
      </DeskShell>
    ),
  },
  'desk-transaction-reversed': {
    options,
    body: (now) => (
      <DeskShell tab="people" isAdministrator>
        <TransactionView
          transaction={transaction(now, {
            status: 'reversed',
            reversedAt: isoTime(now),
            reversedBy: 'ayu.lestari',
            reversibility: reversed,
          })}
          own="siti"
          isAdministrator
          {...at}
        />
      </DeskShell>
    ),
  },
  'desk-audit': {
    options,
    body: (now) => (
      <DeskShell tab="audit" isAdministrator>
        <AuditView
          page={{ data: lines(now), nextCursor: 'MTI' }}
          filter={{ target: 'budi.santoso', from: '2026-11-01' }}
          isFirst
        />
      </DeskShell>
    ),
  },
};
