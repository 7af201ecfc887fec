import { all, first, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, isoTime, pidOf } from '../../lib/id.ts';
import { handleSkeleton } from '../../lib/look-alike.ts';
import { present } from '../../lib/present.ts';
import { secretHash } from '../../lib/secret.ts';
import { nameLinkingSession, record } from '../activity/statements.ts';
import { insertFromTicket } from '../credential/statements.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { copyToJournal } from '../identity/journal.ts';
import { addEmail, createIdentity, createProfile } from '../identity/statements.ts';
import { createSession, verdictWithSession } from '../session/create-session.ts';
import { createRefreshToken } from '../session/refresh-token.ts';
import { type IssuedTokens, issueTokens } from '../session/session.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { answerPopup, replaceSession } from '../sign-in/sign-in.ts';
import {
  consumeTicket,
  deleteTickets,
  selectTicket,
  type TicketRow,
  ticketId,
} from '../sign-in/statements.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import { handleFrom, isReservedHandle, parseHandle, suggestHandles } from './handle.ts';
import type { ClaimPreview, HandleCheck } from './schema.ts';

/** A verified credential without an owner. */
export type WaitingCredential = Pick<ClaimPreview, 'provider' | 'email' | 'displayName'>;

/**
 * Returns the contents of the claim screen: the account the person continues with, and a suggested available handle.
 * @throws AppError ticket_gone if there is no ticket, or it is unknown, expired or used
 */
export async function previewClaim(deps: Deps, ticket: string | null): Promise<ClaimPreview> {
  const row = requireUsable(await first(deps.db, selectTicket(ticket)), deps.now());
  const [suggestedHandle = null] = await suggestFor(deps, row);
  return {
    id: ticketId(present(ticket, 'the ticket of a claim')),
    provider: row.provider,
    email: row.shown_email,
    displayName: row.display_name,
    suggestedHandle,
    expiresAt: isoTime(row.expires_at),
  };
}

/** Available handles for the person with this ticket, best first. */
async function suggestFor(deps: Deps, row: TicketRow): Promise<string[]> {
  const base = handleFrom({ email: row.shown_email, displayName: row.display_name });
  const free = await all(deps.db, freeStatement(deps, suggestHandles(base, deps.randomBytes, 8)));
  return free.map(({ handle }) => handle);
}

/**
 * Returns whether a handle can be claimed and otherwise suggests similar handles, or handles based on the person's name
 * instead of a reserved one. An available handle may still be taken before the claim; the claim decides.
 * @throws AppError ticket_gone
 */
export async function checkHandle(deps: Deps, ticket: string | null, input: string): Promise<HandleCheck> {
  const parsed = parseHandle(input);
  const handle = parsed.ok ? parsed.handle : input.slice(0, 64);
  const isReserved = parsed.ok && isReservedHandle(handle);
  const candidates = parsed.ok && !isReserved ? [handle, ...suggestHandles(handle, deps.randomBytes, 8)] : [];
  const { waiting, free } = await run(deps.db, {
    waiting: selectTicket(ticket),
    free: freeStatement(deps, [...new Set(candidates)]),
  });
  const row = requireUsable(waiting[0], deps.now());
  const isFree = free[0]?.handle === handle;
  const reason = !parsed.ok ? 'invalid' : isReserved ? 'reserved' : isFree ? null : 'taken';
  const others = isReserved ? await suggestFor(deps, row) : isFree ? [] : free.map((one) => one.handle);
  return {
    handle,
    pid: parsed.ok ? pidOf(handle) : null,
    available: reason === null,
    reason,
    suggestions: others.slice(0, 3),
  };
}

/**
 * Returns the credential of a pending ticket.
 * @throws AppError ticket_gone
 */
export async function readTicket(deps: Deps, ticket: string | null): Promise<WaitingCredential> {
  const row = requireUsable(await first(deps.db, selectTicket(ticket)), deps.now());
  return { provider: row.provider, email: row.shown_email, displayName: row.display_name };
}

function requireUsable(row: TicketRow | null | undefined, now: number): TicketRow {
  if (!row || row.consumed_by !== null || row.expires_at <= now) throw new AppError('ticket_gone');
  return row;
}

function freeStatement(deps: Deps, handles: readonly string[]): Statement<{ handle: string }> {
  return statement(freeHandles(deps, handles));
}

