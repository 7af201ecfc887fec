import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { misspeltSettings } from '../../src/config.ts';
import { all, statement } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { explain } from '../../src/errors.ts';
import { restrictedApps } from '../../src/features/admin/restricted-apps.ts';
import { unclaimedPids } from '../../src/features/admin/unclaimed.ts';
import { readKeys } from '../../src/features/signing-key/stored-keys.ts';
import { engineFault } from '../../src/platform/database/engine.ts';
import { sqliteVersion } from '../../src/platform/database/libsql-connection.ts';
import { inspectCluster } from '../../src/platform/database/rqlite-check.ts';
import { projectFolder, readVersion } from '../../src/platform/place.ts';
import type { Command, Report } from './command.ts';

type Verdict = 'ok' | 'warning' | 'problem';

/** The result of a check, and the action to take unless it is fine. */
interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly says: string;
}

type Check = (deps: Deps) => Promise<Finding[]> | Finding[];

const migrations = join(projectFolder, 'migrations');
const timeoutMs = 5000;
const dayMs = 86_400_000;
/** Browsers and JWT libraries commonly tolerate half a minute; a difference of more than a few seconds is a problem. */
const maximumSkewMs = 5000;

const found = (check: string, verdict: Verdict, says: string): Finding => ({ check, verdict, says });

function settings({ config }: Deps): Finding[] {
  const misspelt = misspeltSettings(process.env).map((text) => found('settings', 'warning', text));
  if (config.production) return misspelt.length > 0 ? misspelt : [found('settings', 'ok', 'are valid')];
  const says = 'ENVIRONMENT is development: set it to production where people sign in';
  return [...misspelt, found('settings', 'warning', says)];
}

/** Cookies reach an app only on a domain that it shares with the service. */
function cookies({ config }: Deps): Finding[] {
  const { COOKIE_DOMAIN: domain, ALLOWED_ORIGINS: origins, origin } = config;
  const host = new URL(origin).hostname;
  const outside = origins.filter((each) => {
    const name = new URL(each).hostname;
    return name !== host && (domain === undefined || !`.${name}`.endsWith(`.${domain}`));
  });
  const where = domain === undefined ? `${host} alone` : `every host under ${domain}`;
  return [
    found('cookies', 'ok', `go to ${where}`),
    ...outside.map((each) => {
      const parent = new URL(each).hostname.split('.').slice(1).join('.');
      const says = `${each} gets no cookies: set COOKIE_DOMAIN to a parent of it and of ${host}, such as ${parent || host}`;
      return found('origins', 'warning', says);
    }),
  ];
}

