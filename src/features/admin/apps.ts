import { integer, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { logoPath } from '../../lib/page-paths.ts';
import { type AppRow, insertApp, maxApps, prepareApp, selectApps, toApp, toNewApp } from '../app/app.ts';
import { asHost } from '../app/document.ts';
import {
  dropResource,
  isProvenAlready,
  originOfResource,
  ownsResource,
  putResource,
  resourceRequirements,
} from '../app/resource.ts';
import type { AppInput, NewApp, NewSecret } from '../app/schema.ts';
import {
  countOfGood,
  isGood,
  makeSecret,
  maxSecrets,
  replaceSecret,
  reportSecrets,
  toNewSecret,
} from '../app/secret.ts';
import { keepHost, markApp } from '../app/statements.ts';
import { changeAtDesk, type DeskActor, deskState, type Reasoned, requireDesk } from './desk.ts';
import type { AppMarksInput, AppResourceInput, DeskApp } from './schema.ts';

interface Registration extends Reasoned {
  /** The owner's handle. */
  readonly owner: string;
  readonly input: AppInput;
}

/**
 * Registers an app for a person, as `POST /v1/apps` does for the signed-in person.
 * @throws AppError validation_failed, identity_not_found, identity_suspended, too_many_apps
 */
export async function registerApp(
  deps: Deps,
  actor: DeskActor,
  { owner, input, reason }: Registration,
): Promise<NewApp> {
  const registration = await prepareApp(deps, input);
  const { id } = registration;
  const row = await changeAtDesk(deps, actor, {
    action: 'app.created',
    target: id,
    reason,
    detail: { owner, name: input.name },
    from: sql`LEFT JOIN identities i ON i.handle = ${owner} AND i.status <> 'closed'`,
    requirements: {
      identity_not_found: sql`i.handle IS NOT NULL`,
      identity_suspended: sql`i.status = 'active'`,
      too_many_apps: sql`(SELECT count(*) FROM apps WHERE owner = ${owner} AND status <> 'deleted') < ${integer(maxApps)}`,
    },
    change: ({ when, now }) =>
      insertApp(registration, { owner: sql`(SELECT ${owner} WHERE ${when})`, sessionId: null, now }),
    read: () => selectApps(sql`a.id = ${id}`),
  });
  return toNewApp(row, registration);
}

interface Rotation extends Reasoned {
  readonly id: string;
  /** The overlap during which previous secrets stay valid. */
  readonly overlapSeconds: number;
}

/**
 * Replaces an app's secret. The owner is notified by email and in their activity.
 * @throws AppError app_not_found, secret_not_found for an app without secrets, too_many_secrets
 */
export async function replaceAppSecret(
  deps: Deps,
  actor: DeskActor,
  { id, overlapSeconds, reason }: Rotation,
): Promise<NewSecret> {
  const secret = makeSecret(deps, deps.now());
  const at = secret.createdAt;
  const row = await changeAtDesk(deps, actor, {
    action: 'app.secret_rotated',
    target: id,
    reason,
    detail: { overlapSeconds },
    from: sql`LEFT JOIN apps a ON a.id = ${id} AND a.status <> 'deleted'`,
    requirements: {
      app_not_found: sql`a.id IS NOT NULL`,
      secret_not_found: sql`a.type = 'web'`,
      too_many_secrets: sql`${overlapSeconds} <= 0 OR ${countOfGood(at)} < ${integer(maxSecrets)}`,
    },
    change: async ({ when, now }) => [
      ...replaceSecret(secret, { appId: id, endsAt: at + overlapSeconds * 1000, when }),
      ...(await reportSecrets(deps, {
        type: 'app.secret_rotated',
        sessionId: null,
        appId: id,
        client: { userAgent: null, country: null },
        when,
        now,
      })),
    ],
    read: () =>
      statement<{ good: string }>(sql`SELECT json_group_array(json_object('id', k.id, 'hint', k.hint,
        'expires_at', k.expires_at)) AS good
        FROM (SELECT * FROM app_secrets k WHERE k.app_id = ${id} AND ${isGood(at)} ORDER BY k.id DESC) k`),
  });
  return toNewSecret(secret, JSON.parse(row.good));
}

function toDeskApp(row: AppRow): DeskApp {
  const logo = row.logo_hash && logoPath(row.id, row.logo_hash);
  return {
    ...toApp(row),
    owner: row.owner === null ? null : pidOf(row.owner),
    tokenLimit: row.token_limit,
    logo,
  };
}

/** An unregistered client can only be suspended, because nothing about it has been checked. */
const isRegisteredApp = sql`a.owner IS NOT NULL`;

/**
 * An app with all the details that a review covers, or the host of unregistered clients.
 * @throws AppError unauthenticated, not_fresh, app_not_found
 */
export async function readApp(deps: Deps, actor: DeskActor, name: string): Promise<DeskApp> {
  const host = asHost(name);
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: selectApps(sql`a.id = ${host ?? name} AND a.status <> 'deleted'`),
  });
  requireDesk(desk);
  const [row] = rows;
  if (row) return toDeskApp(row);
  if (host === null) throw new AppError('app_not_found');
  return unsuspended(host);
}