/**
 * The available handles, in the given order: not held by anyone now or earlier, and no look-alikes of such handles.
 * Those in ADMIN_PIDS and SUPPORT_PIDS are not available, because claiming one would give access to the admin desk. An
 * operator claims them for their owners.
 */
function freeHandles(deps: Deps, handles: readonly string[]): SQL {
  const kept = new Set(deps.config.deskPids.map((pid) => handleSkeleton(pid.replace(/@pid$/, ''))));
  const pairs = handles.map((handle) => [handle, handleSkeleton(handle)] as const);
  const candidates = JSON.stringify(pairs.filter(([, skeleton]) => !kept.has(skeleton)));
  return sql`SELECT json_extract(j.value, '$[0]') AS handle, json_extract(j.value, '$[1]') AS skeleton
    FROM json_each(${candidates}) j
    WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = json_extract(j.value, '$[0]'))
      AND NOT EXISTS (SELECT 1 FROM identities WHERE skeleton = json_extract(j.value, '$[1]')) ORDER BY j.key`;
}

interface ClaimInput {
  readonly ticket: string | null;
  readonly handle: string;
  readonly displayName: string | null;
}

type ClaimRefusal = 'ticket_gone' | 'handle_taken' | 'handle_lookalike' | 'email_conflict';

/**
 * Creates the identity (PID, profile, credential and session) and consumes the ticket in one batch. After any error but
 * `ticket_gone` the ticket stays usable.
 * @throws AppError validation_failed, handle_taken (also for reserved names and look-alikes), email_conflict,
 *   ticket_gone
 */
export async function claim(deps: Deps, input: ClaimInput, context: SignInContext): Promise<IssuedTokens> {
  const { ticket, displayName } = input;
  if (ticket === null) throw new AppError('ticket_gone', null, { reason: 'no ticket' });
  const parsed = parseHandle(input.handle);
  if (!parsed.ok) throw new AppError('validation_failed', parsed.problems);
  if (isReservedHandle(parsed.handle)) throw new AppError('handle_taken', null, { reason: 'reserved' });
  const claimed = await claimFirstFree(deps, { ticket, handles: [parsed.handle], displayName }, context);
  switch (claimed.verdict) {
    case 'claimed':
      return claimed.tokens;
    case 'handle_lookalike':
      throw new AppError('handle_taken', null, { reason: 'looks like a taken handle' });
    default:
      throw new AppError(claimed.verdict);
  }
}

interface ClaimChoice {
  readonly ticket: string;
  /** The first available handle is claimed; at least one, none reserved. */
  readonly handles: readonly string[];
  /** Replaces the display name of the ticket. */
  readonly displayName: string | null;
}

/**
 * Creates a ticket's identity under the first available handle. The batch chooses the handle, so nobody can take it in
 * between.
 */
export async function claimFirstFree(
  deps: Deps,
  { ticket, handles, displayName }: ClaimChoice,
  context: SignInContext,
): Promise<
  { readonly verdict: 'claimed'; readonly tokens: IssuedTokens } | { readonly verdict: ClaimRefusal }
> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const id = createId('ses', now, deps.randomBytes);
  const credentialId = createId('crd', now, deps.randomBytes);
  const { token, hash: tokenHash } = createRefreshToken(deps, id, context.scope);
  const ids = { id, credentialId, ticketHash: secretHash(ticket), now };
  const { client } = context;
  const isClaimed = isDecided(id, 'claimed');
  const sessionRows = sql`SELECT c.handle, c.id AS credential_id, c.provider
    FROM credentials c WHERE c.id = ${credentialId} AND ${isClaimed}`;
  const decision = claimDecision(deps, ids, handles);
  const { answer } = await run(deps.db, {
    insert: decision.insert,
    identity: makeIdentity(ids, displayName),
    ticket: consumeTicket({ hash: ids.ticketHash, by: id, when: isClaimed }),
    session: createSession(deps, { id, rows: sessionRows, tokenHash, client, now }),
    replaced: replaceSession(context, isClaimed, now),
    whole: assertWhole(ids),
    answer: verdictWithSession(decision),
    end: decision.drop,
    popup: answerPopup(context, id, now),
  });
  const row = only(answer);
  const { verdict, handle, provider } = row;
  deps.log.info('claim', { requestId: client.requestId, verdict, handle, provider });
  if (verdict !== 'claimed' && verdict !== 'done') return { verdict };
  const tokens = await issueTokens(deps, sign, row, token, now);
  copyToJournal(deps, { event: 'issued', handle, skeleton: handleSkeleton(handle), at: now });
  return { verdict: 'claimed', tokens };
}

