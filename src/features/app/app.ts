import { integer, only, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { stringList } from '../../lib/present.ts';
import { createSecret } from '../../lib/secret.ts';
import { record } from '../activity/statements.ts';
import { isDecided } from '../identity/decision.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import { mayCall } from './address.ts';
import { callingFor } from './calls.ts';
import { appDecision } from './decision.ts';
import { fetchLogo, keepLogo, type Logo } from './logo.ts';
import type { App, AppInput, NewApp } from './schema.ts';
import { insertSecret, makeSecret, type Secret } from './secret.ts';
import { deleteApps } from './statements.ts';
import type { apps } from './tables.ts';

export const maxApps = 50;

/** An app, with its origins and resources as JSON. */
export type AppRow = Row<typeof apps> & { origins: string; resources: string };

/** An app `a` of the acting session's identity, which has not been deleted. */
export function owned(sessionId: string, now: number): SQL {
  return sql`a.owner = ${actingHandle(sessionId, now)} AND a.status <> 'deleted'`;
}

/** @param where a condition on the app `a`, and any clauses after it */
export function selectApps(where: SQL): Statement<AppRow> {
  return statement(sql`SELECT a.*, (SELECT json_group_array(origin) FROM app_origins WHERE app_id = a.id) AS origins,
      (SELECT json_group_array(json_object('resource', r.resource, 'clients', json(r.clients), 'provenBy', r.proven_by))
        FROM app_resources r WHERE r.app_id = a.id) AS resources
    FROM apps a WHERE ${where}`);
}

export function toApp(row: AppRow): App {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    redirectUris: stringList(row.redirect_uris),
    postLogoutRedirectUris: stringList(row.post_logout_redirect_uris),
    allowedOrigins: stringList(row.origins),
    scopes: stringList(row.scopes),
    homepageUrl: row.homepage_url,
    privacyUrl: row.privacy_url,
    logoUrl: row.logo_url,
    backchannelLogoutUri: row.backchannel_logout_uri,
    idTokenAlg: row.id_token_alg,
    pkce: row.pkce,
    deviceFlow: row.device_flow === 1,
    status: row.status === 'suspended' ? 'suspended' : 'active',
    checked: row.checked_at !== null,
    firstParty: row.first_party_at !== null,
    resources: JSON.parse(row.resources),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

/** A new app, before it is stored. */
interface Registration {
  readonly id: string;
  readonly input: AppInput;
  readonly logo: Logo | null;
  /** Null unless the app is a web app. */
  readonly secret: Secret | null;
}

/**
 * Creates an app with its id, its logo and, for a web app, its first secret.
 * @throws AppError validation_failed for a logout URI that is not public, or an unacceptable logo
 */
export async function prepareApp(deps: Deps, input: AppInput): Promise<Registration> {
  checkLogoutUri(deps, input.backchannelLogoutUri);
  const logo = input.logoUrl === null ? null : await fetchLogo(deps, input.logoUrl);
  const now = deps.now();
  const id = createId('app', now, deps.randomBytes);
  return { id, input, logo, secret: input.type === 'web' ? makeSecret(deps, now) : null };
}

interface Registering {
  /** The owner's handle, as a subquery; if NULL, nothing is stored. */
  readonly owner: SQL;
  /** The session that registers the app, if any. */
  readonly sessionId: string | null;
  readonly now: number;
}

/** Stores an app with its origins and secret, unless the owner has reached the app limit. A retry changes nothing. */
export function insertApp(
  { id, input, logo, secret }: Registration,
  { owner, sessionId, now }: Registering,
): Statement[] {
  const created = sql`FROM apps a WHERE a.id = ${id} AND a.owner = ${owner} AND a.status = 'active'`;
  return [
    statement(sql`INSERT INTO apps (id, owner, name, type, redirect_uris, post_logout_redirect_uris, scopes, homepage_url,
        privacy_url, logo_url, logo_hash, backchannel_logout_uri, id_token_alg, pkce, device_flow, created_at, updated_at)
      SELECT ${id}, s.handle, ${input.name}, ${input.type}, ${JSON.stringify(input.redirectUris)},
        ${JSON.stringify(input.postLogoutRedirectUris)},
        ${JSON.stringify(input.scopes)}, ${input.homepageUrl}, ${input.privacyUrl}, ${input.logoUrl},
        ${logo?.hash ?? null}, ${input.backchannelLogoutUri}, ${input.idTokenAlg}, ${input.pkce},
        ${Number(input.deviceFlow)}, ${now}, ${now}
      FROM (SELECT ${owner} AS handle) s
      WHERE s.handle IS NOT NULL AND NOT EXISTS (SELECT 1 FROM apps WHERE id = ${id})
        AND (SELECT count(*) FROM apps WHERE owner = s.handle AND status <> 'deleted') < ${integer(maxApps)}`),
    record({
      type: 'app.created',
      sessionId,
      decisionId: id,
      rows: sql`SELECT a.owner AS handle, NULL AS credential_id, a.name AS detail ${created}
        AND NOT EXISTS (SELECT 1 FROM activity v WHERE v.handle = a.owner AND v.decision_id = ${id})`,
      now,
    }),
    addOrigins(id, input.allowedOrigins, created),
    ...(logo ? [keepLogo(id, logo, sql`EXISTS (SELECT 1 ${created})`)] : []),
    ...(secret ? [insertSecret(secret, created)] : []),
  ];
}

export function toNewApp(row: AppRow, { secret }: Registration): NewApp {
  return { ...toApp(row), secret: secret && { id: secret.id, value: secret.value, hint: secret.hint } };
}

/** The person who registers an app. */
interface Owner {
  readonly sessionId: string;
  readonly handle: string;
}

/**
 * Registers an app of the acting session's identity. A web app gets its first secret.
 * @throws AppError validation_failed for a logout URI that is not public, or an unacceptable logo; unauthenticated,
 *   too_many_apps; rate_limited
 */
export async function createApp(deps: Deps, { sessionId, handle }: Owner, input: AppInput): Promise<NewApp> {
  const registration = await callingFor(deps, handle, () => prepareApp(deps, input));
  const now = deps.now();
  const { id } = registration;
  const { acting, app } = await run(deps.db, {
    create: insertApp(registration, { owner: actingHandle(sessionId, now), sessionId, now }),
    acting: actingSessionStatement(sessionId, now),
    app: selectApps(sql`a.id = ${id}`),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  const [row] = app;
  if (!row) throw new AppError('too_many_apps');
  deps.log.info('app.created', { app: id, owner: row.owner, sessionId });
  return toNewApp(row, registration);
}

/** @throws AppError validation_failed */
export function checkLogoutUri(deps: Deps, uri: string | null | undefined): void {
  if (uri && !mayCall(deps, uri)) {
    throw new AppError('validation_failed', ['backchannelLogoutUri must be a public https URL']);
  }
}

export function addOrigins(id: string, origins: readonly string[], source: SQL): Statement {
  return statement(sql`INSERT INTO app_origins (origin, app_id)
    SELECT j.value, ${id} FROM json_each(${JSON.stringify(origins)}) j
    WHERE EXISTS (SELECT 1 ${source})
      AND NOT EXISTS (SELECT 1 FROM app_origins o WHERE o.app_id = ${id} AND o.origin = j.value)`);
}

/** Lists the person's apps, newest first. @throws AppError unauthenticated */
export async function listApps(deps: Deps, sessionId: string, page: PageQuery): Promise<Page<App>> {
  const now = deps.now();
  const { acting, listed } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    listed: selectApps(sql`${owned(sessionId, now)} AND a.id < ${page.cursor ?? 'app~'}
      ORDER BY a.id DESC LIMIT ${integer(page.limit + 1)}`),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  return toPage(listed, page.limit, ({ id }) => id, toApp);
}

/** Returns one of the person's apps. @throws AppError unauthenticated, app_not_found */
export async function getApp(deps: Deps, sessionId: string, id: string): Promise<App> {
  const now = deps.now();
  return theApp(
    await run(deps.db, {
      acting: actingSessionStatement(sessionId, now),
      app: selectApps(sql`a.id = ${id} AND ${owned(sessionId, now)}`),
    }),
  );
}

/** @throws AppError unauthenticated, app_not_found, app_suspended */
export async function requireActiveApp(deps: Deps, sessionId: string, id: string): Promise<void> {
  const { status } = await getApp(deps, sessionId, id);
  if (status === 'suspended') throw new AppError('app_suspended');
}

function theApp({ acting, app: [row] }: { acting: readonly unknown[]; app: AppRow[] }): App {
  if (acting.length === 0) throw new AppError('unauthenticated');
  if (!row) throw new AppError('app_not_found');
  return toApp(row);
}

/**
 * Permanently deletes an app with its secrets and origins. Safe to repeat.
 * @throws AppError unauthenticated, app_not_found, not_fresh, app_balance, in this order
 */
export async function deleteApp(
  deps: Deps,
  { sessionId, appId }: { sessionId: string; appId: string },
): Promise<void> {
  const now = deps.now();
  const id = createSecret(deps.randomBytes);
  const where = sql`id = ${appId} AND ${isDecided(id, 'change')}`;
  const decision = appDecision(
    deps,
    { id, sessionId, appId, now },
    {
      done: sql`a.status = 'deleted'`,
      whileSuspended: true,
      also: {
        app_balance: sql`NOT EXISTS (SELECT 1 FROM accounts r WHERE r.owner = a.id AND r.kind = 'app'
          AND (r.credits_posted <> r.debits_posted OR r.debt > 0))`,
      },
    },
  );
  const { verdicts } = await run(deps.db, {
    change: [
      decision.insert,
      record({
        type: 'app.deleted',
        sessionId,
        rows: sql`SELECT owner AS handle, NULL AS credential_id, name AS detail FROM apps WHERE ${where}`,
        now,
      }),
      ...deleteApps({ where, now }),
    ],
    verdicts: decision.verdicts,
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'change' && verdict !== 'done') throw new AppError(verdict);
  deps.log.info('app.deleted', { app: appId, sessionId });
}
