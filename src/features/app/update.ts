import { only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type AppContext, type ClientInfo, clientInfo } from '../../http/context.ts';
import { endpointLimiter } from '../../http/rate-limit.ts';
import { describeClient } from '../../lib/device.ts';
import { createSecret } from '../../lib/secret.ts';
import { record } from '../activity/statements.ts';
import { isDecided } from '../identity/decision.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { addOrigins, checkLogoutUri, owned, requireActiveApp, selectApps, toApp } from './app.ts';
import { callingFor } from './calls.ts';
import { appDecision } from './decision.ts';
import { appEndpoints } from './endpoints.ts';
import { fetchLogo, keepLogo, type Logo } from './logo.ts';
import { type App, type AppChanges, noDeviceFlow, pkceNeeded, privateUriProblems } from './schema.ts';
import { nextVersion } from './statements.ts';

interface Update {
  readonly sessionId: string;
  readonly id: string;
  readonly changes: AppChanges;
  readonly client: ClientInfo;
  /** The person of the session. */
  readonly handle: string;
  /** Counts a fetched logo toward the registration limit. @throws AppError rate_limited */
  readonly countLogo: () => Promise<void>;
}

/** The sender of a change. A new logo uses the limit of registrations, which also fetch one. */
export function senderOf(
  c: AppContext,
  deps: Deps,
  handle: string,
): Pick<Update, 'client' | 'handle' | 'countLogo'> {
  const limit = endpointLimiter(deps, appEndpoints.createApp);
  return { client: clientInfo(c), handle, countLogo: () => limit(c, `identity ${handle}`) };
}

/**
 * Changes the given fields. A change of an address, of `pkce` or of `deviceFlow` needs a recent sign-in, adds a line of
 * activity, and emails the owner.
 * @throws AppError validation_failed for a logout URI that is not public, or an unacceptable logo; rate_limited;
 *   unauthenticated, app_not_found, app_suspended, not_fresh; validation_failed for a redirect URI that only a native app
 *   may have, for `pkce` of an app without a secret, or for `deviceFlow` of an app of type spa
 */
