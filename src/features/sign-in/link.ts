import { first, only, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { createId } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { nameLinkingSession } from '../activity/statements.ts';
import { type CredentialRow, credentialColumns, toCredential } from '../credential/credential.ts';
import type { Credential } from '../credential/schema.ts';
import { hasRoomForCredential, insertFromTicket } from '../credential/statements.ts';
import { decisionOf, isDecided, type VerdictOf } from '../identity/decision.ts';
import { addEmail } from '../identity/statements.ts';
import type { decisions } from '../identity/tables.ts';
import { type NoticeKind, noticeStatement, sendSoon } from '../mail/mail.ts';
import { approvePopupStatement } from '../popup/popup.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import type { ClaimableCredential } from './proven-credential.ts';
import { consumeTicket, deleteTickets, insertTicket, selectTicket, ticketId } from './statements.ts';

/** A link's ticket is deleted in the batch that creates it. */
const ownTicketTtlMs = 60_000;

type LinkVerdict = VerdictOf<ReturnType<typeof linkDecision>>;

/** The result of a link: the verdict, and the credential if it now belongs to the person. */
export type LinkRow = CredentialRow & { verdict: LinkVerdict } & Pick<Row<typeof decisions>, 'handle'>;

/** One link: created once per request and kept for its retries. */
export interface Link {
  readonly now: number;
  /** The session whose identity gets the credential; it must be live and fresh when the batch runs. */
  readonly sessionId: string;
  /** The ticket with the proven credential, and its expiry if it is created only for this link. */
  readonly ticketHash: string;
  readonly ticketExpiresAt: number;
  /** The link's own ticket is deleted with the link; a ticket waiting for a claim is consumed. */
  readonly ticketIs: 'own' | 'waiting';
  /** The id of the new credential, which also identifies the decision. */
  readonly credentialId: string;
  readonly notice: { readonly kind: NoticeKind; readonly params: Record<string, string> };
}

/** A link's statements, to run after those that create its ticket. */
export type LinkBatch = {
  readonly linking: readonly Statement[];
  readonly linked: Statement<LinkRow>;
  readonly linkEnd: readonly Statement[];
};

/** The ids for a session's new link: that of the decision, and that of an internal ticket. */
export function createLink(deps: Deps, sessionId: string, notice: Link['notice']): Link {
  const now = deps.now();
  return {
    now,
    sessionId,
    ticketHash: secretHash(createSecret(deps.randomBytes)),
    ticketExpiresAt: now + ownTicketTtlMs,
    ticketIs: 'own',
    credentialId: createId('crd', now, deps.randomBytes),
    notice,
  };
}

/**
 * Links a ticket's credential to the acting session's identity. The first statement decides, and the others depend on
 * its verdict: address, credential, ticket and email, all or nothing. A retry after a lost response finds its own
 * credential and changes nothing.
 */
export async function linkStatements(deps: Deps, link: Link): Promise<LinkBatch> {
  const { now, ticketHash, credentialId: id } = link;
  const linked = sql`FROM decisions d JOIN claim_tickets t ON t.hash = ${ticketHash}
    WHERE d.id = ${id} AND d.verdict = 'linked'`;
  const isLinked = isDecided(id, 'linked');
  const decision = linkDecision(deps, link);
  return {
    linking: [
      decision.insert,
      addEmail(sql`SELECT t.email, d.handle ${linked}`, now),
      insertFromTicket({ id, handle: sql`d.handle`, source: linked, now }),
      nameLinkingSession(id, link.sessionId),
      consumeTicket({ hash: ticketHash, by: id, when: isLinked }),
      await noticeStatement(deps, {
        ...link.notice,
        handle: sql`(SELECT handle FROM decisions WHERE id = ${id})`,
        when: isLinked,
        now,
      }),
    ],
    linked: statement(sql`SELECT d.verdict, d.handle, ${credentialColumns('c')}
      FROM decisions d LEFT JOIN claim_tickets t ON t.hash = ${ticketHash}
        LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
          AND c.handle = d.handle
      WHERE d.id = ${id}`),
    linkEnd: [...(link.ticketIs === 'own' ? [deleteTickets(sql`hash = ${ticketHash}`)] : []), decision.drop],
  };
}

/** Linking a credential that the person already has is not an error. */
function linkDecision(deps: Deps, { now, sessionId, ticketHash, credentialId: id }: Link) {
  return decisionOf({
    id,
    from: sql`LEFT JOIN ${actingSession(sessionId, now)} s ON true
      LEFT JOIN claim_tickets t ON t.hash = ${ticketHash}
      LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
      LEFT JOIN emails e ON e.email = t.shown_email`,
    requirements: {
      session_revoked: sql`s.id IS NOT NULL`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
      ticket_unknown: sql`t.hash IS NOT NULL`,
      already_linked_here: sql`c.handle IS NOT s.handle`,
      already_linked_elsewhere: sql`c.id IS NULL`,
      ticket_gone: sql`t.consumed_by IS NULL AND t.expires_at > ${now}`,
      email_conflict: sql`e.handle IS NULL OR e.handle = s.handle`,
      password_exists: sql`t.provider <> 'email'
        OR NOT EXISTS (SELECT 1 FROM credentials WHERE handle = s.handle AND provider = 'email')`,
      too_many_credentials: hasRoomForCredential(sql`s.handle`),
    },
    verdict: 'linked',
    handle: sql`s.handle`,
  });
}

const refusals: Record<Exclude<LinkVerdict, 'linked' | 'already_linked_here'>, ErrorCode> = {
  session_revoked: 'unauthenticated',
  not_fresh: 'not_fresh',
  ticket_unknown: 'ticket_gone',
  ticket_gone: 'ticket_gone',
  already_linked_elsewhere: 'credential_already_linked',
  password_exists: 'credential_already_linked',
  email_conflict: 'email_conflict',
  too_many_credentials: 'too_many_credentials',
};

/**
 * Returns the linked credential, and sends the email written by the batch.
 * @throws AppError unauthenticated, not_fresh, ticket_gone, credential_already_linked, email_conflict,
 *   too_many_credentials
 */
export function concludeLink(deps: Deps, { sessionId }: Link, row: LinkRow): Credential {
  const { verdict, handle, provider } = row;
  deps.log.info('credential.link', { verdict, handle, provider, sessionId });
  if (verdict !== 'linked' && verdict !== 'already_linked_here') {
    throw new AppError(refusals[verdict], null, { reason: verdict });
  }
  sendSoon(deps);
  return toCredential(row);
}

/** A link approves a popup request if the credential belongs to the person, even if it already did. */
function answerPopup(
  popup: string | null,
  { sessionId, now }: Link,
  { provider, subject }: ClaimableCredential,
): Statement[] {
  if (popup === null) return [];
  const when = sql`EXISTS (SELECT 1 FROM credentials
    WHERE provider = ${provider} AND provider_user_id = ${subject} AND handle = s.handle)`;
  return [approvePopupStatement({ popup, sessionId, now, link: { provider, when } })];
}

interface LinkInput {
  readonly sessionId: string;
  readonly client: ClientInfo;
  readonly credential: ClaimableCredential;
  /** The popup request that the link approves. */
  readonly popup?: string | null;
}

/**
 * Links a newly proven credential to the acting session's identity, in one batch. The session stays unchanged. A
 * credential that is already linked is returned unchanged.
 * @throws AppError unauthenticated, not_fresh, credential_already_linked, email_conflict, too_many_credentials
 */
export async function linkCredential(
  deps: Deps,
  { sessionId, client, credential, popup = null }: LinkInput,
): Promise<Credential> {
  const link = createLink(deps, sessionId, noticeOf(credential, client));
  const { linked } = await run(deps.db, {
    ticket: [insertTicket({ hash: link.ticketHash, credential, expiresAt: link.ticketExpiresAt })],
    ...(await linkStatements(deps, link)),
    popup: answerPopup(popup, link, credential),
  });
  return concludeLink(deps, link, only(linked));
}

function noticeOf(credential: ClaimableCredential, client: ClientInfo): Link['notice'] {
  const device = describeClient(client);
  if (credential.provider !== 'passkey')
    return { kind: 'credential_linked', params: { provider: credential.provider, ...device } };
  return { kind: 'passkey_added', params: { name: credential.registration.name ?? '', ...device } };
}

interface WaitingLinkInput extends Pick<LinkInput, 'sessionId' | 'client'> {
  readonly ticket: string | null;
  /** The id of the ticket shown to the person; another sign-in may have replaced it since. */
  readonly agreedTo?: string | undefined;
}

/**
 * Links a claim ticket's credential to the acting session's identity, and consumes the ticket, for newcomers who
 * already have a PID. After any error but `ticket_gone` the ticket stays usable.
 * @throws AppError ticket_gone, unauthenticated, not_fresh, credential_already_linked, email_conflict,
 *   too_many_credentials
 */
export async function linkWaiting(
  deps: Deps,
  { sessionId, client, ticket, agreedTo }: WaitingLinkInput,
): Promise<Credential> {
  if (ticket === null) throw new AppError('ticket_gone');
  if (agreedTo !== undefined && agreedTo !== ticketId(ticket)) {
    throw new AppError('ticket_gone', null, { reason: 'another ticket was agreed to' });
  }
  const waiting = await first(deps.db, selectTicket(ticket));
  if (waiting === null) throw new AppError('ticket_gone');
  // Only the email's text depends on this read; the batch checks the ticket.
  const { provider } = waiting;
  const kind = provider === 'passkey' ? 'passkey_added' : 'credential_linked';
  const link: Link = {
    ...createLink(deps, sessionId, { kind, params: { provider, ...describeClient(client) } }),
    ticketHash: secretHash(ticket),
    ticketIs: 'waiting',
  };
  const { linked } = await run(deps.db, await linkStatements(deps, link));
  return concludeLink(deps, link, only(linked));
}
