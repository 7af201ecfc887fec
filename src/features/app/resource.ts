import * as z from 'zod/mini';
import type { Config } from '../../config.ts';
import { integer, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { isLoopbackHost, originOfAddress } from '../../lib/origin.ts';
import { createSecret } from '../../lib/secret.ts';
import { dropDecision, isDecided, readVerdict } from '../identity/decision.ts';
import { sendSoon } from '../mail/mail.ts';
import { requireFreshSession } from '../session/acting-session.ts';
import { mayCall } from './address.ts';
import { getApp, owned, selectApps, toApp } from './app.ts';
import { type AppRefusal, decideOnApp } from './decision.ts';
import { type App, clientList } from './schema.ts';
import { nextVersion } from './statements.ts';
import { reportAddresses } from './update.ts';

/** How many resources an app may own. A trigger says the same. */
const maxResources = 10;

/** Where the origin of a resource says whose it is. */
const proofPath = '/.well-known/pid-resource';
const proofFile = z.object({ owner: z.string(), clients: z._default(clientList, []) });
const maxProofBytes = 10_000;
const proofTimeoutMs = 5000;

/**
 * The origin of a resource that tokens may be for besides this service: an absolute URI without a fragment (RFC 8707
 * section 2). Nothing below BASE_URL, in any spelling: an app's token would have the audience of a person's session.
 * @throws AppError validation_failed
 */
export function originOfResource({ origin: own }: Pick<Config, 'origin'>, resource: string): string {
  const origin = originOfAddress(resource);
  const { protocol = '', hostname = '' } = origin === null ? {} : new URL(origin);
  const isOther = origin !== own && !resource.includes('#') && !hostname.endsWith('.');
  if (origin !== null && isOther && (protocol === 'https:' || isLoopbackHost(hostname))) return origin;
  const rule =
    'must be an https or loopback URL of another service, as browsers write it, without a fragment';
  throw new AppError('validation_failed', [`resource ${rule}`]);
}

interface Target {
  readonly appId: SQL;
  /** NULL is this service. */
  readonly resource: SQL;
  /** The `resources` of the person's grant. */
  readonly granted: SQL;
}

/** Whether an app may get a token for a resource: one of its own at an origin that it lists, or one that the grant names. */
export function mayTarget({ appId, resource, granted }: Target): SQL {
  return sql`(${resource} IS NULL OR EXISTS (SELECT 1 FROM app_targets WHERE app_targets.resource = ${resource}
    AND app_targets.app_id = ${appId} AND (is_own OR ${resource} IN (SELECT value FROM json_each(${granted})))))`;
}

interface Proven {
  readonly resource: string;
  readonly origin: string;
  readonly appId: string;
  readonly clients: readonly string[];
  readonly provenBy: 'file' | 'desk';
}

/** Whether the app `a` owns a resource, with these clients if they are given. */
export function ownsResource({ resource, clients }: { resource: string; clients?: readonly string[] }): SQL {
  return sql`EXISTS (SELECT 1 FROM app_resources r WHERE r.resource = ${resource} AND r.app_id = a.id
    AND r.clients = coalesce(${clients === undefined ? null : JSON.stringify(clients)}, r.clients))`;
}

/** WHEN clauses that refuse a resource to the app `a`. What the file of its origin proved, that file moves. */
export function resourceRefusals({ resource, provenBy }: Pick<Proven, 'resource' | 'provenBy'>): SQL {
  return sql`WHEN EXISTS (SELECT 1 FROM app_resources r WHERE r.resource = ${resource} AND r.app_id <> a.id
      AND 'desk' IN (r.proven_by, ${provenBy})) THEN 'resource_taken'
    WHEN (SELECT count(*) FROM app_resources r WHERE r.app_id = a.id AND r.resource <> ${resource}) >= ${integer(maxResources)}
    THEN 'too_many_resources'`;
}

interface Decided {
  readonly when: SQL;
  readonly now: number;
}

export function putResource(
  { resource, origin, appId, clients, provenBy }: Proven,
  decided: Decided,
): Statement[] {
  return [
    statement(sql`INSERT INTO app_resources (resource, app_id, origin, clients, proven_by)
    SELECT ${resource}, ${appId}, ${origin}, ${JSON.stringify(clients)}, ${provenBy} WHERE ${decided.when}
    ON CONFLICT (resource) DO UPDATE SET clients = excluded.clients, proven_by = excluded.proven_by`),
    newVersion(sql`${appId}`, decided),
  ];
}

/** No token for it is made from then on. */
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

/** A mark of the desk is for the resources that it saw, too. */
function newVersion(apps: SQL, { when, now }: Decided): Statement {
  return statement(sql`UPDATE apps SET updated_at = ${nextVersion(now)} WHERE id IN (${apps}) AND ${when}`);
}

/** Whether the file of the origin proved a resource for another app, before it named this one. */
function formerly({ origin, appId }: Pick<Proven, 'origin' | 'appId'>): SQL {
  return sql`origin = ${origin} AND app_id <> ${appId} AND proven_by = 'file'`;
}

/** Ends what the file proved for other apps, and tells their owners. */
async function dropFormer(deps: Deps, proven: Proven, decided: Decided): Promise<Statement[]> {
  const apps = sql`SELECT app_id FROM app_resources WHERE ${formerly(proven)}`;
  return [
    ...(await reportAddresses(deps, {
      ...{ sessionId: null, apps, what: sql`'resources'`, params: {}, ...decided },
    })),
    newVersion(apps, decided),
    statement(sql`DELETE FROM app_resources WHERE ${formerly(proven)} AND ${decided.when}`),
  ];
}

interface Owned {
  readonly sessionId: string;
  readonly appId: string;
  readonly resource: string;
  readonly client: ClientInfo;
}

/**
 * Registers a resource of an app, or reads again which clients its owner lists. The file at its origin decides, also against
 * the app that it named before, which loses its resources there.
 * @throws AppError validation_failed for what is no resource or not proven; unauthenticated, app_not_found, not_fresh,
 *   resource_taken, too_many_resources
 */
export async function addResource(deps: Deps, input: Owned): Promise<App> {
  const { sessionId, appId, resource } = input;
  const origin = originOfResource(deps.config, resource);
  // Only who may register it has us call somebody. The batch decides again.
  await getApp(deps, sessionId, appId);
  await requireFreshSession(deps, sessionId);
  const clients = await readProof(deps, appId, origin);
  const proven: Proven = { resource, origin, appId, clients, provenBy: 'file' };
  return change(deps, input, {
    done: sql`${ownsResource(proven)} AND NOT EXISTS (SELECT 1 FROM app_resources WHERE ${formerly(proven)})`,
    cases: resourceRefusals(proven),
    statements: async (decided) => [
      ...(await dropFormer(deps, proven, decided)),
      ...putResource(proven, decided),
    ],
  });
}

/** Ends a resource of an app. One that it does not own is no error. @throws AppError unauthenticated, app_not_found, not_fresh */
export async function removeResource(deps: Deps, input: Owned): Promise<void> {
  const { appId, resource } = input;
  await change(deps, input, {
    done: sql`a.status <> 'deleted' AND NOT ${ownsResource({ resource })}`,
    cases: sql``,
    statements: async (decided) => dropResource({ resource, appId }, decided),
  });
}

interface Change {
  readonly done: SQL;
  readonly cases: SQL;
  readonly statements: (decided: Decided) => Promise<Statement[]>;
}

async function change(
  deps: Deps,
  { sessionId, appId, resource, client }: Owned,
  { done, cases, statements }: Change,
): Promise<App> {
  const now = deps.now();
  const id = createSecret(deps.randomBytes);
  const when = isDecided(id, 'change');
  const { verdicts, app } = await run(deps.db, {
    change: [
      decideOnApp(deps, { id, sessionId, appId, now }, { done, cases }),
      ...(await statements({ when, now })),
      ...(await reportAddresses(deps, {
        ...{ sessionId, apps: sql`${appId}`, params: { app: appId, ...describeClient(client) } },
        ...{ what: sql`'resources'`, when, now },
      })),
    ],
    verdicts: readVerdict<AppRefusal | 'resource_taken' | 'too_many_resources' | 'change' | 'done'>(id),
    app: selectApps(sql`a.id = ${appId} AND ${owned(sessionId, now)}`),
    drop: [dropDecision(id)],
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'change' && verdict !== 'done') throw new AppError(verdict);
  if (verdict === 'change') {
    deps.log.info('app.resources', { app: appId, resource, sessionId });
    sendSoon(deps);
  }
  return toApp(only(app));
}

/**
 * The clients that the owner of an origin lists in its file.
 * @throws AppError validation_failed, by one text whatever is wrong: more would map the operator's network
 */
async function readProof(deps: Deps, appId: string, origin: string): Promise<string[]> {
  const url = origin + proofPath;
  let reason = 'the address is not public';
  try {
    if (mayCall(deps, url)) {
      const headers = { Accept: 'application/json', 'User-Agent': 'Peridot' };
      const { status, text = '' } = await deps.callOut({
        ...{ url, headers, timeoutMs: proofTimeoutMs, maxBytes: maxProofBytes },
      });
      const proof = status === 200 ? proofFile.safeParse(JSON.parse(text)) : null;
      if (proof?.success && proof.data.owner === appId) return proof.data.clients;
      reason = `status ${status}, or another owner`;
    }
  } catch (error) {
    reason = error instanceof Error ? error.message : 'no answer';
  }
  throw new AppError(
    'validation_failed',
    [`resource must be proven: ${url} must name ${appId} as its owner`],
    {
      reason: `${url}: ${reason}`,
    },
  );
}
