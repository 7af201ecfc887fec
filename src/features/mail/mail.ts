import { type SQL, sql } from 'drizzle-orm';
import { type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';

export type NoticeKind =
  | 'credential_linked'
  | 'credential_unlinked'
  | 'password_changed'
  | 'password_reset'
  | 'passkey_added'
  | 'passkey_removed';

interface Notice {
  readonly kind: NoticeKind;
  /** Whose addresses are told, as SQL that the caller's batch judges. */
  readonly handle: SQL;
  readonly when: SQL;
  readonly params: Record<string, string>;
  readonly now: number;
}

/** Tells an identity's own addresses of a change, within the batch that makes it. */
export async function noticeStatement(_deps: Deps, { handle, when }: Notice): Promise<Statement> {
  return statement(sql`SELECT 1 WHERE ${handle} IS NOT NULL AND ${when}`);
}

/** Sends what waits, after the response. */
export function sendSoon(_deps: Deps): void {}
