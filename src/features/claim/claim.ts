import { type SQL, sql } from 'drizzle-orm';
import { all, first, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, pidOf } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import { isoTime } from '../../lib/time.ts';
import { insertFromTicket } from '../credential/statements.ts';
import { copyToJournal } from '../identity/journal.ts';
import { createRefreshToken } from '../session/refresh-token.ts';
import {
  createSessionStatement,
  type IssuedTokens,
  issueTokens,
  replaceSessionStatement,
  type SessionRow,
  sessionColumns,
} from '../session/session.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { answerPopup } from '../sign-in/sign-in.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import { handleFrom, handleSkeleton, isReservedHandle, parseHandle, suggestHandles } from './handle.ts';
import type { ClaimPreview, HandleCheck } from './schema.ts';

interface TicketRow {
  provider: string;
  email: string | null;
  display_name: string | null;
  expires_at: number;
  consumed: number;
}

/** A proven credential that belongs to nobody yet. */
export type WaitingCredential = Pick<ClaimPreview, 'provider' | 'email' | 'displayName'>;

/**
 * What the claim screen shows: who the person continues as, and a free handle to start from.
 * @throws AppError ticket_gone when there is no ticket, or it is unknown, expired or used
 */
export async function previewClaim(deps: Deps, ticket: string | null): Promise<ClaimPreview> {
  const row = requireUsable((await first(deps.db, ticketStatement(ticket))) ?? undefined, deps.now());
  const base = handleFrom({ email: row.email, displayName: row.display_name }) ?? '';
  const free = await first(deps.db, freeStatement(suggestHandles(base, deps.randomBytes, 8)));
  return {
    provider: row.provider,
    email: row.email,
    displayName: row.display_name,
    suggestedHandle: free?.handle ?? null,
    expiresAt: isoTime(row.expires_at),
  };
}

/**
 * Says whether a handle can be claimed now, and offers others when not. A handle that is free here may still
 * be taken by the time of the claim; the claim decides.
 * @throws AppError ticket_gone
 */
export async function checkHandle(deps: Deps, ticket: string | null, input: string): Promise<HandleCheck> {
  const parsed = parseHandle(input);
  const handle = parsed.ok ? parsed.handle : input.slice(0, 64);
  const others = parsed.ok ? suggestHandles(handle, deps.randomBytes, 8) : [];
  const [tickets, free] = await deps.db.batch([
    ticketStatement(ticket),
    freeStatement(parsed.ok ? [handle, ...others.filter((other) => other !== handle)] : []),
  ]);
  requireUsable(tickets[0], deps.now());
  if (!parsed.ok) return { handle, pid: null, available: false, reason: 'invalid', suggestions: [] };
  const isFree = free.some((row) => row.handle === handle);
  const reason = isReservedHandle(handle) ? 'reserved' : isFree ? null : 'taken';
  const suggestions = free.map((row) => row.handle).filter((other) => other !== handle);
  return {
    handle,
    pid: pidOf(handle),
    available: reason === null,
    reason,
    suggestions: reason === null ? [] : suggestions.slice(0, 3),
  };
}

/**
 * The credential that waits with a ticket.
 * @throws AppError ticket_gone
 */
export async function readTicket(deps: Deps, ticket: string | null): Promise<WaitingCredential> {
  const row = requireUsable((await first(deps.db, ticketStatement(ticket))) ?? undefined, deps.now());
  return { provider: row.provider, email: row.email, displayName: row.display_name };
}

/** What a ticket holds, usable or not. */
export function ticketStatement(ticket: string | null): Statement<TicketRow> {
  return statement(sql`SELECT provider, shown_email AS email, display_name, expires_at,
    consumed_by IS NOT NULL AS consumed FROM claim_tickets WHERE hash = ${ticket === null ? null : secretHash(ticket)}`);
}

function requireUsable(row: TicketRow | undefined, now: number): TicketRow {
  if (!row || row.consumed || row.expires_at <= now) throw new AppError('ticket_gone');
  return row;
}