async function ask(path: string): Promise<Response | string> {
  try {
    return await fetch(path, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

async function address({ config, now }: Deps): Promise<Finding[]> {
  const url = `${config.origin}/readyz`;
  const askedAt = now();
  const answer = await ask(url);
  if (typeof answer === 'string') {
    return [
      found('address', 'problem', `${url} does not respond (${answer}): check DNS, the proxy and BASE_URL`),
    ];
  }
  const body = (await answer.json().catch(() => null)) as { status?: string; warnings?: string[] } | null;
  if (body?.status !== 'ok') {
    return [
      found(
        'address',
        'problem',
        `${url} returns ${answer.status}: is this service behind BASE_URL, and ready?`,
      ),
    ];
  }
  const date = Date.parse(answer.headers.get('Date') ?? '');
  const skew = Math.abs(date - askedAt);
  // The header has whole seconds.
  const late = skew > maximumSkewMs + 1000;
  return [
    found('address', 'ok', `${url} is ready`),
    ...(body.warnings ?? []).map((text) => found('address', 'warning', text)),
    ...(late
      ? [found('clock', 'problem', `the service's clock is ${Math.round(skew / 1000)} s off: use NTP`)]
      : []),
  ];
}

/** A header that severs a popup from its opener, and that a proxy may add at any step. */
async function popups({ config }: Deps): Promise<Finding[]> {
  const starts = [config.idp && 'idp', config.google && 'google', config.github && 'github'].filter(Boolean);
  const paths = ['/popup/login', '/signin', '/claim', ...starts.map((name) => `/v1/auth/${name}`)];
  const answers = await Promise.all(
    paths.map(async (path) => [path, await ask(config.origin + path)] as const),
  );
  // An address that does not respond is a separate finding.
  if (answers.every(([, answer]) => typeof answer === 'string')) return [];
  const severed = answers.flatMap(([path, answer]) => {
    const policy = typeof answer === 'string' ? null : answer.headers.get('Cross-Origin-Opener-Policy');
    return policy === null || policy === 'unsafe-none' ? [] : [`${path} (${policy})`];
  });
  if (severed.length === 0) return [found('popups', 'ok', 'no response severs a popup from its opener')];
  const says = `remove Cross-Origin-Opener-Policy from ${severed.join(', ')}: a proxy adds it`;
  return [found('popups', 'warning', says)];
}

async function database({ db, now }: Deps): Promise<Finding[]> {
  const askedAt = now();
  const [clock] = await all<{ at: number }>(db, {
    text: `SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS at`,
    values: [],
  });
  const skew = Math.abs((clock?.at ?? 0) - (askedAt + now()) / 2);
  const applied = await all<{ name: string }>(db, { text: 'SELECT name FROM d1_migrations', values: [] });
  const known = new Set(applied.map(({ name }) => name));
  const pending = readdirSync(migrations).filter((name) => name.endsWith('.sql') && !known.has(name));
  return [
    skew > maximumSkewMs
      ? found(
          'clock',
          'problem',
          `this machine and the database are ${Math.round(skew / 1000)} s apart: use NTP on both`,
        )
      : found('clock', 'ok', `this machine and the database are ${Math.round(skew)} ms apart`),
    pending.length > 0
      ? found('migrations', 'problem', `run \`npm run cli -- db migrate\` for ${pending.sort().join(', ')}`)
      : found('migrations', 'ok', 'all are applied'),
  ];
}

/** The SQLite version of the commands, which open the file next to the service. */
function engine(): Finding {
  const version = sqliteVersion();
  const fault = engineFault(version);
  const says = `SQLite ${version} opens the file for commands; the service logs its own version when it starts`;
  return fault === null ? found('engine', 'ok', says) : found('engine', 'problem', fault);
}

/** The versions and nodes of an rqlite cluster. */
async function cluster(url: string): Promise<Finding[]> {
  try {
    const { engine, leader, nodes, missing, fault } = await inspectCluster(url);
    const absent = missing.map((node) =>
      found('node', 'warning', `${node} does not answer: start it, or replace it`),
    );
    const says = `${engine}, nodes in DATABASE_URL: ${nodes}, leader ${leader}`;
    return [fault === null ? found('engine', 'ok', says) : found('engine', 'problem', fault), ...absent];
  } catch (error) {
    return [found('engine', 'problem', explain(error))];
  }
}

async function engineOf(place: string, { config }: Deps): Promise<Finding[]> {
  if (place.startsWith('file:')) return [engine()];
  return place.startsWith('rqlite') ? cluster(config.DATABASE_URL ?? '') : [];
}

async function keys(deps: Deps): Promise<Finding[]> {
  const now = deps.now();
  const signer = (await readKeys(deps, now)).findLast(
    ({ alg, signs_from, signs_until }) => alg === 'ES256' && signs_from <= now && now < signs_until,
  );
  if (!signer) {
    return [
      found(
        'keys',
        'problem',
        'there is no signing key: run `npm run cli -- keys generate`, or start the service once',
      ),
    ];
  }
  const days = Math.floor((now - signer.signs_from) / dayMs);
  const left = Math.floor((signer.signs_until - now) / dayMs);
  if (left >= 1)
    return [found('keys', 'ok', `${signer.kid} has been signing for ${days} days, with ${left} left`)];
  const says =
    'the signing key expires within a day: check that the scheduled jobs run, or run `npm run cli -- keys rotate`';
  return [found('keys', 'warning', says)];
}

function callbacks({ config }: Deps): Finding[] {
  return (['idp', 'google', 'github'] as const)
    .filter((name) => config[name] !== null)
    .map((name) => found('callback', 'ok', `enter at ${name}: ${config.origin}/v1/auth/${name}/callback`));
}

interface WebhookRow {
  readonly app_id: string;
  readonly url: string;
  readonly status: string;
  readonly failing_since: number | null;
}

async function webhooks({ db }: Deps): Promise<Finding[]> {
  const rows = await all<WebhookRow>(db, {
    text: 'SELECT app_id, url, status, failing_since FROM webhooks ORDER BY failing_since IS NULL, app_id LIMIT 20',
    values: [],
  });
  return Promise.all(
    rows.map(async ({ app_id: app, url, status, failing_since: since }) => {
      if (status === 'disabled')
        return found('webhook', 'warning', `${app} is disabled: its owner has to enable it again`);
      if (since !== null) {
        return found(
          'webhook',
          'warning',
          `${app} has failed since ${new Date(since).toISOString()}: its owner can see why`,
        );
      }
      const answer = await ask(url);
      if (typeof answer !== 'string') return found('webhook', 'ok', `${app} can be reached`);
      return found(
        'webhook',
        'warning',
        `${app} cannot be reached from here (${answer}): check DNS and firewall`,
      );
    }),
  );
}

/** Apps with restrictions. */
async function apps(deps: Deps): Promise<Finding[]> {
  const rows = await all(deps.db, restrictedApps(deps));
  const unchecked = rows.filter(({ reason }) => reason === 'not_checked');
  const named = unchecked.map(({ id, name }) => `${id} (${name})`).join(', ');
  const advice = 'check them (`npm run cli -- app show`, then `app check`), or set APPS_MONEY=anyone';
  const says = `not checked, so they get no wallet or fiat scopes: ${named}; ${advice}`;
  return [
    ...(unchecked.length > 0 ? [found('apps', 'warning', says)] : []),
    ...rows
      .filter(({ reason }) => reason === 'fee_not_covered')
      .map(({ id, grants }) => {
        const why = `takes a fee that ${grants} of its grants do not cover: each such payment needs an approval`;
        return found('fees', 'warning', `${id} ${why}`);
      }),
  ];
}

/** The people who may use the admin desk. */
async function desk(deps: Deps): Promise<Finding[]> {
  const { ADMIN_PIDS, SUPPORT_PIDS } = deps.config;
  if (ADMIN_PIDS.length === 0)
    return [found('desk', 'warning', 'ADMIN_PIDS is empty: only the command line can act')];
  const unclaimed = await unclaimedPids(deps);
  const twice = SUPPORT_PIDS.filter((pid) => ADMIN_PIDS.includes(pid));
  const advice = 'their owners sign in and wait on the claim page, and you run `npm run cli -- admin claim`';
  return [
    found('desk', 'ok', `${ADMIN_PIDS.length} in ADMIN_PIDS, ${SUPPORT_PIDS.length} in SUPPORT_PIDS`),
    ...(unclaimed.length > 0
      ? [found('desk', 'warning', `nobody holds ${unclaimed.join(', ')}: ${advice}`)]
      : []),
    ...(twice.length > 0
      ? [found('desk', 'warning', `${twice.join(', ')} are in ADMIN_PIDS, so SUPPORT_PIDS has no effect`)]
      : []),
  ];
}

/** Apps whose tokens for another service are rejected, although people are signed in with the app. */
async function resources({ db, now }: Deps): Promise<Finding[]> {
  const rows = await all(
    db,
    statement<{
      app_id: string;
      resource: string;
      count: number;
    }>(sql`SELECT s.app_id, s.resource, count(*) AS count
      FROM live_app_sessions s WHERE s.resource IS NOT NULL AND s.expires_at > ${now()} AND s.live_until > ${now()}
        AND NOT EXISTS (SELECT 1 FROM app_targets t WHERE t.resource = s.resource AND t.app_id = s.app_id)
      GROUP BY s.app_id, s.resource ORDER BY s.app_id, s.resource LIMIT 100`),
  );
  return rows.map(({ app_id: app, resource, count }) => {
    const advice = 'its owner registers it, or you do (`npm run cli -- app resource`)';
    return found(
      'resources',
      'warning',
      `${app} gets no tokens for ${resource} (sign-ins: ${count}): ${advice}`,
    );
  });
}

const checks: readonly Check[] = [
  ...[settings, cookies, address, popups, database, keys, callbacks, desk, webhooks, apps, resources],
];

/** A failed check is also a finding, and the other checks continue. */
async function examine(deps: Deps): Promise<Finding[]> {
  const results = checks.map(async (check) => {
    try {
      return await check(deps);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [
        found(check.name, 'problem', /no such table/.test(why) ? 'run `npm run cli -- db migrate`' : why),
      ];
    }
  });
  return (await Promise.all(results)).flat();
}

export const doctorCommands: Record<string, Command> = {
  doctor: {
    usage: 'doctor',
    does: 'looks for problems that prevent people from signing in, and suggests what to do; exits with 1 if it finds any',
    names: 0,
    async run({ deps, place }): Promise<Report> {
      const version = found('version', 'ok', `Peridot ${readVersion()} on ${place}`);
      const data = [version, ...(await engineOf(place, deps)), ...(await examine(deps))];
      if (data.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1;
      const lines = data.map(({ check, verdict, says }) => `${verdict.padEnd(9)}${check.padEnd(12)}${says}`);
      return { text: lines.join('\n'), data };
    },
  },
};
