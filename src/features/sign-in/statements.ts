import {
  columnsOf,
  integer,
  type RowOf,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import { secretHash } from '../../lib/secret.ts';
import type { ClaimableCredential } from './proven-credential.ts';
import type { claimTickets } from './tables.ts';

interface NewTicket {
  readonly hash: string;
  readonly credential: ClaimableCredential;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly when?: SQL;
}

/** Stores a proven credential in a ticket. */
export function insertTicket({ hash, credential, expiresAt, when = sql`true` }: NewTicket): Statement {
  const { provider, subject } = credential;
  const account = 'shownEmail' in credential ? credential : null;
  const passkey = 'registration' in credential ? credential.registration : null;
  return statement(sql`INSERT INTO claim_tickets (hash, provider, provider_user_id, email, shown_email, display_name,
      locale, credential_name, public_key, sign_count, transports, backed_up, passkey_user_id, expires_at)
    SELECT ${hash}, ${provider}, ${subject}, ${account?.verifiedEmail ?? null}, ${account?.shownEmail ?? null},
      ${account?.displayName ?? null}, ${account?.locale ?? null}, ${passkey?.name ?? null}, ${passkey?.publicKey ?? null},
      ${passkey?.signCount ?? null}, ${passkey?.transports ?? null}, ${passkey && Number(passkey.backedUp)},
      ${passkey?.userId ?? null}, ${expiresAt}
    WHERE ${when} ON CONFLICT (hash) DO NOTHING`);
}

/**
 * Stores a verified address and its password in a ticket.
 * @param ticket with `rows`, a SELECT of `email` and `password_hash`, and `expiresAt` in epoch milliseconds
 */
export function insertPasswordTicket(ticket: { hash: string; rows: SQL; expiresAt: number }): Statement {
  const { hash, rows, expiresAt } = ticket;
  return statement(sql`INSERT INTO claim_tickets
      (hash, provider, provider_user_id, email, shown_email, password_hash, expires_at)
    SELECT ${hash}, 'email', email, email, email, password_hash, ${integer(expiresAt)} FROM (${rows})
    WHERE password_hash IS NOT NULL ON CONFLICT (hash) DO NOTHING`);
}

/** Consumes a ticket. @param by the session or credential that it became */
export function consumeTicket(ticket: { hash: string; by: string; when: SQL }): Statement {
  const { hash, by, when } = ticket;
  return statement(sql`UPDATE claim_tickets SET consumed_by = ${by}, password_hash = NULL
    WHERE hash = ${hash} AND ${when}`);
}

/** Deletes the tickets that match a condition on `claim_tickets`. */
export function deleteTickets(where: SQL): Statement {
  return statement(sql`DELETE FROM claim_tickets WHERE ${where}`);
}

/** Identifies a ticket to its holder without revealing it: part of its digest. */
export function ticketId(ticket: string): string {
  return secretHash(ticket).slice(0, 16);
}

/** The ticket columns that describe its credential. */
const ticketColumns = columnsOf<typeof claimTickets>()(
  'provider, shown_email, display_name, expires_at, consumed_by',
);
export type TicketRow = RowOf<typeof ticketColumns>;

/** Reads a ticket, usable or not. */
export function selectTicket(ticket: string | null): Statement<TicketRow> {
  return statement(sql`SELECT ${ticketColumns()}
    FROM claim_tickets WHERE hash = ${ticket === null ? null : secretHash(ticket)}`);
}
