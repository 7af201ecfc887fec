import { type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { fromBase64url, fromUtf8, toBase64url } from '../../lib/encoding.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { challengeTtlSeconds } from './relying-party.ts';
import type { passkeyChallenges } from './tables.ts';

type Challenge = Row<typeof passkeyChallenges>;

/**
 * The browser that may answer a challenge: the requesting session, while it is live, or a browser with any of its
 * cookies.
 */
export type Holder = { readonly sessionId: string } | { readonly cookies: readonly string[] };

/** The page's claims about the ceremony. Only a verified signature proves them. */
export interface ClientData {
  readonly challenge: string;
  readonly origin: string;
  readonly crossOrigin: boolean;
}

export function createChallenge(deps: Deps): string {
  return createSecret(deps.randomBytes);
}

interface NewChallenge {
  readonly challenge: string;
  /** A challenge created for one purpose works for no other. */
  readonly purpose: Challenge['purpose'];
  /** The holder's secret; if it is NULL, nothing is stored. */
  readonly bound: SQL;
  /** The WebAuthn user of a registration, or the handle whose passkey a login requires. */
  readonly userId: SQL;
  readonly now: number;
}

export function insertChallenge({ challenge, purpose, bound, userId, now }: NewChallenge): Statement {
  return statement(sql`INSERT INTO passkey_challenges (hash, purpose, bound_to, user_id, expires_at)
    SELECT ${secretHash(challenge)}, ${purpose}, k.bound, ${userId}, ${now + challengeTtlSeconds * 1000}
    FROM (SELECT ${bound} AS bound) k WHERE k.bound IS NOT NULL
    ON CONFLICT (hash) DO NOTHING`);
}

/** Reads the owner of the passkey for a challenge, if the challenge was stored. */
export function selectChallenge(challenge: string): Statement<Pick<Challenge, 'user_id'>> {
  return statement(sql`SELECT user_id FROM passkey_challenges WHERE hash = ${secretHash(challenge)}`);
}

/** Deletes every challenge, after a restore that may have brought back a used one. */
export function deleteAllChallenges(): Statement {
  return statement(sql`DELETE FROM passkey_challenges`);
}

interface Spending {
  readonly challenge: string;
  readonly purpose: Challenge['purpose'];
  readonly holder: Holder;
  readonly now: number;
}

/**
 * Consumes a challenge: a single UPDATE lets only one request with the challenge through. `spent` returns its row, even
 * if the same batch is retried after a lost response.
 */
export function spendStatements(
  deps: Deps,
  { challenge, purpose, holder, now }: Spending,
): { readonly spend: readonly Statement[]; readonly spent: Statement<Pick<Challenge, 'user_id'>> } {
  const hash = secretHash(challenge);
  const id = toBase64url(deps.randomBytes(16));
  const bounds =
    'sessionId' in holder
      ? sql`SELECT id FROM live_sessions WHERE id = ${holder.sessionId} AND expires_at > ${now}`
      : sql`SELECT value FROM json_each(${JSON.stringify(holder.cookies.map(secretHash))})`;
  return {
    spend: [
      statement(sql`UPDATE passkey_challenges SET used_by = ${id}
        WHERE hash = ${hash} AND purpose = ${purpose} AND used_by IS NULL AND expires_at > ${now}
          AND bound_to IN (${bounds})`),
    ],
    spent: statement(sql`SELECT user_id FROM passkey_challenges WHERE hash = ${hash} AND used_by = ${id}`),
  };
}

/** Parses the signed data of the authenticator, or returns null if it is malformed. */
export function readClientData(clientDataJSON: string): ClientData | null {
  try {
    const bytes = fromBase64url(clientDataJSON);
    const { challenge, origin, crossOrigin } = JSON.parse(fromUtf8(bytes ?? new Uint8Array()));
    if (typeof challenge !== 'string' || typeof origin !== 'string') return null;
    return { challenge, origin, crossOrigin: crossOrigin === true };
  } catch {
    return null;
  }
}
