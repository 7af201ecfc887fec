import { describe, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import type {
  AccountExport,
  ActivityEntry,
  ApiError,
  ClaimPreview,
  Credential,
  Deposit,
  HandleCheck,
  Inquiry,
  LoginOutcome,
  Me,
  PidClient,
  Provider,
  Session,
  SessionInfo,
  SyncedDeposit,
  Transaction,
  Transfer,
  Wallet,
  WalletBalance,
  WalletStatement,
} from '../../sdk/index.ts';
import type {
  ActivityEntry as ServiceActivity,
  AccountExport as ServiceExport,
  Me as ServiceMe,
} from '../../src/features/account/schema.ts';
import type {
  HandleCheck as ServiceCheck,
  ClaimPreview as ServiceClaim,
} from '../../src/features/claim/schema.ts';
import type { Credential as ServiceCredential } from '../../src/features/credential/schema.ts';
import type {
  Deposit as ServiceDeposit,
  SyncedDeposit as ServiceSyncedDeposit,
} from '../../src/features/deposit/schema.ts';
import type { ProviderList } from '../../src/features/idp/schema.ts';
import type {
  WalletStatement as ServiceStatement,
  Transaction as ServiceTransaction,
  Wallet as ServiceWallet,
  walletBalance,
} from '../../src/features/ledger/schema.ts';
import type { ListedSession, Session as ServiceSession } from '../../src/features/session/schema.ts';
import type {
  Inquiry as ServiceInquiry,
  Transfer as ServiceTransfer,
} from '../../src/features/transfer/schema.ts';

/** The values returned by the methods of an area, without errors. */
type Answers<Area> = {
  [Name in keyof Area]: Area[Name] extends (...args: never[]) => Promise<infer Answer>
    ? Exclude<Answer, ApiError>
    : never;
}[keyof Area];

type AllAnswers =
  | Answers<PidClient['auth']>
  | Answers<PidClient['auth']['claim']>
  | Answers<PidClient['auth']['email']>
  | Answers<PidClient['auth']['sessions']>
  | Answers<PidClient['credentials']>
  | Answers<PidClient['me']>
  | Answers<PidClient['providers']>
  | Answers<PidClient['wallet']>;

type WithStatus<T> = T extends { statusCode: unknown } ? T : never;

describe('the SDK’s types', () => {
  it('match the service’s response schemas', () => {
    expectTypeOf<Session>().toEqualTypeOf<ServiceSession>();
    expectTypeOf<ClaimPreview>().toEqualTypeOf<ServiceClaim>();
    expectTypeOf<HandleCheck>().toEqualTypeOf<ServiceCheck>();
    expectTypeOf<SessionInfo>().toEqualTypeOf<ListedSession>();
    expectTypeOf<ServiceMe>().toExtend<Me>();
    expectTypeOf<ServiceActivity>().toExtend<ActivityEntry>();
    expectTypeOf<ServiceExport>().toExtend<AccountExport>();
    expectTypeOf<Provider[]>().toEqualTypeOf<ProviderList['data']>();
    expectTypeOf<ServiceCredential>().toExtend<Credential>();
    expectTypeOf<Wallet>().toEqualTypeOf<ServiceWallet>();
    expectTypeOf<z.infer<typeof walletBalance>>().toExtend<WalletBalance>();
    expectTypeOf<ServiceTransaction>().toExtend<Transaction>();
    expectTypeOf<ServiceStatement>().toExtend<WalletStatement>();
    expectTypeOf<Deposit>().toEqualTypeOf<ServiceDeposit>();
    expectTypeOf<SyncedDeposit>().toEqualTypeOf<ServiceSyncedDeposit>();
    expectTypeOf<Inquiry>().toEqualTypeOf<ServiceInquiry>();
    expectTypeOf<Transfer>().toEqualTypeOf<ServiceTransfer>();
  });

  it('have a statusCode only in errors, because statusCode identifies them', () => {
    expectTypeOf<WithStatus<AllAnswers>>().toBeNever();
    expectTypeOf<Extract<AllAnswers, Session>>().toEqualTypeOf<Session>();
    expectTypeOf<Extract<AllAnswers, LoginOutcome>>().toEqualTypeOf<LoginOutcome>();
  });
});
