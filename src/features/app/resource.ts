import type { Config } from '../../config.ts';
import { integer, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { isLoopbackHost, originOfAddress } from '../../lib/origin.ts';
import { createSecret } from '../../lib/secret.ts';
import { isDecided } from '../identity/decision.ts';
import { sendSoon } from '../mail/mail.ts';
import { requireFreshSession } from '../session/acting-session.ts';
import { owned, requireActiveApp, selectApps, toApp } from './app.ts';
import { callingFor } from './calls.ts';
import { appDecision } from './decision.ts';
import { readProof } from './proof.ts';
import type { App } from './schema.ts';
import { nextVersion } from './statements.ts';
import { reportAddresses } from './update.ts';

/** A trigger enforces the same limit. */
const maxResources = 10;

/** How soon a proof is read again, so that a stale proof stored late does not last. */
const soonMs = 60_000;

/**
 * The origin of a resource, other than this service, that tokens may be for: an absolute URI without a fragment (RFC
 * 8707 section 2) in which JSON escapes nothing. An address below BASE_URL is rejected in any spelling, because the
 * app's token would have the audience of a person's session.
 * @throws AppError validation_failed
 */
export function originOfResource({ origin: own }: Pick<Config, 'origin'>, resource: string): string {
  const origin = originOfAddress(resource);
  const { protocol = '', hostname = '' } = origin === null ? {} : new URL(origin);
  const isOther = origin !== own && !/[#"\\]/.test(resource) && !hostname.endsWith('.');
  if (origin !== null && isOther && (protocol === 'https:' || isLoopbackHost(hostname))) return origin;
  const rule =
    'must be an https or loopback URL of another service, as browsers write it, without a fragment, quotation mark or backslash';
  throw new AppError('validation_failed', [`resource ${rule}`]);
}

interface Proven {
  readonly resource: string;
  readonly origin: string;
  readonly appId: string;
  readonly clients: readonly string[];
  readonly provenBy: 'file' | 'desk';
  /** When the read started. */
  readonly readAt: number;
}

/** True if the app `a` owns a resource, with a further condition on its row `r`. */
export function ownsResource(resource: string, also: SQL = sql`1`): SQL {
  return sql`EXISTS (SELECT 1 FROM app_resources r WHERE r.resource = ${resource} AND r.app_id = a.id AND ${also})`;
}

/**
 * True if the app `a` already has the same proof of owning a resource. An administrator's decision overrides the file.
 */
export function isProvenAlready({ resource, clients, provenBy }: Proven): SQL {
  const same = sql`r.clients = ${JSON.stringify(clients)}`;
  return ownsResource(
    resource,
    provenBy === 'desk' ? sql`r.proven_by = 'desk' AND ${same}` : sql`(r.proven_by = 'desk' OR ${same})`,
  );
}

/** Requirements for a resource of the app `a`. Only an administrator can revert an administrator's decision. */
export function resourceRequirements({ resource }: Pick<Proven, 'resource'>) {
  return {
    resource_taken: sql`NOT EXISTS (SELECT 1 FROM app_resources r WHERE r.resource = ${resource} AND r.app_id <> a.id
      AND r.proven_by = 'desk')`,
    too_many_resources: sql`(SELECT count(*) FROM app_resources r WHERE r.app_id = a.id
      AND r.resource <> ${resource}) < ${integer(maxResources)}`,
  };
}

interface Decided {
  readonly when: SQL;
  readonly now: number;
}

/** Stores a resource, which revokes another app's proof by file, and notifies the owner of that app. */
export async function putResource(deps: Deps, proven: Proven, decided: Decided): Promise<Statement[]> {
  const { resource, origin, appId, clients, provenBy, readAt } = proven;
  return [
    ...Object.values(await dropResources(deps, formerly(proven), decided)),
    statement(sql`INSERT INTO app_resources (resource, app_id, origin, clients, proven_by, read_at, next_at)
    SELECT ${resource}, a.id, ${origin}, ${JSON.stringify(clients)}, ${provenBy}, ${readAt}, ${readAt + soonMs}
    FROM apps a WHERE a.id = ${appId} AND a.status <> 'deleted' AND ${decided.when} ON CONFLICT (resource) DO UPDATE SET clients = excluded.clients, proven_by = excluded.proven_by
    WHERE excluded.proven_by = 'desk'`),
    newVersion(sql`${appId}`, decided),
  ];
}

/** No more tokens are issued for it. */
export function dropResource(
  { resource, appId }: Pick<Proven, 'resource' | 'appId'>,
  decided: Decided,
): Statement[] {
  const { when } = decided;
  return [
    statement(sql`DELETE FROM app_resources WHERE resource = ${resource} AND app_id = ${appId} AND ${when}`),
    newVersion(sql`${appId}`, decided),
  ];
}

/** An administrator's review also covers the resources that were reviewed. */
function newVersion(apps: SQL, { when, now }: Decided): Statement {
  return statement(sql`UPDATE apps SET updated_at = ${nextVersion(now)} WHERE id IN (${apps}) AND ${when}`);
}

/**
 * Selects proofs by file for another app: for the whole origin if the file names this app, otherwise for the resource.
 */
function formerly({ resource, origin, appId, provenBy }: Proven): SQL {
  const claimed = provenBy === 'file' ? sql`origin = ${origin}` : sql`resource = ${resource}`;
  return sql`${claimed} AND app_id <> ${appId} AND proven_by = 'file'`;
}

/** Selects proofs by file for an app at its origin that are no newer than this read. */
export function isProven({ origin, appId, readAt }: Pick<Proven, 'origin' | 'appId' | 'readAt'>): SQL {
  return sql`origin = ${origin} AND app_id = ${appId} AND proven_by = 'file' AND read_at <= ${readAt}`;
}

/** Updates all of an app's proofs by an origin's file. */
export function keepProof(
  { clients, readAt, ...where }: Omit<Proven, 'resource' | 'provenBy'>,
  decided: Decided,
): Statement[] {
  const proven = isProven({ ...where, readAt });
  const listed = JSON.stringify(clients);
  return [
    newVersion(sql`SELECT app_id FROM app_resources WHERE ${proven} AND clients <> ${listed}`, decided),
    statement(sql`UPDATE app_resources SET clients = ${listed}, read_at = ${readAt}, failing_since = NULL
      WHERE ${proven} AND ${decided.when}`),
  ];
}

/**
 * Revokes resources without a request from the owners, and notifies them. `ended` lists the revoked ones.
 * @param where a condition on `app_resources`
 */
export async function dropResources(deps: Deps, where: SQL, decided: Decided) {
  const apps = sql`SELECT app_id FROM app_resources WHERE ${where}`;
  const [line, mail] = await reportAddresses(deps, {
    ...{ kind: 'app_resource_lost', sessionId: null, apps, what: sql`'resources'`, params: {}, ...decided },
  });
  return {
    line,
    mail,
    version: newVersion(apps, decided),
    ended: statement<{ resource: string }>(
      sql`DELETE FROM app_resources WHERE ${where} AND ${decided.when} RETURNING resource`,
    ),
  };
}

interface Owned {
  readonly sessionId: string;
  /** The person of the session. */
  readonly handle: string;
  readonly appId: string;
  readonly resource: string;
  readonly client: ClientInfo;
}

/**
 * Registers an app's resource, or rereads the list of clients. The file at the origin is authoritative: an app that the
 * file no longer names loses its resources there. If two reads overlap, the one that started later wins.
 * @throws AppError validation_failed for an invalid or unproven resource; unauthenticated, app_not_found, app_suspended,
 *   not_fresh, resource_taken, too_many_resources, rate_limited
 */
export async function addResource(deps: Deps, input: Owned): Promise<App> {
  const { sessionId, appId, resource } = input;
  const origin = originOfResource(deps.config, resource);
  // Only someone who may register it can make the service call out. The batch checks again.
  await requireActiveApp(deps, sessionId, appId);
  await requireFreshSession(deps, sessionId);
  const readAt = deps.now();
  const { url, file, reason } = await callingFor(deps, input.handle, () => readProof(deps, origin));
  // All faults have the same text, because details would reveal the operator's network.
  const unproven = new AppError(
    'validation_failed',
    [`resource must be proven: ${url} must name ${appId} as its owner`],
    { reason: `${url}: ${reason}` },
  );
  if (file?.owner !== appId) throw unproven;
  const proven: Proven = { resource, origin, appId, clients: file.clients, provenBy: 'file', readAt };
  const others = sql`SELECT 1 FROM app_resources WHERE ${formerly(proven)}`;
  return change(deps, input, {
    done: sql`${isProvenAlready(proven)} AND NOT EXISTS (${others})`,
    also: { unproven: sql`NOT EXISTS (${others} AND read_at > ${readAt})`, ...resourceRequirements(proven) },
    unproven,
    statements: async (decided, id) => [
      ...(await putResource(deps, proven, decided)),
      ...keepProof(proven, { ...decided, when: sql`(${decided.when} OR ${isDecided(id, 'done')})` }),
    ],
  });
}

/**
 * Removes an app's resource. A resource that it does not own is not an error.
 * @throws AppError unauthenticated, app_not_found, app_suspended, not_fresh
 */
export async function removeResource(deps: Deps, input: Owned): Promise<void> {
  const { appId, resource } = input;
  await change(deps, input, {
    done: sql`a.status <> 'deleted' AND NOT ${ownsResource(resource)}`,
    statements: async (decided) => dropResource({ resource, appId }, decided),
  });
}

interface Change {
  readonly done: SQL;
  readonly also?: Readonly<Record<'unproven' | 'resource_taken' | 'too_many_resources', SQL>>;
  readonly statements: (decided: Decided, id: string) => Promise<Statement[]>;
  /** Thrown when a later read of the file found another owner. */
  readonly unproven?: AppError;
}

async function change(
  deps: Deps,
  { sessionId, appId, resource, client }: Owned,
  { statements, unproven, ...requirements }: Change,
): Promise<App> {
  const now = deps.now();
  const id = createSecret(deps.randomBytes);
  const when = isDecided(id, 'change');
  const decision = appDecision(deps, { id, sessionId, appId, now }, requirements);
  const { verdicts, app } = await run(deps.db, {
    change: [
      decision.insert,
      ...(await statements({ when, now }, id)),
      ...(await reportAddresses(deps, {
        ...{ sessionId, apps: sql`${appId}`, params: { app: appId, ...describeClient(client) } },
        ...{ kind: 'app_changed', what: sql`'resources'`, when, now },
      })),
    ],
    verdicts: decision.verdicts,
    app: selectApps(sql`a.id = ${appId} AND ${owned(sessionId, now)}`),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict === 'unproven') throw unproven;
  if (verdict !== 'change' && verdict !== 'done') throw new AppError(verdict);
  if (verdict === 'change') {
    deps.log.info('app.resources', { app: appId, resource, sessionId });
    sendSoon(deps);
  }
  return toApp(only(app));
}
