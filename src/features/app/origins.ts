import { all, integer, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { AppOrigins, Page, Standing } from '../../http/origin.ts';
import { addressKey } from '../../lib/address.ts';
import { type AppDoubt, appDoubt, shownName } from '../popup/app-doubt.ts';

/** The longest time that a suspended or deleted app can still read, or a new origin may have to wait. */
const rememberedMs = 60_000;
const mostUnknown = 1000;
/** Owners can change their origins repeatedly, so listed origins that were not read recently are also evicted. */
const mostListed = 10_000;
/**
 * Anyone can invent origins, so the number of unknown origins that an address may look up per second is limited.
 * Origins that an app listed at the last read are exempt.
 */
const mostLooksASecond = 10;
/**
 * Anyone can list an origin, so the number of cached apps per origin is limited; others are read when a request names
 * them.
 */
const mostRemembered = 50;

type Apps = ReadonlyMap<string, Standing>;

const none: Apps = new Map();

interface Known {
  until: number;
  readonly apps: Promise<Apps>;
  /** The apps after they have been read; until then, those from the last read. */
  listed: Apps;
  isRead: boolean;
}

/**
 * The apps of origins, cached for a minute. Listed and unlisted origins have separate limits, so invented origins never
 * displace a listed one.
 */
export function appOrigins(deps: Deps, endpoints: readonly Endpoint[]): AppOrigins {
  const listed = new Map<string, Known>();
  const unknown = new Map<string, Known>();
  const open = matcher(endpoints.filter(({ openToApps, scope }) => openToApps || scope !== undefined));
  const openToAny = matcher(endpoints.filter(({ openToApps }) => openToApps === 'any'));
  const takesTokens = matcher(endpoints.filter(({ actor }) => actor?.takesTokens));
  const takesForms = matcher(endpoints.filter((one) => one.takesForms));
  const clients = new Set<string>(endpoints.filter((one) => one.openToClients).map(({ path }) => path));
  let second = 0;
  const looks = new Map<string, number>();

  function mayLook(address: string, now: number): boolean {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      looks.clear();
    }
    const key = addressKey(address);
    const count = (looks.get(key) ?? 0) + 1;
    looks.set(key, count);
    return count <= mostLooksASecond;
  }

  function appsAt({ origin, address }: Page): Apps | Promise<Apps> {
    const now = deps.now();
    const found = listed.get(origin) ?? unknown.get(origin);
    if (found && found.until > now) return found.isRead ? found.listed : found.apps;
    if (!found?.listed.size && !mayLook(address, now)) return none;
    const apps = readApps(deps, origin);
    const entry: Known = { until: now + rememberedMs, apps, listed: found?.listed ?? none, isRead: false };
    keep(origin, entry);
    apps.then(
      (read) => {
        entry.listed = read;
        entry.isRead = true;
        keep(origin, entry);
      },
      () => {
        // The next request reads a listed origin again, which uses no limit.
        entry.until = now;
        if (entry.listed.size === 0) unknown.delete(origin);
      },
    );
    return apps;
  }

  function keep(origin: string, entry: Known): void {
    listed.delete(origin);
    unknown.delete(origin);
    (entry.listed.size > 0 ? listed : unknown).set(origin, entry);
    shorten(unknown, mostUnknown);
    shorten(listed, mostListed);
  }

  return {
    lists: async (page) => (await appsAt(page)).size > 0,
    standing(app, page, isChange) {
      const judge = (apps: Apps) => {
        const known = apps.get(app) ?? null;
        const isCurrent = known === null ? apps.size < mostRemembered : !isChange;
        return isCurrent ? known : readApps(deps, page.origin, app).then((one) => one.get(app) ?? null);
      };
      const apps = appsAt(page);
      return apps instanceof Promise ? apps.then(judge) : judge(apps);
    },
    mayCall: open,
    mayAnyCall: openToAny,
    takesTokens,
    takesForms,
    isForClients: (path) => clients.has(path),
  };
}

function shorten(entries: Map<string, Known>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}

/** The active apps that list an origin, or only the named one. */
async function readApps(deps: Deps, origin: string, app?: string): Promise<Apps> {
  const rows = await all(
    deps.db,
    statement<{
      app_id: string;
      is_first_party: number;
    }>(sql`SELECT o.app_id, a.first_party_at IS NOT NULL AS is_first_party FROM app_origins o
      JOIN apps a ON a.id = o.app_id AND a.status = 'active'
      WHERE o.origin = ${origin}${app === undefined ? sql`` : sql` AND o.app_id = ${app}`} LIMIT ${integer(mostRemembered)}`),
  );
  return new Map(rows.map((row) => [row.app_id, row.is_first_party ? 'first_party' : 'registered']));
}

/** The active app that lists an origin; without its name if there are several. */
export async function appAt(deps: Deps, origin: string): Promise<{ readonly name: string | null } | null> {
  const [app, other] = await all(
    deps.db,
    statement<{
      id: string;
      name: string;
      doubt: AppDoubt;
    }>(sql`SELECT a.id, a.name, ${appDoubt(deps.now())} AS doubt FROM app_origins o
      JOIN apps a ON a.id = o.app_id AND a.status = 'active' WHERE o.origin = ${origin} LIMIT 2`),
  );
  return app ? { name: other ? null : shownName(app) } : null;
}

/** Returns a matcher for requests to these endpoints. Most paths have no parameter, so a single lookup finds them. */
function matcher(endpoints: readonly Endpoint[]): AppOrigins['mayCall'] {
  const exact = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const patterns = endpoints
    .filter(({ path }) => path.includes(':'))
    .map(({ method, path }) => ({ method, path: patternOf(path) }));
  return (method, path) =>
    exact.has(`${method} ${path}`) ||
    patterns.some((endpoint) => endpoint.method === method && endpoint.path.test(path));
}

/** `:id` in a path is one segment. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
}
