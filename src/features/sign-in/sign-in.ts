import { integer, only, run, type SQL, type Statement, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { createId } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { recordUse } from '../credential/statements.ts';
import { decisionOf, isDecided, type VerdictOf } from '../identity/decision.ts';
import { addEmail } from '../identity/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import { approvePopupStatement } from '../popup/popup.ts';
import { createSession, verdictWithSession } from '../session/create-session.ts';
import { createRefreshToken } from '../session/refresh-token.ts';
import { type IssuedTokens, issueTokens } from '../session/session.ts';
import { endSessions } from '../session/statements.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import type { SignInContext, SignInOutcome } from './context.ts';
import type { ClaimableCredential, KnownCredential, ProvenCredential } from './proven-credential.ts';
import { insertTicket } from './statements.ts';

type Refusal = Exclude<Verdict, 'signed_in' | 'done' | 'claim_required'>;
type Verdict = VerdictOf<ReturnType<typeof signInDecision>>;

/**
 * Turns a proven credential into a session of its identity, or into a claim ticket if it has no owner yet. In one
 * batch, the first statement decides, and the others depend on its verdict.
 * @throws AppError email_conflict if a new credential has another identity's address; revision `direct` has no such
 *   error, and omits the address from the claim
 * @throws AppError identity_suspended, identity_closed
 */
export function signIn(
  deps: Deps,
  credential: ClaimableCredential,
  context: SignInContext,
): Promise<SignInOutcome> {
  return enter(deps, credential, context);
}

/**
 * Signs in with a credential that was proven against the stored one.
 * @throws AppError password_refused, passkey_refused if the proof is no longer valid
 * @throws AppError identity_suspended, identity_closed
 */
export async function signInKnown(
  deps: Deps,
  credential: KnownCredential,
  context: SignInContext,
): Promise<IssuedTokens> {
  const outcome = await enter(deps, credential, context);
  if (outcome.type !== 'signed_in') throw signInError('proof_stale', credential);
  return outcome.tokens;
}

async function enter(
  deps: Deps,
  credential: ProvenCredential,
  context: SignInContext,
): Promise<SignInOutcome> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const id = createId('ses', now, deps.randomBytes);
  const { token, hash: tokenHash } = createRefreshToken(deps, id, context.scope);
  const ticket = createSecret(deps.randomBytes);
  const { client } = context;
  const decision = signInDecision(deps, credential, id);
  const { answer } = await run(deps.db, {
    insert: decision.insert,
    session: createSession(deps, { id, rows: sessionRows(id), tokenHash, client, now }),
    answer: verdictWithSession(decision),
    // The scheduled job sends the email: most sign-ins write none, so this request does not look for one.
    newDevice: await newDeviceNotice(deps, { id, client, provider: credential.provider, now }),
    effects: [
      ...effectsOf(credential, id, now),
      ...replaceSession(context, isDecided(id, 'signed_in'), now),
      ...ticketFor(deps, credential, { id, hash: secretHash(ticket), now }),
    ],
    end: decision.drop,
    popup: answerPopup(context, id, now),
  });
  const row = only(answer);
  const { verdict, handle } = row;
  const { requestId } = client;
  deps.log.info('sign_in', { requestId, provider: credential.provider, verdict, handle });
  if (verdict === 'claim_required') return { type: 'claim_required', ticket };
  if (verdict !== 'signed_in' && verdict !== 'done') throw signInError(verdict, credential);
  return { type: 'signed_in', tokens: await issueTokens(deps, sign, row, token, now) };
}

function signInError(verdict: Refusal, { provider }: ProvenCredential): AppError {
  if (verdict !== 'proof_stale' && verdict !== 'password_stale' && verdict !== 'counter_regressed')
    return new AppError(verdict);
  const code = provider === 'passkey' ? 'passkey_refused' : 'password_refused';
  return new AppError(code, null, { reason: verdict });
}

function signInDecision(deps: Deps, credential: ProvenCredential, id: string) {
  const { provider, subject } = credential;
  const refusesTakenEmail = deps.config.INTERFACE_REVISION === 'claim';
  const shownEmail = refusesTakenEmail && 'shownEmail' in credential ? credential.shownEmail : null;
  const expected = 'proof' in credential ? credential.proof.credentialId : null;
  const passwordHash = provider === 'email' ? credential.proof.passwordHash : null;
  const signCount =
    provider === 'passkey' && 'proof' in credential ? integer(credential.proof.signCount) : null;
  return decisionOf({
    id,
    from: sql`LEFT JOIN credentials c ON c.provider = ${provider} AND c.provider_user_id = ${subject}
      LEFT JOIN identities i ON i.handle = c.handle
      LEFT JOIN emails e ON e.email = ${shownEmail}`,
    requirements: {
      done: sql`NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${id})`,
      proof_stale: sql`${expected} IS NULL OR c.id IS ${expected}`,
      email_conflict: sql`c.id IS NOT NULL OR e.email IS NULL`,
      claim_required: sql`c.id IS NOT NULL`,
      identity_closed: sql`i.status <> 'closed'`,
      identity_suspended: sql`i.status = 'active'`,
      password_stale: sql`c.provider <> 'email' OR c.password_hash IS ${passwordHash}`,
      counter_regressed: sql`c.provider <> 'passkey' OR ${signCount} > c.sign_count
        OR (${signCount} = 0 AND c.sign_count = 0)`,
    },
    verdict: 'signed_in',
    handle: sql`c.handle`,
    credentialId: sql`c.id`,
  });
}

