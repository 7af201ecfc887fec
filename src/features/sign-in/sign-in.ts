import { sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { CredentialKind } from '../../lib/credential-kinds.ts';
import { createId } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { approvePopupStatement } from '../popup/popup.ts';
import { createRefreshToken } from '../session/refresh-token.ts';
import {
  createSessionStatement,
  issueTokens,
  replaceSessionStatement,
  type SessionRow,
  sessionColumns,
} from '../session/session.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import type { SignInContext, SignInOutcome } from './context.ts';

/** A credential whose owner has just proven it, whatever its kind. */
export interface ProvenCredential {
  readonly provider: CredentialKind;
  /** The provider's own identifier of the person, the address, or the passkey's id; with `provider` it finds the credential. */
  readonly subject: string;
  /** The address the provider showed, canonical, verified or not. */
  readonly shownEmail: string | null;
  /** The same address if it is verified; only then it occupies the unique slot. */
  readonly verifiedEmail: string | null;
  readonly displayName: string | null;
  readonly locale: string | null;
  /** What was verified before the batch, for kinds that we verify ourselves; the batch compares it again. */
  readonly proof?: PasswordProof | PasskeyProof;
  /** What the credential of a newcomer consists of, beside the above. */
  readonly ticket?: TicketColumns;
}

/** The password fitted this hash of this credential: a password that has changed meanwhile signs nobody in. */
export interface PasswordProof {
  readonly kind: 'password';
  readonly credentialId: string;
  readonly passwordHash: string;
  /** The same password under today's parameters, when the stored hash has others. */
  readonly rehash: string | null;
  /** The counter of wrong guesses, which a sign-in clears. */
  readonly triesKey: string;
}

/** The assertion fitted this credential's key; its counter must be ahead of the stored one, or both be zero. */
export interface PasskeyProof {
  readonly kind: 'passkey';
  readonly credentialId: string;
  readonly signCount: number;
  readonly backedUp: boolean;
}

export interface TicketColumns {
  readonly passwordHash?: string;
  readonly publicKey?: string;
  readonly signCount?: number;
  /** As JSON, as the authenticator named them. */
  readonly transports?: string;
  readonly backedUp?: boolean;
  readonly credentialName?: string;
  /** By what the authenticator knows the person. */
  readonly passkeyUserId?: string;
}

type Verdict =
  | 'signed_in'
  | 'done'
  | 'claim_required'
  | 'email_conflict'
  | 'identity_suspended'
  | 'identity_closed'
  | 'proof_stale'
  | 'counter_regressed';

interface SignInRow extends SessionRow {
  verdict: Verdict;
}

/** The statements of a sign-in: it decides, makes the session, answers, and then does what else there is to do. */
export type SignInBatch = readonly [Statement, Statement, Statement<SignInRow>, ...Statement[]];

/**
 * Turns a proven credential into a session of the identity it belongs to, or into a claim ticket when it
 * belongs to nobody yet. One batch: the first statement decides, the others act on its verdict.
 * @throws AppError email_conflict when a new credential shows another identity's address
 * @throws AppError identity_suspended, identity_closed
 * @throws AppError password_refused, passkey_refused when what was verified no longer holds
 */
export async function signIn(
  deps: Deps,
  credential: ProvenCredential,
  context: SignInContext,
): Promise<SignInOutcome> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const id = createId('ses', now, deps.randomBytes);
  const refresh = createRefreshToken(deps, id, context.scope);
  const ticket = createSecret(deps.randomBytes);
  const ids = { now, id, tokenHash: refresh.hash, ticketHash: secretHash(ticket) };
  const batch = signInStatements(deps, credential, context, { ...ids, refusesTakenEmail: true });
  const [, , [row]] = await deps.db.batch([...batch, ...answerPopup(context, id, now)]);
  if (!row) throw new Error('the sign-in batch answered no verdict');
  const { verdict } = row;
  const { requestId } = context.client;
  deps.log.info('sign_in', { requestId, provider: credential.provider, verdict, handle: row.handle });
  if (verdict === 'claim_required') return { type: 'claim_required', ticket };
  if (verdict === 'signed_in' || verdict === 'done') {
    return { type: 'signed_in', tokens: await issueTokens(deps, sign, row, refresh.token, now) };
  }
  throw refusedSignIn(verdict, credential);
}

/** Why a credential signs nobody in. */
export function refusedSignIn(
  verdict: Exclude<Verdict, 'signed_in' | 'done' | 'claim_required'>,
  { provider }: ProvenCredential,
): AppError {
  if (verdict !== 'proof_stale' && verdict !== 'counter_regressed') return new AppError(verdict);
  const code = provider === 'passkey' ? 'passkey_refused' : 'password_refused';
  return new AppError(code, null, { reason: verdict });
}

/** Approves the popup request that a new session answers, once the session is there: without one, nothing changes. */
export function answerPopup({ popup }: SignInContext, sessionId: string, now: number): Statement[] {
  return popup === null ? [] : [approvePopupStatement({ popup, sessionId, now })];
}

interface SignInValues {
  readonly now: number;
  readonly id: string;
  readonly tokenHash: string;
  readonly ticketHash: string;
  /** Whether another identity's address stops a new credential. */
  readonly refusesTakenEmail: boolean;
}

