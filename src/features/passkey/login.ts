import { all, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { secretHash } from '../../lib/secret.ts';
import type { credentials } from '../credential/tables.ts';
import { actingHandle } from '../session/acting-session.ts';
import type { IssuedTokens } from '../session/session.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { signInKnown } from '../sign-in/sign-in.ts';
import {
  createChallenge,
  type Holder,
  insertChallenge,
  readClientData,
  selectChallenge,
  spendStatements,
} from './challenge.ts';
import { challengeTtlSeconds, expectedOrigins, relyingParty } from './relying-party.ts';
import type { AssertionInput, LoginOptions } from './schema.ts';

/** Returns the options with which a page requests a passkey: the same for everyone. */
export async function loginOptions(deps: Deps, cookie: string): Promise<LoginOptions> {
  const challenge = createChallenge(deps);
  const bound = sql`${secretHash(cookie)}`;
  const stored = { challenge, purpose: 'login', bound, userId: sql`NULL`, now: deps.now() } as const;
  await all(deps.db, insertChallenge(stored));
  return requestOptions(deps, challenge, []);
}

/**
 * Returns the options for a person who signs in again, which requires one of their own passkeys.
 * @throws AppError unauthenticated
 */
export async function repeatedLoginOptions(
  deps: Deps,
  { cookie, sessionId }: { cookie: string; sessionId: string },
): Promise<LoginOptions> {
  const now = deps.now();
  const challenge = createChallenge(deps);
  const handle = actingHandle(sessionId, now);
  const bound = sql`iif(${handle} IS NULL, NULL, ${secretHash(cookie)})`;
  const { kept, passkeys } = await run(deps.db, {
    keep: [insertChallenge({ challenge, purpose: 'login', bound, userId: handle, now })],
    kept: selectChallenge(challenge),
    passkeys: passkeysStatement(sessionId, now),
  });
  if (kept.length === 0) throw new AppError('unauthenticated');
  return requestOptions(deps, challenge, passkeys.map(descriptorOf));
}

function requestOptions(
  deps: Deps,
  challenge: string,
  allowCredentials: LoginOptions['allowCredentials'],
): LoginOptions {
  return {
    challenge,
    timeout: challengeTtlSeconds * 1000,
    rpId: relyingParty(deps.config).id,
    allowCredentials,
    userVerification: 'required',
  };
}

type PasskeyRow = Pick<Row<typeof credentials>, 'provider_user_id' | 'transports'>;

/** The passkeys of the acting session's identity, oldest first. */
export function passkeysStatement(sessionId: string, now: number): Statement<PasskeyRow> {
  return statement(sql`SELECT provider_user_id, transports FROM credentials
    WHERE handle = ${actingHandle(sessionId, now)} AND provider = 'passkey' ORDER BY linked_at, id`);
}

export function descriptorOf(row: PasskeyRow): LoginOptions['allowCredentials'][number] {
  const transports: string[] | undefined = row.transports === null ? undefined : JSON.parse(row.transports);
  return { type: 'public-key', id: row.provider_user_id, ...(transports ? { transports } : {}) };
}

/**
 * Signs in with an assertion: consumes the challenge, checks the signature, and then compares the counter again in the
 * batch that creates the session. The response is the same for any fault.
 * @throws AppError passkey_refused, passkey_unknown, identity_suspended, identity_closed
 */
export async function loginByPasskey(
  deps: Deps,
  { assertion, cookies }: { assertion: AssertionInput; cookies: readonly string[] },
  context: SignInContext,
): Promise<IssuedTokens> {
  const { stored, proof } = await proveAssertion(deps, assertion, { cookies });
  const credential = { provider: 'passkey', subject: assertion.id } as const;
  return signInKnown(deps, { ...credential, proof: { credentialId: stored.id, ...proof } }, context);
}

/** The CHECK `passkey_shape` requires these columns for every passkey. */
type StoredPasskeyRow = Pick<Row<typeof credentials>, 'id' | 'handle'> & {
  [Column in 'public_key' | 'sign_count' | 'passkey_user_id']: NonNullable<Row<typeof credentials>[Column]>;
};

async function proveAssertion(deps: Deps, assertion: AssertionInput, holder: Holder) {
  const now = deps.now();
  const clientData = readClientData(assertion.response.clientDataJSON);
  if (!clientData || clientData.crossOrigin) throw passkeyError('no client data of a page of its own');
  const { challenge, origin } = clientData;
  const {
    spent: [spent],
    stored: [stored],
    waiting,
  } = await run(deps.db, {
    ...spendStatements(deps, { challenge, purpose: 'login', holder, now }),
    stored:
      statement<StoredPasskeyRow>(sql`SELECT id, handle, public_key, sign_count, passkey_user_id FROM credentials
      WHERE provider = 'passkey' AND provider_user_id = ${assertion.id}`),
    waiting: waitingStatement(assertion.id, now),
  });
  if (!spent) throw passkeyError('the challenge is unknown, spent, expired or for somebody else');
  // A separate code lets the page make the authenticator forget the passkey. Ids are random, so the code does not help
  // a guesser.
  if (!stored && waiting.length > 0) throw passkeyError('the passkey waits for its claim');
  if (!stored) throw new AppError('passkey_unknown');
  if (spent.user_id !== null && spent.user_id !== stored.handle)
    throw passkeyError('the passkey is another person’s');
  // WebAuthn level 3, section 7.2, step 6: the user handle must be the owner's. An authenticator that received a list
  // of passkeys may omit it, but then the owner is already known.
  const named = assertion.response.userHandle ?? (spent.user_id === null ? null : stored.passkey_user_id);
  if (named !== stored.passkey_user_id) throw passkeyError('the user handle is not the owner’s');
  const { checkAssertion } = await import('./ceremony.ts');
  const expected = { challenge, origins: expectedOrigins(deps, origin), rpId: relyingParty(deps.config).id };
  const key = { publicKey: stored.public_key, signCount: stored.sign_count };
  const proof = await checkAssertion(assertion, key, expected).catch((cause) => {
    throw passkeyError('the assertion does not verify', cause);
  });
  return { stored, proof };
}

/**
 * Finds the passkey of a newcomer who has not claimed a PID yet. The authenticator must keep this passkey, because
 * nothing else can sign in to the PID about to be claimed.
 */
function waitingStatement(id: string, now: number): Statement<{ found: number }> {
  return statement(sql`SELECT 1 AS found FROM claim_tickets
    WHERE provider = 'passkey' AND provider_user_id = ${id} AND consumed_by IS NULL AND expires_at > ${now}
      AND NOT EXISTS (SELECT 1 FROM credentials WHERE provider = 'passkey' AND provider_user_id = ${id}) LIMIT 1`);
}

/** The same response for every reason, which only the log contains. */
export function passkeyError(reason: string, cause?: unknown): AppError {
  return new AppError('passkey_refused', null, { reason, cause });
}
