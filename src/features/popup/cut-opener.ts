import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { AccessClaims } from '../session/access-token.ts';

/** How long a report counts, and the age at which a newer one replaces it. */
const countsForMs = 7 * 86_400_000;
const renewedAfterMs = 86_400_000;

/** One key for each provider. The value is a time, and says nothing about anybody. */
const keyOf = (provider: string) => `popup:severs:${provider}`;

/** Whether a provider's pages are known to cut popups from their openers: a window that seems closed may be open. */
export async function cutsOpener(deps: Deps, provider: string, now: number): Promise<boolean> {
  return Number((await deps.kv.get(keyOf(provider))) ?? 0) > now;
}

/**
 * A popup came back from a provider without the opener it left with. The report counts only from somebody who has
 * signed in there since the request began, and while the opener is alive: it polled when its window seemed closed. So
 * a lie costs an account and an app's origin, and only makes other openers wait longer before they treat a window as
 * closed.
 */
export async function reportCutOpener(deps: Deps, id: string, claims: AccessClaims): Promise<void> {
  const now = deps.now();
  const { provider, authenticatedAt } = claims;
  const query = statement<{ id: string }>(sql`SELECT id FROM popup_requests
      WHERE id = ${id} AND away_to = ${provider} AND asked_at IS NOT NULL
        AND created_at < ${authenticatedAt + 1000} AND expires_at > ${now}`);
  const request = await first(deps.db, query);
  if (request === null) return;
  const until = Number((await deps.kv.get(keyOf(provider))) ?? 0);
  if (until > now + countsForMs - renewedAfterMs) return;
  await deps.kv.put(keyOf(provider), String(now + countsForMs));
  deps.log.info('popup.severed', { provider, handle: claims.handle });
}