function sessionRows(id: string): SQL {
  return sql`SELECT c.handle, c.id AS credential_id, c.provider FROM decisions d
    JOIN credentials c ON c.id = d.credential_id WHERE d.id = ${id} AND d.verdict = 'signed_in'`;
}

/** The changes of a sign-in to its credential. A verified address without an owner becomes the person's. */
function effectsOf(credential: ProvenCredential, id: string, now: number): Statement[] {
  const { provider } = credential;
  const verifiedEmail = 'verifiedEmail' in credential ? credential.verifiedEmail : null;
  const password = provider === 'email' ? credential.proof : null;
  const passkey = provider === 'passkey' && 'proof' in credential ? credential.proof : null;
  const decided = sql`FROM decisions d WHERE d.id = ${id} AND d.verdict = 'signed_in'`;
  const rows = sql`SELECT ${verifiedEmail} AS email, d.handle ${decided}`;
  return [
    ...(verifiedEmail === null ? [] : [addEmail(rows, now)]),
    recordUse({
      id: sql`(SELECT d.credential_id ${decided})`,
      verifiedEmail,
      passwordHash: password?.rehash ?? null,
      ...passkey,
      now,
    }),
    ...(password === null ? [] : [password.clearGuesses(isDecided(id, 'signed_in'))]),
  ];
}

/** A newcomer's ticket. A credential that was proven against a stored one belongs to an identity and needs none. */
function ticketFor(
  deps: Deps,
  credential: ProvenCredential,
  { id, hash, now }: { readonly id: string; readonly hash: string; readonly now: number },
): Statement[] {
  if ('proof' in credential) return [];
  const expiresAt = now + deps.config.CLAIM_TTL_SECONDS * 1000;
  return [insertTicket({ hash, credential, expiresAt, when: isDecided(id, 'claim_required') })];
}

/** Revokes the session whose refresh token this browser sent with the new sign-in. */
export function replaceSession({ replaces }: SignInContext, when: SQL, now: number): Statement[] {
  if (replaces === null) return [];
  return [endSessions({ where: sql`id = ${replaces} AND ${when}`, reason: 'replaced', now })];
}

/** Approves the popup request of a new session, after the session is created. Without a session, nothing changes. */
export function answerPopup({ popup }: SignInContext, sessionId: string, now: number): Statement[] {
  return popup === null ? [] : [approvePopupStatement({ popup, sessionId, now })];
}

const digits = [...'0123456789'];

/** A user agent without its version numbers, which change every few weeks. */
function withoutVersions(userAgent: SQL): SQL {
  return digits.reduce((text, digit) => sql`replace(${text}, ${sql.raw(`'${digit}'`)}, '')`, userAgent);
}

/**
 * How many activity lines a sign-in reads to recognise its device. Other requests wait for its batch, so it reads only
 * a few.
 */
const knownLines = 500;

/**
 * The email about a sign-in on a device that is new to the identity: no other session in its newest activity, live or
 * revoked, has the same browser, system and country. In a batch it comes after the session.
 * @param id the id of both the session and its decision
 */
export function newDeviceNotice(deps: Deps, { id, client, provider, now }: SignedIn): Promise<Statement> {
  const known = sql`SELECT 1 FROM (SELECT session_id FROM activity
        WHERE handle = (SELECT handle FROM decisions WHERE id = ${id})
        ORDER BY seq DESC LIMIT ${sql.raw(String(knownLines))}) a
      CROSS JOIN sessions s ON s.id = a.session_id
    WHERE s.id <> ${id} AND s.country IS ${client.country}
      AND ${withoutVersions(sql`s.user_agent`)} IS ${client.userAgent?.replace(/\d/g, '') ?? null}`;
  return noticeStatement(deps, {
    kind: 'sign_in_new_device',
    handle: sql`SELECT handle FROM decisions WHERE id = ${id}`,
    when: sql`${isDecided(id, 'signed_in')} AND NOT EXISTS (${known})`,
    params: { provider, ...describeClient(client) },
    now,
  });
}

interface SignedIn {
  readonly id: string;
  readonly client: ClientInfo;
  readonly provider: string;
  readonly now: number;
}
