import type { Hono } from 'hono';
import { sandboxRoutes } from '../dev/routes.tsx';
import { brandVariables } from './brand/brand-variables.ts';
import { ConfigError } from './config.ts';
import type { Deps, DevClock } from './deps.ts';
import { endpoints, groups } from './endpoints.ts';
import { appOrigins } from './features/app/origins.ts';
import { appSizes } from './features/app/sizes.ts';
import { claimEndpoints } from './features/claim/endpoints.ts';
import { checkReadiness } from './features/ledger/readiness.ts';
import { sessionRoutes } from './features/session/routes.ts';
import { signingKeyRoutes } from './features/signing-key/routes.ts';
import { admit } from './http/admit.ts';
import { sendJson } from './http/answer.ts';
import type { AppEnv } from './http/context.ts';
import { renderError, renderNotFound } from './http/errors.ts';
import { lazyRoutes } from './http/lazy-routes.ts';
import { checkLimitNames, limitUnknownPaths } from './http/rate-limit.ts';
import { Routes } from './http/routes.ts';
import { pageGroups } from './pages/groups.ts';
import { pageEndpoints } from './pages/shared/endpoints.ts';

export type App = Hono<AppEnv>;

/** Set by scripts/build-worker.ts: the production build contains no sandbox, regardless of its settings. */
declare const PERIDOT_SANDBOX: boolean;

/** The whole service: every route group and page, the guards in front of them, and the only error renderer. */
export function createApp(deps: Deps, clock?: DevClock, runScheduled?: () => Promise<unknown>): App {
  checkLimitNames(deps.config, endpoints);
  const app: App = new Routes();
  app.onError(
    renderError(deps, async (c, error) => (await import('./pages/error.tsx')).errorPage(deps)(c, error)),
  );
  const limitUnknown = limitUnknownPaths(deps);
  app.notFound(async (c) => {
    await limitUnknown(c);
    return renderNotFound(c);
  });
  const onSessionsEnded = () => deps.background(sendLogouts(deps));
  const onEvents = () => deps.background(deliverEvents(deps));
  app.use(admit(deps, appOrigins(deps, endpoints), { sizeOf: appSizes(deps), onSessionsEnded, onEvents }));

  const hasClaims = deps.config.INTERFACE_REVISION === 'claim';
  if ((typeof PERIDOT_SANDBOX === 'undefined' || PERIDOT_SANDBOX) && !deps.config.production) {
    app.route('/', sandboxRoutes(deps, clock, runScheduled));
  }
  // Pages come before the API: on a shared path, pages answer browsers and pass on all other requests.
  for (const { routes, load, ofClaims } of pageGroups(deps)) {
    if (hasClaims || !ofClaims) app.route('/', lazyRoutes(routes, load));
  }

  /** Shows an error page that cannot be reloaded in another language. */
  app.get('/error/:code', async (c) => (await import('./pages/error.tsx')).shownError(c, deps));

  // Most requests read or renew sessions, so these two groups are loaded at startup.
  app.route('/', sessionRoutes(deps));
  app.route('/', signingKeyRoutes(deps));
  for (const [group, load] of groups) {
    if (load === undefined || (group === claimEndpoints && !hasClaims)) continue;
    app.route(
      '/',
      lazyRoutes(Object.values(group), async () => (await load())(deps)),
    );
  }

  if (deps.config.deskPids.length > 0) deps.background(warnOfUnclaimedAdmins(deps));

  /** Responds while the process runs. It checks nothing else, so that a locked database does not cause a restart. */
  app.get(pageEndpoints.getHealth.path, (c) => sendJson(c, { status: 'ok' }));

  /** Returns 200 while the database responds and accepts writes. Warnings do not change the status. */
  app.get(pageEndpoints.getReadiness.path, async (c) => {
    const notice = await checkReadiness(deps);
    const warnings = [...(deps.warnings?.() ?? []), ...(notice === null ? [] : [notice])];
    const database = deps.engine?.() ?? undefined;
    return sendJson(c, { status: 'ok', database, ...(warnings.length > 0 ? { warnings } : {}) });
  });

  return app;
}

/** Checks before the first request, because an engine that ignores triggers must not move money. */
export async function checkBeforeServing(deps: Deps): Promise<void> {
  await (await import('./features/ledger/check.ts')).checkLedger(deps, 'guards');
}

async function sendLogouts(deps: Deps): Promise<void> {
  const { signOutSoon } = await import('./features/oauth/sign-out.ts');
  await signOutSoon(deps);
}

async function deliverEvents(deps: Deps): Promise<void> {
  const { deliverSoon } = await import('./features/webhook/deliver.ts');
  deliverSoon(deps);
}

/** An unreadable database is a different problem, reported elsewhere. */
async function warnOfUnclaimedAdmins(deps: Deps): Promise<void> {
  const { warnOfUnclaimed } = await import('./features/admin/unclaimed.ts');
  await warnOfUnclaimed(deps).catch(() => {});
}

/**
 * Checks the brand settings, and applies the TEXTS, for the whole process. Call it before the first request. Nothing is
 * loaded unless a brand setting or TEXTS is set.
 * @throws ConfigError
 */
export async function applyBrand(config: Deps['config']): Promise<void> {
  const names = Object.keys(brandVariables) as (keyof typeof brandVariables)[];
  if (names.every((name) => config[name] === undefined)) return;
  const { readBrand } = await import('./pages/other-words.ts');
  const problems = readBrand(config);
  if (problems.length > 0) throw new ConfigError(problems);
}