function freeStatement(handles: string[]): Statement<{ handle: string }> {
  return statement(freeHandles(handles));
}

/** Those of the handles that nobody holds, has held, or could be mistaken for, in the order given. */
export function freeHandles(handles: string[]): SQL {
  const candidates = JSON.stringify(handles.map((handle) => [handle, handleSkeleton(handle)]));
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

type ClaimVerdict =
  | 'claimed'
  | 'done'
  | 'ticket_gone'
  | 'handle_taken'
  | 'handle_lookalike'
  | 'email_conflict';

export interface ClaimRow extends SessionRow {
  verdict: ClaimVerdict;
}

/** Where in a claim's batch its verdict is answered. */
export const claimVerdictAt = 9;

/** The statements of a claim; the last but one answers its verdict. */
export type ClaimBatch = readonly [
  ...[Statement, Statement, Statement, Statement, Statement, Statement, Statement, Statement, Statement],
  Statement<ClaimRow>,
  Statement,
];

/**
 * Makes the identity: PID, profile, credential and session in one batch, and spends the ticket with it. On
 * any refusal but `ticket_gone` the ticket stays usable.
 * @throws AppError validation_failed, handle_taken (also for reserved names and look-alikes), email_conflict, ticket_gone
 */
export async function claim(deps: Deps, input: ClaimInput, context: SignInContext): Promise<IssuedTokens> {
  if (input.ticket === null) throw new AppError('ticket_gone', null, { reason: 'no ticket' });
  const parsed = parseHandle(input.handle);
  if (!parsed.ok) throw new AppError('validation_failed', parsed.problems);
  if (isReservedHandle(parsed.handle)) throw new AppError('handle_taken', null, { reason: 'reserved' });
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const id = createId('ses', now, deps.randomBytes);
  const refresh = createRefreshToken(deps, id, context.scope);
  const ticketHash = secretHash(input.ticket);
  const batch = claimStatements(deps, context, {
    now,
    id,
    tokenHash: refresh.hash,
    ticketHash,
    credentialId: createId('crd', now, deps.randomBytes),
    displayName: input.displayName,
    decide: decideHandle({ now, id, ticketHash, handle: parsed.handle }),
    email: sql`t.email`,
  });
  const [, , , , , , , , , [row]] = await deps.db.batch([...batch, ...answerPopup(context, id, now)]);
  if (!row) throw new Error('the claim batch answered no verdict');
  const { requestId } = context.client;
  deps.log.info('claim', { requestId, verdict: row.verdict, handle: row.handle, provider: row.provider });
  if (row.verdict === 'claimed') {
    const skeleton = handleSkeleton(parsed.handle);
    copyToJournal(deps, { event: 'issued', handle: parsed.handle, skeleton, at: now });
  }
  switch (row.verdict) {
    case 'claimed':
    case 'done':
      return issueTokens(deps, sign, row, refresh.token, now);
    case 'handle_lookalike':
      throw new AppError('handle_taken', null, { reason: 'looks like a taken handle' });
    default:
      throw new AppError(row.verdict);
  }
}

interface HandleChoice {
  readonly now: number;
  readonly id: string;
  readonly ticketHash: string;
  readonly handle: string;
}

/** The verdict on the one handle that a person chose. */
function decideHandle({ now, id, ticketHash, handle }: HandleChoice): Statement {
  const skeleton = handleSkeleton(handle);
  return statement(sql`INSERT INTO decisions (id, verdict, handle, skeleton)
    SELECT ${id}, CASE
      WHEN t.consumed_by = ${id} THEN 'done'
      WHEN t.hash IS NULL OR t.consumed_by IS NOT NULL OR t.expires_at <= ${now} OR c.id IS NOT NULL THEN 'ticket_gone'
      WHEN EXISTS (SELECT 1 FROM identities WHERE handle = ${handle}) THEN 'handle_taken'
      WHEN EXISTS (SELECT 1 FROM identities WHERE skeleton = ${skeleton}) THEN 'handle_lookalike'
      WHEN e.email IS NOT NULL THEN 'email_conflict'
      ELSE 'claimed' END, ${handle}, ${skeleton}
    FROM settings g LEFT JOIN claim_tickets t ON t.hash = ${ticketHash}
      LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
      LEFT JOIN emails e ON e.email = t.shown_email
    WHERE g.id = 1`);
}

interface ClaimValues {
  readonly now: number;
  readonly id: string;
  readonly tokenHash: string;
  readonly ticketHash: string;
  readonly credentialId: string;
  readonly displayName: string | null;
  /** Writes the attempt: its verdict, and the handle and skeleton to be issued. */
  readonly decide: Statement;
  /** The address that the credential keeps, of ticket `t` and attempt `a`. */
  readonly email: SQL;
}

/** Makes an identity of a ticket, once `decide` says `claimed`. */
export function claimStatements(deps: Deps, context: SignInContext, values: ClaimValues): ClaimBatch {
  const { now, id, ticketHash, credentialId } = values;
  const claimed = sql`FROM decisions a JOIN claim_tickets t ON t.hash = ${ticketHash} WHERE a.id = ${id} AND a.verdict = 'claimed'`;
  const isClaimed = sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${id} AND verdict = 'claimed')`;
  return [
    values.decide,
    statement(sql`INSERT INTO identities (handle, skeleton, ticket, created_at)
      SELECT a.handle, a.skeleton, ${ticketHash}, ${now} ${claimed}`),
    statement(sql`INSERT INTO profiles (handle, display_name, locale, updated_at)
      SELECT a.handle, coalesce(${values.displayName}, t.display_name, a.handle), t.locale, ${now} ${claimed}`),
    statement(sql`INSERT INTO emails (email, handle, verified_at)
      SELECT t.email, a.handle, ${now} ${claimed} AND t.email IS NOT NULL ON CONFLICT (email) DO NOTHING`),
    insertFromTicket({ id: credentialId, handle: sql`a.handle`, email: values.email, source: claimed, now }),
    statement(sql`UPDATE claim_tickets SET consumed_by = ${id}, password_hash = NULL
      WHERE hash = ${ticketHash} AND ${isClaimed}`),
    createSessionStatement(
      deps,
      { now, tokenHash: values.tokenHash, client: context.client },
      sql`FROM decisions a JOIN credentials c ON c.id = ${credentialId} WHERE a.id = ${id} AND a.verdict = 'claimed'`,
    ),
    replaceSessionStatement(context.replaces, isClaimed, now),
    // The whole shape, asserted before the commit: half a claim cannot be stored.
    statement(sql`UPDATE tripwire SET ok = (SELECT count(*) = 1 FROM identities i
        JOIN profiles p ON p.handle = i.handle JOIN credentials c ON c.handle = i.handle
        JOIN claim_tickets t ON t.hash = i.ticket AND t.consumed_by = a.id
        JOIN sessions s ON s.id = a.id AND s.handle = i.handle AND s.credential_id = c.id
        WHERE i.handle = a.handle AND i.ticket = ${ticketHash})
      FROM decisions a WHERE a.id = ${id} AND a.verdict = 'claimed' AND tripwire.id = 1`),
    statement<ClaimRow>(sql`SELECT a.verdict, ${sessionColumns} FROM decisions a
      LEFT JOIN sessions s ON s.id = a.id AND s.revoked_at IS NULL
      LEFT JOIN profiles p ON p.handle = s.handle WHERE a.id = ${id}`),
    statement(sql`DELETE FROM decisions WHERE id = ${id}`),
  ];
}

/** Gives a ticket back ("this is not me"): it can no longer be claimed. */
export async function dropTicket(deps: Deps, ticket: string): Promise<void> {
  await all(
    deps.db,
    statement(sql`DELETE FROM claim_tickets WHERE hash = ${secretHash(ticket)} AND consumed_by IS NULL`),
  );
}
