import { sql } from 'drizzle-orm';
import { first, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { AccessClaims } from '../session/access-token.ts';

/** One report counts for a week; one that is younger than a day is not written again. */
const believedMs = 7 * 86_400_000;
const renewedAfterMs = 86_400_000;

/** Providers are few and fixed, so there are as many keys. The value is a time: nothing about anybody. */
const keyOf = (provider: string) => `popup:severs:${provider}`;

/** Whether a provider's pages are known to cut popups from their openers, so that a closed window may not be one. */
export async function seversOpener(deps: Deps, provider: string, now: number): Promise<boolean> {
  return Number((await deps.kv.get(keyOf(provider))) ?? 0) > now;
}

/**
 * A popup came back from a provider without the opener it left with. Believed only from somebody who has really
 * signed in there since the request began, and while the opener is alive: it asked when its window seemed closed. A
 * lie then costs an account and an app's origin, and all it does is that other openers wait longer before they take
 * a window for closed.
 */
export async function reportSevering(deps: Deps, id: string, claims: AccessClaims): Promise<void> {
  const now = deps.now();
  const { provider, authenticatedAt } = claims;
  const request = await first(
    deps.db,
    statement<{ id: string }>(sql`SELECT id FROM popup_requests
      WHERE id = ${id} AND away_to = ${provider} AND asked_at IS NOT NULL
        AND created_at < ${authenticatedAt + 1000} AND expires_at > ${now}`),
  );
  if (request === null) return;
  const until = Number((await deps.kv.get(keyOf(provider))) ?? 0);
  if (until > now + believedMs - renewedAfterMs) return;
  await deps.kv.put(keyOf(provider), String(now + believedMs));
  deps.log.info('popup.severed', { provider, handle: claims.handle });
}
