import { all, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { AppSize, SizeOf } from '../../http/context.ts';

/** The maximum delay before a new size applies. */
const rememberedMs = 60_000;

/**
 * The app sizes, keyed by the digest of each secret. Few apps have a size, so all sizes are read together, at most once
 * a minute, in the background of a request with a secret. No request waits for the read; until it completes, the
 * default applies.
 */
export function appSizes(deps: Deps): SizeOf {
  let sizes: ReadonlyMap<string, AppSize> = new Map();
  let until = 0;

  return function sizeOf(client) {
    const now = deps.now();
    if (now >= until) {
      until = now + rememberedMs;
      deps.background(
        readSizes(deps, now).then(
          (read) => {
            sizes = read;
          },
          // The sizes from the last read stay valid.
          () => {},
        ),
      );
    }
    return sizes.get(client) ?? null;
  };
}

async function readSizes(deps: Deps, now: number): Promise<Map<string, AppSize>> {
  const rows = await all(
    deps.db,
    statement<AppSize & { hash: string }>(sql`SELECT k.hash, a.id AS app, a.token_limit AS requests
      FROM apps a JOIN app_secrets k ON k.app_id = a.id
      WHERE a.token_limit IS NOT NULL AND a.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > ${now})`),
  );
  return new Map(rows.map(({ hash, ...size }) => [`client ${hash}`, size]));
}
