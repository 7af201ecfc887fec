import { all, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { deviceName } from '../../lib/device.ts';
import { toBase64url } from '../../lib/encoding.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import { signInOrClaim } from '../claim/newcomer.ts';
import type { Credential } from '../credential/schema.ts';
import type { profiles } from '../identity/tables.ts';
import { actingSessionStatement, freshHandle, isStale } from '../session/acting-session.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import { linkCredential } from '../sign-in/link.ts';
import type { RegisteredPasskey } from '../sign-in/proven-credential.ts';
import type { NewPasskey } from './ceremony.ts';
import {
  createChallenge,
  type Holder,
  insertChallenge,
  readClientData,
  selectChallenge,
  spendStatements,
} from './challenge.ts';
import { descriptorOf, passkeyError, passkeysStatement } from './login.ts';
import { algorithms, challengeTtlSeconds, expectedOrigins, relyingParty } from './relying-party.ts';
import type { RegistrationInput, RegistrationOptions } from './schema.ts';

/**
 * Returns the options with which a newcomer's page creates a passkey. The newcomer has no name yet, so the
 * authenticator lists the passkey by date until the page can name it after the PID.
 */
export async function firstPasskeyOptions(deps: Deps, cookie: string): Promise<RegistrationOptions> {
  const now = deps.now();
  const challenge = createChallenge(deps);
  const userId = createUserId(deps);
  const bound = sql`${secretHash(cookie)}`;
  await all(deps.db, insertChallenge({ challenge, purpose: 'register', bound, userId: sql`${userId}`, now }));
  const name = `PID ${isoTime(now).slice(0, 10)}`;
  return creationOptions(deps, { challenge, user: { id: userId, name, displayName: name }, exclude: [] });
}

/**
 * Returns the options for another passkey of a signed-in person. All of an identity's passkeys have one WebAuthn user,
 * and existing ones are excluded, so that an authenticator never holds two.
 * @throws AppError unauthenticated, not_fresh
 */
export async function nextPasskeyOptions(deps: Deps, sessionId: string): Promise<RegistrationOptions> {
  const now = deps.now();
  const challenge = createChallenge(deps);
  const fresh = freshHandle(deps, sessionId, now);
  const bound = sql`iif(${fresh} IS NULL, NULL, ${sessionId})`;
  const userId = sql`coalesce((SELECT passkey_user_id FROM credentials
    WHERE handle = ${fresh} AND provider = 'passkey' ORDER BY linked_at, id LIMIT 1), ${createUserId(deps)})`;
  const {
    kept: [kept],
    acting: [acting],
    passkeys,
  } = await run(deps.db, {
    keep: [insertChallenge({ challenge, purpose: 'link', bound, userId, now })],
    kept: selectChallenge(challenge),
    acting: actorStatement(deps, sessionId, now),
    passkeys: passkeysStatement(sessionId, now),
  });
  if (!acting) throw new AppError('unauthenticated');
  if (!kept?.user_id || acting.stale) throw new AppError('not_fresh');
  const { handle, display_name: displayName } = acting;
  const user = { id: kept.user_id, name: pidOf(handle), displayName };
  return creationOptions(deps, { challenge, user, exclude: passkeys.map(descriptorOf) });
}

function createUserId(deps: Deps): string {
  return toBase64url(deps.randomBytes(32));
}

function actorStatement(
  deps: Deps,
  sessionId: string,
  now: number,
): Statement<Pick<Row<typeof profiles>, 'handle' | 'display_name'> & { stale: number }> {
  return statement(sql`SELECT s.handle, p.display_name, ${isStale(deps, now)} AS stale
    FROM live_sessions s JOIN profiles p ON p.handle = s.handle WHERE s.id = ${sessionId} AND s.expires_at > ${now}`);
}

function creationOptions(
  deps: Deps,
  input: {
    challenge: string;
    user: RegistrationOptions['user'];
    exclude: RegistrationOptions['excludeCredentials'];
  },
): RegistrationOptions {
  return {
    rp: relyingParty(deps.config),
    user: input.user,
    challenge: input.challenge,
    timeout: challengeTtlSeconds * 1000,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: input.exclude,
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/**
 * Registers a newcomer's first passkey, which leads to the claim like any first credential.
 * @throws AppError passkey_refused
 */
export async function signUpByPasskey(
  deps: Deps,
  { registration, cookies }: { registration: RegistrationInput; cookies: readonly string[] },
  context: SignInContext,
): Promise<SignInOutcome> {
  const { passkey, userId } = await proveRegistration(deps, registration, 'register', { cookies });
  return signInOrClaim(deps, credentialOf(registration, passkey, userId, context.client), context);
}

/**
 * Links another passkey of a signed-in person, in one batch that checks the session again.
 * @throws AppError passkey_refused, unauthenticated, not_fresh, credential_already_linked
 */
export async function linkPasskey(
  deps: Deps,
  input: { registration: RegistrationInput; sessionId: string; client: ClientInfo },
): Promise<Credential> {
  const { registration, sessionId, client } = input;
  const { passkey, userId } = await proveRegistration(deps, registration, 'link', { sessionId });
  const credential = credentialOf(registration, passkey, userId, client);
  return linkCredential(deps, { sessionId, client, credential });
}

function credentialOf(
  { name, response: { transports } }: RegistrationInput,
  { id, ...passkey }: NewPasskey,
  userId: string,
  { userAgent }: ClientInfo,
): RegisteredPasskey {
  const registration = {
    ...passkey,
    userId,
    name: name ?? deviceName(userAgent),
    transports: transports === undefined ? null : JSON.stringify(transports),
  };
  return { provider: 'passkey', subject: id, registration };
}

async function proveRegistration(
  deps: Deps,
  registration: RegistrationInput,
  purpose: 'register' | 'link',
  holder: Holder,
): Promise<{ passkey: NewPasskey; userId: string }> {
  const clientData = readClientData(registration.response.clientDataJSON);
  if (!clientData || clientData.crossOrigin) throw passkeyError('no client data of a page of its own');
  const { challenge, origin } = clientData;
  const now = deps.now();
  const {
    spent: [spent],
    acting,
  } = await run(deps.db, {
    ...spendStatements(deps, { challenge, purpose, holder, now }),
    acting: actingSessionStatement('sessionId' in holder ? holder.sessionId : '', now),
  });
  if (acting.length === 0 && 'sessionId' in holder) throw new AppError('unauthenticated');
  if (!spent?.user_id) throw passkeyError('the challenge is unknown, spent, expired or for somebody else');
  const { checkRegistration } = await import('./ceremony.ts');
  const expected = { challenge, origins: expectedOrigins(deps, origin), rpId: relyingParty(deps.config).id };
  const passkey = await checkRegistration(registration, expected).catch((cause) => {
    throw passkeyError('the registration does not verify', cause);
  });
  return { passkey, userId: spent.user_id };
}
