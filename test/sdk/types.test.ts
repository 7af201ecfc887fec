import { describe, expectTypeOf, it } from 'vitest';
import type {
  HandleCheck as ServiceCheck,
  ClaimPreview as ServiceClaim,
} from '../../src/features/claim/schema.ts';
import type { Credential as ServiceCredential } from '../../src/features/credential/schema.ts';
import type { ListedSession, Session as ServiceSession } from '../../src/features/session/schema.ts';
import type {
  ApiError,
  ClaimPreview,
  Credential,
  HandleCheck,
  LoginOutcome,
  PidClient,
  Session,
  SessionInfo,
} from '../../src/sdk/index.ts';

/** What the methods of an area answer besides an error. */
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
  | Answers<PidClient['credentials']>;

type WithStatus<T> = T extends { statusCode: unknown } ? T : never;

describe('the types', () => {
  it('of what the service answers are those of its own schemas', () => {
    expectTypeOf<Session>().toEqualTypeOf<ServiceSession>();
    expectTypeOf<ClaimPreview>().toEqualTypeOf<ServiceClaim>();
    expectTypeOf<HandleCheck>().toEqualTypeOf<ServiceCheck>();
    expectTypeOf<SessionInfo>().toEqualTypeOf<ListedSession>();
    expectTypeOf<ServiceCredential>().toExtend<Credential>();
  });

  it('of results never have a statusCode, so that it tells errors apart', () => {
    expectTypeOf<WithStatus<AllAnswers>>().toBeNever();
    expectTypeOf<Extract<AllAnswers, Session>>().toEqualTypeOf<Session>();
    expectTypeOf<Extract<AllAnswers, LoginOutcome>>().toEqualTypeOf<LoginOutcome>();
  });
});
