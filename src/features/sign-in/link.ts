import { type SQL, sql } from 'drizzle-orm';
import { first, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { createId } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { ticketStatement } from '../claim/claim.ts';
import { type CredentialRow, credentialColumns, toCredential } from '../credential/credential.ts';
import type { Credential } from '../credential/schema.ts';
import { insertFromTicket } from '../credential/statements.ts';
import { type NoticeKind, noticeStatement, sendSoon } from '../mail/mail.ts';
import { approvePopupStatement } from '../popup/popup.ts';
import { isStale } from '../session/acting-session.ts';
import type { ProvenCredential } from './sign-in.ts';

/** How long the ticket of a link may lie; it goes within the batch that makes it. */
const linkTicketTtlMs = 60_000;

type LinkVerdict =
  | 'linked'
  | 'already_linked_here'
  | 'session_revoked'
  | 'not_fresh'
  | 'ticket_gone'
  | 'already_linked_elsewhere'
  | 'email_conflict'
  | 'password_exists';

/** What a link answers: the verdict, and the credential once it is the person's. */
export interface LinkRow extends CredentialRow {
  verdict: LinkVerdict;
  handle: string | null;
}

/** One link: made once per request and kept for its repeats. */
export interface Link {
  readonly now: number;
  /** The session whose identity gets the credential; it must be live and fresh when the batch runs. */
  readonly sessionId: string;
  /** The ticket that holds the proven credential. */
  readonly ticketHash: string;
  /** Of the credential to be; names the attempt, too. */
  readonly credentialId: string;
  /** A ticket that was made for this link alone goes with it; one that waits for a claim is spent. */
  readonly ticketIs: 'internal' | 'waiting';
  readonly notice?: { readonly kind: NoticeKind; readonly params?: Record<string, string> };
}

/** The statements of a link; the one before the last two answers its verdict. */
export type LinkBatch = readonly [
  ...[Statement, Statement, Statement, Statement, Statement],
  Statement<LinkRow>,
  Statement,
  Statement,
];

/** Names for a new link by a session: the attempt's, and those of a ticket nobody sees. */
export function createLink(deps: Deps, sessionId: string): Link & { readonly ticketIs: 'internal' } {
  const now = deps.now();
  return {
    now,
    sessionId,
    ticketHash: secretHash(createSecret(deps.randomBytes)),
    credentialId: createId('crd', now, deps.randomBytes),
    ticketIs: 'internal',
  };
}

/** Columns of a ticket that only some kinds of credential have. */
export interface LinkSecrets {
  readonly credentialName?: string | null;
  readonly publicKey?: string;
  readonly signCount?: number;
  readonly transports?: string | null;
  readonly backedUp?: boolean;
  readonly passkeyUserId?: string;
}

/** Puts a proven credential into the ticket of a link, in the same batch. Nobody ever holds its secret. */
export function linkTicketStatement(
  link: Link,
  credential: { provider: string } & Pick<ProvenCredential, 'subject' | 'shownEmail' | 'verifiedEmail'>,
  secrets: LinkSecrets = {},
): Statement {
  const {
    credentialName = null,
    publicKey = null,
    signCount = null,
    transports = null,
    passkeyUserId = null,
  } = secrets;
  const backedUp = secrets.backedUp === undefined ? null : Number(secrets.backedUp);
  return statement(sql`INSERT INTO claim_tickets (hash, provider, provider_user_id, email, shown_email,
      credential_name, public_key, sign_count, transports, backed_up, passkey_user_id, expires_at)
    VALUES (${link.ticketHash}, ${credential.provider}, ${credential.subject}, ${credential.verifiedEmail},
      ${credential.shownEmail}, ${credentialName}, ${publicKey}, ${signCount}, ${transports}, ${backedUp}, ${passkeyUserId},
      ${link.now + linkTicketTtlMs})
    ON CONFLICT (hash) DO NOTHING`);
}

/**
 * Links the credential of a ticket to the acting session's identity. The first statement decides, the others act
 * on its verdict: address, credential, ticket and the mail about it, all or nothing. Sent again after a lost
 * answer it finds its own credential and changes nothing.
 */
export async function linkStatements(deps: Deps, link: Link): Promise<LinkBatch> {
  const { now, ticketHash, credentialId } = link;
  const linked = sql`FROM decisions a JOIN claim_tickets t ON t.hash = ${ticketHash}
    WHERE a.id = ${credentialId} AND a.verdict = 'linked'`;
  const isLinked = sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${credentialId} AND verdict = 'linked')`;
  const { kind, params } = { kind: 'credential_linked' as const, params: {}, ...link.notice };
  return [
    decide(deps, link),
    statement(sql`INSERT INTO emails (email, handle, verified_at)
      SELECT t.email, a.handle, ${now} ${linked} AND t.email IS NOT NULL ON CONFLICT (email) DO NOTHING`),
    insertFromTicket({ id: credentialId, handle: sql`a.handle`, source: linked, now }),
    statement(sql`UPDATE claim_tickets SET consumed_by = ${credentialId}, password_hash = NULL
      WHERE hash = ${ticketHash} AND ${isLinked}`),
    await noticeStatement(deps, {
      kind,
      handle: sql`(SELECT handle FROM decisions WHERE id = ${credentialId})`,
      when: isLinked,
      params,
      now,
    }),
    statement<LinkRow>(sql`SELECT a.verdict, a.handle, ${credentialColumns}
      FROM decisions a LEFT JOIN claim_tickets t ON t.hash = ${ticketHash}
        LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
          AND c.handle = a.handle
      WHERE a.id = ${credentialId}`),
    statement(sql`DELETE FROM claim_tickets
      WHERE hash = ${link.ticketIs === 'internal' ? ticketHash : null}`),
    statement(sql`DELETE FROM decisions WHERE id = ${credentialId}`),
  ];
}

/** A credential that is the person's already is no error: who links twice has what they want. */
function decide(deps: Deps, { now, sessionId, ticketHash, credentialId }: Link): Statement {
  const secondPassword: SQL = sql`t.provider = 'email'
    AND EXISTS (SELECT 1 FROM credentials WHERE handle = s.handle AND provider = 'email')`;
  return statement(sql`INSERT INTO decisions (id, verdict, handle)
    SELECT ${credentialId}, CASE
      WHEN s.id IS NULL THEN 'session_revoked'
      WHEN ${isStale(deps, now)} THEN 'not_fresh'
      WHEN t.hash IS NULL THEN 'ticket_gone'
      WHEN c.handle = s.handle THEN 'already_linked_here'
      WHEN c.id IS NOT NULL THEN 'already_linked_elsewhere'
      WHEN t.consumed_by IS NOT NULL OR t.expires_at <= ${now} THEN 'ticket_gone'
      WHEN e.handle <> s.handle THEN 'email_conflict'
      WHEN ${secondPassword} THEN 'password_exists'
      ELSE 'linked' END, s.handle
    FROM settings g
      LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
      LEFT JOIN claim_tickets t ON t.hash = ${ticketHash}
      LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
      LEFT JOIN emails e ON e.email = t.shown_email
    WHERE g.id = 1`);
}

const refusals: Record<Exclude<LinkVerdict, 'linked' | 'already_linked_here'>, ErrorCode> = {
  session_revoked: 'unauthenticated',
  not_fresh: 'not_fresh',
  ticket_gone: 'ticket_gone',
  already_linked_elsewhere: 'credential_already_linked',
  password_exists: 'credential_already_linked',
  email_conflict: 'email_conflict',
};

/**
 * What a link has come to. Sends the mail that the batch wrote.
 * @throws AppError unauthenticated, not_fresh, ticket_gone, credential_already_linked, email_conflict
 */
export function concludeLink(deps: Deps, link: Link, row: LinkRow | undefined): Credential {
  if (!row) throw new Error('the link batch answered no verdict');
  const { verdict, handle } = row;
  deps.log.info('credential.link', { verdict, handle, provider: row.provider, sessionId: link.sessionId });
  if (verdict !== 'linked' && verdict !== 'already_linked_here') {
    throw new AppError(refusals[verdict], null, { reason: verdict });
  }
  sendSoon(deps);
  return toCredential(row);
}

/** A link answers a popup once the credential is the person's, also when it was theirs before. */
function answeredBy(
  { sessionId, now }: Link,
  { provider, subject }: ProvenCredential,
  popup: string,
): Parameters<typeof approvePopupStatement>[0] {
  const when = sql`EXISTS (SELECT 1 FROM credentials
    WHERE provider = ${provider} AND provider_user_id = ${subject} AND handle = s.handle)`;
  return { popup, sessionId, now, link: { provider, when } };
}

/**
 * Links a credential that its owner has just proven to the acting session's identity, in one batch. The session
 * stays as it is. Linking what is linked already answers it as it is.
 * @throws AppError unauthenticated, not_fresh, credential_already_linked, email_conflict
 */
export async function linkCredential(
  deps: Deps,
  input: {
    sessionId: string;
    client: ClientInfo;
    credential: ProvenCredential;
    secrets?: LinkSecrets;
    /** The popup request that the link answers. */
    popup?: string | null;
  },
): Promise<Credential> {
  const { credential, secrets, popup = null } = input;
  const params = { provider: credential.provider, ...describeClient(input.client) };
  const link = {
    ...createLink(deps, input.sessionId),
    notice: { kind: 'credential_linked', params },
  } as const;
  const results = await deps.db.batch([
    linkTicketStatement(link, credential, secrets),
    ...(await linkStatements(deps, link)),
    ...(popup === null ? [] : [approvePopupStatement(answeredBy(link, credential, popup))]),
  ]);
  return concludeLink(deps, link, results[6][0]);
}

/**
 * Links the credential that waits with a claim ticket to the acting session's identity, and spends the ticket: for
 * newcomers who have a PID after all. On a refusal but `ticket_gone` the ticket stays usable.
 * @throws AppError ticket_gone, unauthenticated, not_fresh, credential_already_linked, email_conflict
 */
export async function linkWaiting(
  deps: Deps,
  input: { sessionId: string; client: ClientInfo; ticket: string | null },
): Promise<Credential> {
  const waiting = await first(deps.db, ticketStatement(input.ticket));
  if (waiting === null) throw new AppError('ticket_gone');
  // No more than what the mail says hangs on this read; the batch judges the ticket.
  const { provider } = waiting;
  const kind = provider === 'passkey' ? 'passkey_added' : 'credential_linked';
  const link: Link = {
    ...createLink(deps, input.sessionId),
    ticketHash: secretHash(input.ticket ?? ''),
    ticketIs: 'waiting',
    notice: { kind, params: { provider, ...describeClient(input.client) } },
  };
  const results = await deps.db.batch(await linkStatements(deps, link));
  return concludeLink(deps, link, results[5][0]);
}
