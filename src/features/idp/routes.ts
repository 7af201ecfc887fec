import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { cookieNames, cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { jsonBody, validBody, validQuery } from '../../middleware/body.ts';
import { type AppContext, type AppEnv, clientInfo } from '../../middleware/context.ts';
import { rateLimit } from '../../middleware/rate-limit.ts';
import {
  cookieScope,
  readRefreshCookie,
  setClaimCookie,
  setSessionCookies,
} from '../../middleware/session-cookies.ts';
import { onlyNavigation } from '../../middleware/speculation.ts';
import {
  type Attempt,
  attemptId,
  attemptTtlSeconds,
  openAttempt,
  openReturnTo,
  sealAttempt,
  sealReturnTo,
} from './attempt.ts';
import { finishSignIn, listProviders, providers, startSignIn } from './idp.ts';
import type { Provider } from './providers/provider.ts';
import { callbackQuery, loginInput } from './schema.ts';

const cookieName = 'pid_oauth';
/** More sign-ins at once than anybody has tabs for; the oldest is dropped. */
const maxAttempts = 5;

/** External sign-in (interface section 4): login, the two browser navigations of each provider, the list of them. */
export function idpRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Answers the path at which the browser starts the sign-in. `returnTo` waits in a cookie until it is back. */
  routes.post(
    '/v1/auth/login',
    rateLimit(deps, 'POST /v1/auth/login'),
    jsonBody(),
    validBody(loginInput),
    async (c) => {
      const { provider, returnTo } = c.req.valid('json');
      if (returnTo !== undefined) setOauthCookie(c, deps, cookieName, await sealReturnTo(deps, returnTo));
      return c.json({ url: `/v1/auth/${provider}` });
    },
  );

  /** The external sign-ins there are, and whether each is configured. */
  routes.get('/v1/auth/providers', rateLimit(deps, 'GET /v1/auth/providers'), (c) =>
    c.json(listProviders(deps)),
  );

  // Each provider has its own literal paths: a pattern could shadow a sibling route.
  for (const id of Object.keys(providers) as Provider['id'][]) {
    /** Sends the browser to the provider's consent screen. 503 when the provider is not configured. */
    routes.get(`/v1/auth/${id}`, rateLimit(deps, 'GET /v1/auth/:provider'), onlyNavigation(), async (c) => {
      const returnTo = await takeReturnTo(c, deps);
      const { attempt, url } = await startSignIn(deps, id, returnTo);
      await keepAttempt(c, deps, attempt);
      return c.redirect(url.href);
    });

    /** Comes back from the provider: a session for a known credential, a claim ticket for a new one. */
    routes.get(
      `/v1/auth/${id}/callback`,
      rateLimit(deps, 'GET /v1/auth/:provider/callback'),
      onlyNavigation(),
      validQuery(callbackQuery),
      async (c) => {
        const { state, code, error, iss } = c.req.valid('query');
        const attempt = await takeAttempt(c, deps, state);
        const outcome = await finishSignIn(
          deps,
          id,
          { attempt, state, code, error, iss },
          {
            client: clientInfo(c),
            scope: cookieScope(deps.config),
            replaces: readRefreshCookie(c, deps)?.sessionId ?? null,
          },
        );
        if (outcome.type === 'signed_in') setSessionCookies(c, deps, outcome.tokens, deps.now());
        else setClaimCookie(c, deps, outcome.ticket);
        return c.redirect(successUrl(deps, outcome.type === 'claim_required', attempt?.returnTo ?? null));
      },
    );
  }

  return routes;
}

/** Keeps an attempt in this browser, and at most four others beside it. */
async function keepAttempt(c: AppContext, deps: Deps, attempt: Attempt): Promise<void> {
  const header = c.req.header('Cookie');
  const others = await Promise.all(
    cookieNames(header, `${cookieName}_`).map(async (name) => {
      const kept = await openAttempt(deps, cookieValues(header, name)[0] ?? '');
      return { name, expiresAt: kept?.expiresAt ?? 0 };
    }),
  );
  const surplus = others.sort((a, b) => b.expiresAt - a.expiresAt).slice(maxAttempts - 1);
  for (const { name } of surplus) clearOauthCookie(c, deps, name);
  setOauthCookie(c, deps, `${cookieName}_${attemptId(attempt.state)}`, await sealAttempt(deps, attempt));
}

/** The attempt of this browser that a state belongs to; its cookie goes, whatever comes of it. */
async function takeAttempt(c: AppContext, deps: Deps, state: string | undefined): Promise<Attempt | null> {
  if (!state) throw new AppError('state_invalid', null, { reason: 'no state' });
  const name = `${cookieName}_${attemptId(state)}`;
  const [sealed] = cookieValues(c.req.header('Cookie'), name);
  if (sealed === undefined) return null;
  clearOauthCookie(c, deps, name);
  return openAttempt(deps, sealed);
}

async function takeReturnTo(c: AppContext, deps: Deps): Promise<string | null> {
  const [sealed] = cookieValues(c.req.header('Cookie'), cookieName);
  if (sealed === undefined) return null;
  clearOauthCookie(c, deps, cookieName);
  return openReturnTo(deps, sealed);
}

/** CLIENT_SUCCESS_URL, with `claim=1` for a newcomer and the path to come back to. */
function successUrl(deps: Deps, isNew: boolean, returnTo: string | null): string {
  const query = new URLSearchParams({ ...(isNew ? { claim: '1' } : {}), ...(returnTo ? { returnTo } : {}) });
  if (query.size === 0) return deps.config.CLIENT_SUCCESS_URL;
  const [address = '', fragment] = deps.config.CLIENT_SUCCESS_URL.split('#', 2);
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

function setOauthCookie(c: AppContext, deps: Deps, name: string, value: string): void {
  oauthCookie(c, deps, name, value, attemptTtlSeconds);
}

function clearOauthCookie(c: AppContext, deps: Deps, name: string): void {
  oauthCookie(c, deps, name, '', 0);
}

function oauthCookie(c: AppContext, deps: Deps, name: string, value: string, maxAgeSeconds: number): void {
  const secure = deps.config.production;
  const cookie = { name, value, path: '/v1/auth', maxAgeSeconds, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}
