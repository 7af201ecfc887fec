import { first, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { pidOf } from '../../../lib/id.ts';
import type { AppClaims } from '../../grant/app-token.ts';
import { primaryEmail } from '../../session/statements.ts';
import type { Userinfo } from '../schema.ts';
import { claimsByScope } from './issue-tokens.ts';
import { isLive } from './statements.ts';

/** Returns the claims available to the app (OpenID Connect Core section 5.3); null after its session is revoked. */
export async function getUserinfo(
  deps: Deps,
  { sessionId, scopes }: AppClaims,
  now: number,
): Promise<Userinfo | null> {
  const query = statement<{
    handle: string;
    display_name: string;
    email: string | null;
    locale: string | null;
  }>(
    sql`SELECT app_sessions.handle, p.display_name, p.locale, ${primaryEmail(sql`app_sessions.handle`)} AS email
      FROM app_sessions JOIN profiles p ON p.handle = app_sessions.handle
      WHERE app_sessions.id = ${sessionId} AND ${isLive(now)}`,
  );
  const row = await first(deps.db, query);
  if (row === null) return null;
  const { handle, locale } = row;
  const hasLocale = scopes.includes('profile') && locale !== null;
  return { sub: pidOf(handle), ...claimsByScope(row, scopes), ...(hasLocale && { locale }) };
}