interface ClaimIds {
  /** The id of the session to create, which also identifies the decision. */
  readonly id: string;
  readonly credentialId: string;
  readonly ticketHash: string;
  readonly now: number;
}

/**
 * The verdict, and the handle to issue. In revision `direct` nobody is rejected because of another identity's address.
 * A password's address is its user name, however, so it cannot be omitted.
 */
function claimDecision(deps: Deps, { id, ticketHash, now }: ClaimIds, handles: readonly string[]) {
  const refusesTakenEmail = Number(deps.config.INTERFACE_REVISION === 'claim');
  return decisionOf({
    id,
    from: sql`LEFT JOIN claim_tickets t ON t.hash = ${ticketHash}
      LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
      LEFT JOIN emails e ON e.email = t.shown_email
      LEFT JOIN (${freeHandles(deps, handles)} LIMIT 1) k ON 1
      LEFT JOIN identities i ON i.handle = ${handles[0] ?? null}`,
    requirements: {
      done: sql`t.consumed_by IS NOT ${id}`,
      ticket_gone: sql`t.consumed_by IS NULL AND t.expires_at > ${now} AND c.id IS NULL`,
      handle_taken: sql`k.handle IS NOT NULL OR i.handle IS NULL`,
      handle_lookalike: sql`k.handle IS NOT NULL`,
      email_conflict: sql`e.email IS NULL OR (${refusesTakenEmail} = 0 AND t.provider <> 'email')`,
    },
    verdict: 'claimed',
    handle: sql`k.handle`,
    skeleton: sql`k.skeleton`,
  });
}

/** Inserts a ticket's identity, profile, address and credential. An address that belongs to someone else is omitted. */
function makeIdentity(
  { id, credentialId, ticketHash, now }: ClaimIds,
  displayName: string | null,
): Statement[] {
  const claimed = sql`FROM decisions d JOIN claim_tickets t ON t.hash = ${ticketHash}
    WHERE d.id = ${id} AND d.verdict = 'claimed'`;
  const ownEmail = sql`(SELECT e.email FROM emails e WHERE e.email = t.email AND e.handle = d.handle)`;
  return [
    createIdentity(sql`SELECT d.handle, d.skeleton, t.hash AS ticket ${claimed}`, now),
    createProfile(
      sql`SELECT d.handle, coalesce(${displayName}, t.display_name, d.handle) AS display_name, t.locale ${claimed}`,
      now,
    ),
    addEmail(sql`SELECT t.email, d.handle ${claimed}`, now),
    insertFromTicket({ id: credentialId, handle: sql`d.handle`, email: ownEmail, source: claimed, now }),
    nameLinkingSession(credentialId, id),
    record({
      type: 'identity.claimed',
      sessionId: id,
      rows: sql`SELECT d.handle, NULL AS credential_id, NULL AS detail ${claimed}`,
      now,
    }),
  ];
}

/** Asserts the whole result before the commit, so that no partial claim can be stored. */
function assertWhole({ id, ticketHash }: ClaimIds): Statement {
  return statement(sql`UPDATE tripwire SET ok = (SELECT count(*) = 1 FROM identities i
      JOIN profiles p ON p.handle = i.handle JOIN credentials c ON c.handle = i.handle
      JOIN claim_tickets t ON t.hash = i.ticket AND t.consumed_by = d.id
      JOIN sessions s ON s.id = d.id AND s.handle = i.handle AND s.credential_id = c.id
      WHERE i.handle = d.handle AND i.ticket = ${ticketHash})
    FROM decisions d WHERE d.id = ${id} AND d.verdict = 'claimed' AND tripwire.id = 1`);
}

/** Discards a ticket ("this is not me"), which can then no longer be claimed. */
export async function dropTicket(deps: Deps, ticket: string): Promise<void> {
  await all(deps.db, deleteTickets(sql`hash = ${secretHash(ticket)} AND consumed_by IS NULL`));
}