/** What `signIn` runs as one batch. */
export function signInStatements(
  deps: Deps,
  credential: ProvenCredential,
  context: SignInContext,
  values: SignInValues,
): SignInBatch {
  const { now, id } = values;
  const { proof } = credential;
  const signedIn = sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${id} AND verdict = 'signed_in')`;
  return [
    decide(credential, values),
    createSessionStatement(
      deps,
      { now, tokenHash: values.tokenHash, client: context.client },
      sql`FROM decisions a JOIN credentials c ON c.id = a.credential_id WHERE a.id = ${id} AND a.verdict = 'signed_in'`,
    ),
    statement<SignInRow>(sql`SELECT a.verdict, ${sessionColumns} FROM decisions a
      LEFT JOIN sessions s ON s.id = a.id AND s.revoked_at IS NULL
      LEFT JOIN profiles p ON p.handle = s.handle WHERE a.id = ${id}`),
    ...keepAddress(credential, values),
    updateCredential(credential, values),
    ...(context.replaces === null ? [] : [replaceSessionStatement(context.replaces, signedIn, now)]),
    // Whoever has proven a credential of ours is somebody.
    ...(proof ? [] : [makeTicket(deps, credential, values)]),
    statement(sql`DELETE FROM decisions WHERE id = ${id}`),
    ...(proof?.kind === 'password' ? [clearTries(proof, id)] : []),
  ];
}

function decide({ provider, subject, shownEmail, proof }: ProvenCredential, values: SignInValues): Statement {
  const { id } = values;
  const occupied = values.refusesTakenEmail ? shownEmail : null;
  const expected = proof?.credentialId ?? null;
  const passwordHash = proof?.kind === 'password' ? proof.passwordHash : null;
  const signCount = proof?.kind === 'passkey' ? integer(proof.signCount) : null;
  return statement(sql`INSERT INTO decisions (id, verdict, handle, credential_id)
    SELECT ${id}, CASE
      WHEN EXISTS (SELECT 1 FROM sessions WHERE id = ${id}) THEN 'done'
      WHEN ${expected} IS NOT NULL AND c.id IS NOT ${expected} THEN 'proof_stale'
      WHEN c.id IS NULL AND e.email IS NOT NULL THEN 'email_conflict'
      WHEN c.id IS NULL THEN 'claim_required'
      WHEN i.status <> 'active' THEN 'identity_' || i.status
      WHEN c.provider = 'email' AND c.password_hash IS NOT ${passwordHash} THEN 'proof_stale'
      WHEN c.provider = 'passkey' AND (${signCount} IS NULL
        OR NOT (${signCount} > c.sign_count OR (${signCount} = 0 AND c.sign_count = 0))) THEN 'counter_regressed'
      ELSE 'signed_in' END, c.handle, c.id
    FROM settings g
      LEFT JOIN credentials c ON c.provider = ${provider} AND c.provider_user_id = ${subject}
      LEFT JOIN identities i ON i.handle = c.handle
      LEFT JOIN emails e ON e.email = ${occupied}
    WHERE g.id = 1`);
}

/** A verified address that nobody has becomes the person's. */
function keepAddress({ verifiedEmail }: ProvenCredential, { now, id }: SignInValues): Statement[] {
  if (verifiedEmail === null) return [];
  return [
    statement(sql`INSERT INTO emails (email, handle, verified_at)
      SELECT ${verifiedEmail}, a.handle, ${now} FROM decisions a WHERE a.id = ${id} AND a.verdict = 'signed_in'
      ON CONFLICT (email) DO NOTHING`),
  ];
}

/** The stored address moves only to one that is free or already the person's own; else it stays. */
function updateCredential({ verifiedEmail, proof }: ProvenCredential, { now, id }: SignInValues): Statement {
  const rehash = proof?.kind === 'password' ? proof.rehash : null;
  const passkey = proof?.kind === 'passkey' ? proof : null;
  return statement(sql`UPDATE credentials SET last_login_at = ${now},
      password_hash = coalesce(${rehash}, password_hash),
      sign_count = coalesce(${passkey && integer(passkey.signCount)}, sign_count),
      backed_up = coalesce(${flag(passkey?.backedUp)}, backed_up),
      email = coalesce((SELECT e.email FROM emails e WHERE e.email = ${verifiedEmail} AND e.handle = credentials.handle), email)
    WHERE id = (SELECT credential_id FROM decisions WHERE id = ${id} AND verdict = 'signed_in')`);
}

function makeTicket(deps: Deps, credential: ProvenCredential, values: SignInValues): Statement {
  const { provider, subject, shownEmail, verifiedEmail, displayName, locale, ticket = {} } = credential;
  const expiresAt = values.now + deps.config.CLAIM_TTL_SECONDS * 1000;
  return statement(sql`INSERT INTO claim_tickets
      (hash, provider, provider_user_id, email, shown_email, display_name, locale, credential_name, password_hash,
        public_key, sign_count, transports, backed_up, passkey_user_id, expires_at)
    SELECT ${values.ticketHash}, ${provider}, ${subject}, ${verifiedEmail}, ${shownEmail},
      ${displayName}, ${locale}, ${ticket.credentialName ?? null}, ${ticket.passwordHash ?? null},
      ${ticket.publicKey ?? null}, ${ticket.signCount ?? null}, ${ticket.transports ?? null}, ${flag(ticket.backedUp)},
      ${ticket.passkeyUserId ?? null}, ${expiresAt}
    FROM decisions WHERE id = ${values.id} AND verdict = 'claim_required' ON CONFLICT (hash) DO NOTHING`);
}

/** The session's row is the verdict that is left: it exists exactly when this sign-in succeeded. */
function clearTries({ triesKey }: PasswordProof, id: string): Statement {
  return statement(sql`DELETE FROM secret_tries WHERE key = ${triesKey}
    AND EXISTS (SELECT 1 FROM sessions WHERE id = ${id})`);
}

/** A boolean as the tables hold it. */
function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