export async function updateApp(
  deps: Deps,
  { sessionId, handle, id, changes, client, countLogo }: Update,
): Promise<App> {
  const now = deps.now();
  checkLogoutUri(deps, changes.backchannelLogoutUri);
  if (changes.logoUrl) {
    await countLogo();
    // Only the owner can make the service call out. The batch checks again.
    await requireActiveApp(deps, sessionId, id);
  }
  const { logoUrl } = changes;
  const logo = logoUrl ? await callingFor(deps, handle, () => fetchLogo(deps, logoUrl)) : null;
  const problems = privateUriProblems(changes);
  const requestId = createSecret(deps.randomBytes);
  const moved = movedAddresses(changes);
  const may = sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${requestId} AND verdict IN ('change','done'))`;
  const decision = appDecision(
    deps,
    { id: requestId, sessionId, appId: id, now },
    {
      done: sql`a.status <> 'deleted' AND ${moved} IS NULL`,
      also: {
        private_uri: sql`${Number(problems === null)} OR a.type = 'native'`,
        no_secret: sql`${Number(changes.pkce !== 'nonce')} OR a.type = 'web'`,
        no_device: sql`${Number(changes.deviceFlow !== true)} OR a.type <> 'spa'`,
      },
    },
  );
  const { verdicts, app } = await run(deps.db, {
    change: [
      decision.insert,
      ...(await reportAddresses(deps, {
        ...{ kind: 'app_changed', sessionId, apps: sql`${id}`, now },
        params: { app: id, ...describeClient(client) },
        what: moved,
        when: isDecided(requestId, 'change'),
      })),
      ...applyChanges(id, changes, { logo, may, now }),
    ],
    verdicts: decision.verdicts,
    app: selectApps(sql`a.id = ${id} AND ${owned(sessionId, now)}`),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict === 'private_uri') throw new AppError('validation_failed', problems ?? []);
  if (verdict === 'no_secret') throw new AppError('validation_failed', [pkceNeeded]);
  if (verdict === 'no_device') throw new AppError('validation_failed', [noDeviceFlow]);
  if (verdict !== 'change' && verdict !== 'done') throw new AppError(verdict);
  if (verdict === 'change') {
    deps.log.info('app.changed', { app: id, sessionId });
    sendSoon(deps);
  }
  return toApp(only(app));
}

interface Report {
  /** Which email to send. */
  readonly kind: 'app_changed' | 'app_resource_lost';
  /** The session that made the change; null if the owner did not make it. */
  readonly sessionId: string | null;
  /** The app ids: one, or a SELECT. */
  readonly apps: SQL;
  /** Details for the email, such as the app and the device. */
  readonly params: Record<string, string>;
  /** The changed addresses of the app `a`, as text. */
  readonly what: SQL;
  readonly when: SQL;
  readonly now: number;
}

/** Notifies the owners of changed addresses, by an activity line and an email. */
export async function reportAddresses(
  deps: Deps,
  { kind, sessionId, apps, params, what, when, now }: Report,
): Promise<[line: Statement, mail: Statement]> {
  return [
    record({
      type: 'app.changed',
      sessionId,
      rows: sql`SELECT a.owner AS handle, NULL AS credential_id, a.name || ' (' || ${what} || ')' AS detail
        FROM apps a WHERE a.id IN (${apps}) AND ${when}`,
      now,
    }),
    await noticeStatement(deps, {
      kind,
      handle: sql`SELECT owner FROM apps WHERE id IN (${apps})`,
      when,
      params,
      now,
    }),
  ];
}

/** The names of the changed addresses of the app `a`, and of `pkce` and `deviceFlow`; NULL if none changed. */
function movedAddresses(changes: AppChanges): SQL {
  const { redirectUris, postLogoutRedirectUris, allowedOrigins, backchannelLogoutUri, pkce, deviceFlow } =
    changes;
  const origins = JSON.stringify(allowedOrigins ?? []);
  const listed = sql`(SELECT origin FROM app_origins WHERE app_id = a.id)`;
  const given = sql`(SELECT value FROM json_each(${origins}))`;
  const isMoved: Record<string, SQL | null> = {
    redirectUris: redirectUris ? sql`a.redirect_uris <> ${toJson(redirectUris)}` : null,
    postLogoutRedirectUris: postLogoutRedirectUris
      ? sql`a.post_logout_redirect_uris <> ${toJson(postLogoutRedirectUris)}`
      : null,
    allowedOrigins: allowedOrigins
      ? sql`(EXISTS (SELECT 1 FROM ${listed} WHERE origin NOT IN ${given})
          OR EXISTS (SELECT 1 FROM ${given} WHERE value NOT IN ${listed}))`
      : null,
    backchannelLogoutUri:
      backchannelLogoutUri === undefined
        ? null
        : sql`a.backchannel_logout_uri IS NOT ${backchannelLogoutUri}`,
    pkce: pkce ? sql`a.pkce <> ${pkce}` : null,
    deviceFlow: deviceFlow === undefined ? null : sql`a.device_flow <> ${Number(deviceFlow)}`,
  };
  const names = Object.entries(isMoved).map(([name, is]) => sql`iif(${is ?? sql`0`}, ${`, ${name}`}, '')`);
  return sql`nullif(ltrim(${sql.join(names, sql` || `)}, ', '), '')`;
}

function applyChanges(
  id: string,
  changes: AppChanges,
  { logo, may, now }: { readonly logo: Logo | null; readonly may: SQL; readonly now: number },
): Statement[] {
  const { name = null, redirectUris, allowedOrigins, scopes } = changes;
  const { homepageUrl, privacyUrl, logoUrl, backchannelLogoutUri } = changes;
  const given = (column: SQL, url: string | null | undefined, value: string | null = url ?? null) =>
    url === undefined ? column : sql`${value}`;
  return [
    statement(sql`UPDATE apps SET name = coalesce(${name}, name),
        redirect_uris = coalesce(${toJson(redirectUris)}, redirect_uris),
        post_logout_redirect_uris = coalesce(${toJson(changes.postLogoutRedirectUris)}, post_logout_redirect_uris),
        scopes = coalesce(${toJson(scopes)}, scopes),
        homepage_url = ${given(sql`homepage_url`, homepageUrl)}, privacy_url = ${given(sql`privacy_url`, privacyUrl)},
        logo_url = ${given(sql`logo_url`, logoUrl)}, logo_hash = ${given(sql`logo_hash`, logoUrl, logo?.hash ?? null)},
        backchannel_logout_uri = ${given(sql`backchannel_logout_uri`, backchannelLogoutUri)},
        id_token_alg = coalesce(${changes.idTokenAlg ?? null}, id_token_alg),
        pkce = coalesce(${changes.pkce ?? null}, pkce),
        device_flow = coalesce(${changes.deviceFlow === undefined ? null : Number(changes.deviceFlow)}, device_flow),
        updated_at = ${nextVersion(now)}
      WHERE id = ${id} AND ${may}`),
    ...(logoUrl === undefined ? [] : [keepLogo(id, logo, may)]),
    ...(allowedOrigins ? replaceOrigins(id, allowedOrigins, sql`FROM apps WHERE id = ${id} AND ${may}`) : []),
  ];
}

function replaceOrigins(id: string, origins: readonly string[], source: SQL): Statement[] {
  return [
    statement(sql`DELETE FROM app_origins WHERE app_id = ${id} AND EXISTS (SELECT 1 ${source})
      AND origin NOT IN (SELECT value FROM json_each(${JSON.stringify(origins)}))`),
    addOrigins(id, origins, source),
  ];
}

function toJson(list: readonly string[] | undefined): string | null {
  return list === undefined ? null : JSON.stringify(list);
}
