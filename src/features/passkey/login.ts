import { sql } from 'drizzle-orm';
import { type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { secretHash } from '../../lib/secret.ts';
import { signInDirectly } from '../claim/direct.ts';
import { actingHandle } from '../session/acting-session.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import { type ProvenCredential, signIn } from '../sign-in/sign-in.ts';
import {
  challengeStatement,
  createChallenge,
  type Holder,
  readClientData,
  spendStatements,
} from './challenge.ts';
import { challengeTtlSeconds, expectedOrigins, relyingParty } from './relying-party.ts';
import type { AssertionInput, LoginOptions } from './schema.ts';

/** What a page needs to ask for a passkey, whosever it is: nothing in it depends on who is asking. */
export async function loginOptions(deps: Deps, cookie: string): Promise<LoginOptions> {
  const challenge = createChallenge(deps);
  const bound = sql`${secretHash(cookie)}`;
  await deps.db.batch([
    challengeStatement({ challenge, purpose: 'login', bound, userId: sql`NULL`, now: deps.now() }),
  ]);
  return requestOptions(deps, challenge, []);
}

/**
 * The same for a person who signs in again: only one of their own passkeys will do.
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
  const [, [kept], passkeys] = await deps.db.batch([
    challengeStatement({ challenge, purpose: 'login', bound, userId: handle, now }),
    statement<{ user_id: string }>(
      sql`SELECT user_id FROM passkey_challenges WHERE hash = ${secretHash(challenge)}`,
    ),
    passkeysStatement(sessionId, now),
  ]);
  if (!kept) throw new AppError('unauthenticated');
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

interface PasskeyRow {
  provider_user_id: string;
  transports: string | null;
}

/** The passkeys of the acting session's identity, the oldest first. */
export function passkeysStatement(sessionId: string, now: number): Statement<PasskeyRow> {
  return statement(sql`SELECT provider_user_id, transports FROM credentials
    WHERE handle = ${actingHandle(sessionId, now)} AND provider = 'passkey' ORDER BY linked_at, id`);
}

export function descriptorOf(row: PasskeyRow): LoginOptions['allowCredentials'][number] {
  const transports: string[] | undefined = row.transports === null ? undefined : JSON.parse(row.transports);
  return { type: 'public-key', id: row.provider_user_id, ...(transports ? { transports } : {}) };
}

interface StoredRow {
  id: string;
  handle: string;
  public_key: string;
  sign_count: number;
  passkey_user_id: string;
}

/**
 * Signs in by an assertion: the challenge is spent first, then the signature is checked, then one batch compares
 * the counter again and makes the session. Whatever is wrong, the answer is the same.
 * @throws AppError passkey_refused, passkey_unknown, identity_suspended, identity_closed
 */
export async function loginByPasskey(
  deps: Deps,
  { assertion, cookies }: { assertion: AssertionInput; cookies: readonly string[] },
  context: SignInContext,
): Promise<SignInOutcome> {
  const { stored, proof } = await proveAssertion(deps, assertion, { cookies });
  const credential: ProvenCredential = {
    provider: 'passkey',
    subject: assertion.id,
    shownEmail: null,
    verifiedEmail: null,
    displayName: null,
    locale: null,
    proof: { kind: 'passkey', credentialId: stored.id, ...proof },
  };
  return deps.config.INTERFACE_REVISION === 'direct'
    ? signInDirectly(deps, credential, context)
    : signIn(deps, credential, context);
}

async function proveAssertion(deps: Deps, assertion: AssertionInput, holder: Holder) {
  const now = deps.now();
  const clientData = readClientData(assertion.response.clientDataJSON);
  if (!clientData || clientData.crossOrigin) throw refused('no client data of a page of its own');
  const { challenge, origin } = clientData;
  const [, [spent], [stored], [waiting]] = await deps.db.batch([
    ...spendStatements(deps, { challenge, purpose: 'login', holder, now }),
    statement<StoredRow>(sql`SELECT id, handle, public_key, sign_count, passkey_user_id FROM credentials
      WHERE provider = 'passkey' AND provider_user_id = ${assertion.id}`),
    waitingStatement(assertion.id, now),
  ]);
  if (!spent) throw refused('the challenge is unknown, spent, expired or for somebody else');
  // A code of its own lets a page tell the authenticator to forget it. An id is too random to be guessed.
  if (!stored && waiting) throw refused('the passkey waits for its claim');
  if (!stored) throw new AppError('passkey_unknown');
  if (spent.user_id !== null && spent.user_id !== stored.handle)
    throw refused('the passkey is another person’s');
  // WebAuthn level 3, section 7.2, step 6: who is named must be the owner. An authenticator that was asked for
  // certain passkeys may name nobody, and whose these are is known.
  const named = assertion.response.userHandle ?? (spent.user_id === null ? null : stored.passkey_user_id);
  if (named !== stored.passkey_user_id) throw refused('the user handle is not the owner’s');
  const { checkAssertion } = await import('./ceremony.ts');
  const expected = { challenge, origins: expectedOrigins(deps, origin), rpId: relyingParty(deps.config).id };
  const key = { publicKey: stored.public_key, signCount: stored.sign_count };
  const proof = await checkAssertion(assertion, key, expected).catch((cause) => {
    throw refused('the assertion does not verify', cause);
  });
  return { stored, proof };
}

/**
 * A newcomer's passkey that becomes a credential once its PID is claimed. Its authenticator must not be told to forget
 * it: it is the only key to the PID that is being claimed.
 */
function waitingStatement(id: string, now: number): Statement<{ found: number }> {
  return statement(sql`SELECT 1 AS found FROM claim_tickets
    WHERE provider = 'passkey' AND provider_user_id = ${id} AND consumed_by IS NULL AND expires_at > ${now}
      AND NOT EXISTS (SELECT 1 FROM credentials WHERE provider = 'passkey' AND provider_user_id = ${id}) LIMIT 1`);
}

/** One answer for every reason; the log has the reason. */
export function refused(reason: string, cause?: unknown): AppError {
  return new AppError('passkey_refused', null, { reason, cause });
}
