import { type SQL, sql } from 'drizzle-orm';
import { type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { fromBase64url, fromUtf8, toBase64url } from '../../lib/encoding.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { challengeTtlSeconds } from './relying-party.ts';

/** What a ceremony is for. A challenge made for one purpose is none for another. */
export type Purpose = 'login' | 'register' | 'link';

/** Who may answer a challenge: the session that asked, while it lives, or a browser by any of its cookies. */
export type Holder = { readonly sessionId: string } | { readonly cookies: readonly string[] };

/** What the page says about the ceremony. Nothing of it is true until the signature over it is. */
export interface ClientData {
  readonly challenge: string;
  readonly origin: string;
  readonly crossOrigin: boolean;
}

export function createChallenge(deps: Deps): string {
  return createSecret(deps.randomBytes);
}

/**
 * Keeps a challenge. `bound` is what only its holder has, as SQL; where it is NULL there is nobody to hold it.
 * `userId` is the WebAuthn user of a registration, or whose passkey a login has to be (a handle).
 */
export function challengeStatement(input: {
  challenge: string;
  purpose: Purpose;
  bound: SQL;
  userId: SQL;
  now: number;
}): Statement {
  const { challenge, purpose, bound, userId, now } = input;
  return statement(sql`INSERT INTO passkey_challenges (hash, purpose, bound_to, user_id, expires_at)
    SELECT ${secretHash(challenge)}, ${purpose}, k.bound, ${userId}, ${now + challengeTtlSeconds * 1000}
    FROM (SELECT ${bound} AS bound) k WHERE k.bound IS NOT NULL
    ON CONFLICT (hash) DO NOTHING`);
}

interface Spending {
  readonly challenge: string;
  readonly purpose: Purpose;
  readonly holder: Holder;
  readonly now: number;
}

/**
 * Spends a challenge: of any number of requests with one, a single UPDATE lets one through. The second statement
 * answers its row, also to the same batch sent again after a lost answer.
 */
export function spendStatements(
  deps: Deps,
  { challenge, purpose, holder, now }: Spending,
): readonly [Statement, Statement<{ user_id: string | null }>] {
  const hash = secretHash(challenge);
  const attempt = toBase64url(deps.randomBytes(16));
  const bounds =
    'sessionId' in holder
      ? sql`SELECT id FROM live_sessions WHERE id = ${holder.sessionId} AND expires_at > ${now}`
      : sql`SELECT value FROM json_each(${JSON.stringify(holder.cookies.map(secretHash))})`;
  return [
    statement(sql`UPDATE passkey_challenges SET used_by = ${attempt}
      WHERE hash = ${hash} AND purpose = ${purpose} AND used_by IS NULL AND expires_at > ${now}
        AND bound_to IN (${bounds})`),
    statement(sql`SELECT user_id FROM passkey_challenges WHERE hash = ${hash} AND used_by = ${attempt}`),
  ];
}

/** Reads what the browser signed over, or null when it is not that. */
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
