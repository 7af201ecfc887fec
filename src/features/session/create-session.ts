import { type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ClientInfo } from '../../http/context.ts';
import { type SessionRow, sessionColumns } from './statements.ts';

/**
 * Reads a verdict, the session created under the same id, and the address with which its owner can sign in with a
 * password. The session columns are null if there is none, or it has since been revoked.
 */
export function verdictWithSession<Verdict extends string>({
  id,
}: {
  readonly id: string;
  readonly verdicts: Statement<{ verdict: Verdict }>;
}): Statement<SessionRow & { verdict: Verdict; account: string | null }> {
  return statement(sql`SELECT d.verdict, ${sessionColumns},
      (SELECT c.email FROM credentials c WHERE c.handle = s.handle AND c.provider = 'email') AS account FROM decisions d
    LEFT JOIN sessions s ON s.id = d.id AND s.revoked_at IS NULL
    LEFT JOIN profiles p ON p.handle = s.handle WHERE d.id = ${id}`);
}

interface NewSession {
  readonly id: string;
  /** A SELECT of `handle`, `credential_id` and `provider`; empty unless the session may start. */
  readonly rows: SQL;
  readonly tokenHash: string;
  readonly client: ClientInfo;
  readonly now: number;
}

/** Inserts a session, which lasts SESSION_MAX_SECONDS. */
export function createSession(deps: Deps, { id, rows, tokenHash, client, now }: NewSession): Statement {
  const { SESSION_MAX_SECONDS, REFRESH_TTL_SECONDS } = deps.config;
  const endsAt = now + SESSION_MAX_SECONDS * 1000;
  const tokenEndsAt = Math.min(now + REFRESH_TTL_SECONDS * 1000, endsAt);
  return statement(sql`INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at,
      last_seen_at, expires_at, token_hash, token_expires_at, user_agent, address, country)
    SELECT ${id}, handle, credential_id, provider, ${now}, ${now}, ${now}, ${endsAt}, ${tokenHash}, ${tokenEndsAt},
      ${client.userAgent}, ${client.address}, ${client.country} FROM (${rows})`);
}