/** A host that is not suspended has no row. */
function unsuspended(host: string): DeskApp {
  const never = isoTime(0);
  return {
    ...{ id: host, name: new URL(host).host, type: 'native', owner: null, status: 'active' },
    ...{ redirectUris: [], postLogoutRedirectUris: [], allowedOrigins: [], scopes: [], resources: [] },
    ...{ homepageUrl: null, privacyUrl: null, logoUrl: null, logo: null, backchannelLogoutUri: null },
    ...{ idTokenAlg: 'RS256', pkce: 'required', deviceFlow: false, checked: false, firstParty: false },
    ...{ tokenLimit: null, createdAt: never, updatedAt: never },
  };
}

/**
 * Suspends an app, marks it as checked or as the operator's own, and sets its limit. A suspended app's tokens, secrets
 * and pages stop working immediately; its fees stay. Suspending a host stops all unregistered clients on it, including
 * future ones. These flags apply only to the version that was reviewed. Administrators cannot do this for their own
 * app.
 * @throws AppError validation_failed, unauthenticated, not_fresh, app_not_found; client_unregistered for a flag of an
 *   unregistered client; self_decision; moved_on if the app has changed since the review
 */
export async function setApp(
  deps: Deps,
  actor: DeskActor,
  { id: name, reason, seen, ...marks }: AppMarksInput & { readonly id: string },
): Promise<DeskApp> {
  const host = asHost(name);
  const id = host ?? name;
  const { status = null, firstParty: isOwn = null } = marks;
  if (isOwn && marks.checked === false) {
    throw new AppError('validation_failed', ['checked must be true for the app of a first party']);
  }
  const detail = Object.entries(marks).filter(([, value]) => value !== undefined);
  if (detail.length === 0) {
    throw new AppError('validation_failed', ['status, checked, firstParty or tokenLimit must be given']);
  }
  if ((isOwn || marks.checked) && seen === undefined) {
    throw new AppError('validation_failed', [
      'seen must be given, as the updatedAt of the app that was checked',
    ]);
  }
  const checked = isOwn ? true : (marks.checked ?? null);
  const firstParty = checked === false ? false : isOwn;
  const tokenLimit = marks.tokenLimit === undefined ? null : (marks.tokenLimit ?? 0);
  const differs = (mark: boolean | null) => (mark === null ? null : Number(mark));
  const row = await changeAtDesk(deps, actor, {
    action: status === null ? 'app.marked' : 'app.status',
    target: id,
    reason,
    detail: Object.fromEntries(detail.map(([name, value]) => [name, value ?? 'default'])),
    from: sql`LEFT JOIN apps a ON a.id = ${id} AND a.status <> 'deleted'`,
    requirements: {
      app_not_found: sql`a.id IS NOT NULL OR ${Number(host !== null && status === 'suspended')}`,
      ...(firstParty !== null || checked !== null || tokenLimit !== null
        ? { client_unregistered: isRegisteredApp }
        : {}),
      same: sql`coalesce(a.status, 'active') <> coalesce(${status}, a.status)
        OR (a.checked_at IS NOT NULL) <> coalesce(${differs(checked)}, a.checked_at IS NOT NULL)
        OR (a.first_party_at IS NOT NULL) <> coalesce(${differs(firstParty)}, a.first_party_at IS NOT NULL)
        OR coalesce(a.token_limit, 0) <> coalesce(${tokenLimit}, a.token_limit, 0)`,
      self_decision: sql`(w.handle = a.owner AND ((a.status = 'suspended' AND ${status} = 'active')
        OR (a.checked_at IS NULL AND ${differs(checked)}) OR (a.first_party_at IS NULL AND ${differs(firstParty)})
        OR (${tokenLimit} <> coalesce(a.token_limit, 0) AND (${tokenLimit} = 0 OR ${tokenLimit} >= coalesce(a.token_limit, 0))))
        ) IS NOT TRUE`,
      ...(seen !== undefined && host === null && { moved_on: sql`a.updated_at = ${Date.parse(seen)}` }),
    },
    change: ({ when, now }) => [
      ...(host === null ? [] : [keepHost(host, { when, now })]),
      markApp(id, { status, checked, firstParty, tokenLimit, now, when }),
    ],
    read: () => selectApps(sql`a.id = ${id}`),
  });
  return toDeskApp(row);
}

/**
 * Assigns a resource to an app, regardless of the file, or removes the resource. Administrators cannot do this for
 * their own app.
 * @throws AppError validation_failed, unauthenticated, not_fresh, app_not_found, client_unregistered, self_decision,
 *   resource_taken, too_many_resources
 */
export async function setAppResource(
  deps: Deps,
  actor: DeskActor,
  { id, resource, proven, clients, reason }: AppResourceInput & { readonly id: string },
): Promise<DeskApp> {
  const origin = originOfResource(deps.config, resource);
  const one = { resource, origin, appId: id, clients, provenBy: 'desk', readAt: deps.now() } as const;
  const row = await changeAtDesk(deps, actor, {
    action: 'app.resource',
    target: id,
    reason,
    detail: { resource, proven, ...(clients.length > 0 && { clients: clients.join(' ') }) },
    from: sql`LEFT JOIN apps a ON a.id = ${id} AND a.status <> 'deleted'`,
    requirements: {
      app_not_found: sql`a.id IS NOT NULL`,
      client_unregistered: isRegisteredApp,
      same: proven ? sql`NOT ${isProvenAlready(one)}` : ownsResource(resource),
      ...(proven && { self_decision: sql`w.handle <> a.owner`, ...resourceRequirements(one) }),
    },
    change: (decided) => (proven ? putResource(deps, one, decided) : dropResource(one, decided)),
    read: () => selectApps(sql`a.id = ${id}`),
  });
  return toDeskApp(row);
}
