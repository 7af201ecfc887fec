import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { cookieNames, cookieValues } from '../../lib/cookie.ts';
import { successUrl } from '../../lib/success-url.ts';
import { sendJson } from '../../middleware/answer.ts';
import { jsonBody, validBody, validQuery } from '../../middleware/body.ts';
import { type AppContext, type AppEnv, clientInfo } from '../../middleware/context.ts';
import { clearOauthCookie, oauthCookieName, setOauthCookie } from '../../middleware/oauth-cookie.ts';
import { rateLimit } from '../../middleware/rate-limit.ts';
import {
  cookieScope,
  readLeavingSession,
  setClaimCookie,
  setSessionCookies,
} from '../../middleware/session-cookies.ts';
import { refuseSpeculation } from '../../middleware/speculation.ts';
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

/** More sign-ins at once than anybody has tabs for; the oldest is dropped. */
const maxAttempts = 5;
/** Names we may have set; whatever else a browser was made to send is left alone. */
const attemptName = /_[\w-]{8}$/;

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
      if (returnTo !== undefined) {
        const value = await sealReturnTo(deps, returnTo);
        setOauthCookie(c, deps, {
          name: oauthCookieName(deps.config),
          value,
          maxAgeSeconds: attemptTtlSeconds,
        });
      }
      return sendJson(c, { url: `/v1/auth/${provider}` });
    },
  );

  /** The external sign-ins there are, and whether each is configured. */
  routes.get('/v1/auth/providers', rateLimit(deps, 'GET /v1/auth/providers'), (c) =>
    sendJson(c, listProviders(deps)),
  );

  // Each provider has its own literal paths: a pattern could shadow a sibling route.
  for (const id of Object.keys(providers) as Provider['id'][]) {
    /** Sends the browser to the provider's consent screen. 503 when the provider is not configured. */
    routes.get(`/v1/auth/${id}`, rateLimit(deps, 'GET /v1/auth/idp'), refuseSpeculation(), async (c) => {
      const returnTo = await readReturnTo(c, deps);
      const { attempt, url } = await startSignIn(deps, id, returnTo);
      if (returnTo !== null) clearOauthCookie(c, deps, oauthCookieName(deps.config));
      await keepAttempt(c, deps, attempt);
      return c.redirect(url.href);
    });

    /** Comes back from the provider: a session for a known credential, a claim ticket for a new one. */
    routes.get(
      `/v1/auth/${id}/callback`,
      rateLimit(deps, 'GET /v1/auth/idp/callback'),
      refuseSpeculation(),
      validQuery(callbackQuery),
      async (c) => {
        const { state, code, error, iss } = c.req.valid('query');
        // Read first: what is wrong with these cookies must not cost the person the attempt.
        const replaces = readLeavingSession(c, deps);
        const attempt = await takeAttempt(c, deps, state);
        const outcome = await finishSignIn(
          deps,
          id,
          { attempt, state, code, error, iss },
          {
            client: clientInfo(c),
            scope: cookieScope(deps.config),
            replaces,
            popup: attempt?.popup ?? null,
          },
        );
        if (outcome.type === 'signed_in') setSessionCookies(c, deps, outcome.tokens, deps.now());
        else setClaimCookie(c, deps, outcome.ticket);
        const isNew = outcome.type === 'claim_required';
        const returnTo = attempt?.returnTo ?? null;
        return c.redirect(successUrl(deps.config.CLIENT_SUCCESS_URL, { isNew, returnTo }));
      },
    );
  }

  return routes;
}

/** Keeps an attempt in this browser, and at most four others beside it. */
async function keepAttempt(c: AppContext, deps: Deps, attempt: Attempt): Promise<void> {
  const header = c.req.header('Cookie');
  const names = cookieNames(header, attemptCookie(deps, '')).filter((name) => attemptName.test(name));
  const others = await Promise.all(
    names.slice(0, 2 * maxAttempts).map(async (name) => {
      const kept = await openAttempt(deps, cookieValues(header, name)[0] ?? '');
      return { name, expiresAt: kept?.expiresAt ?? 0 };
    }),
  );
  const surplus = others.sort((a, b) => b.expiresAt - a.expiresAt).slice(maxAttempts - 1);
  for (const { name } of surplus) clearOauthCookie(c, deps, name);
  const value = await sealAttempt(deps, attempt);
  setOauthCookie(c, deps, {
    name: attemptCookie(deps, attemptId(attempt.state)),
    value,
    maxAgeSeconds: attemptTtlSeconds,
  });
}

function attemptCookie(deps: Deps, id: string): string {
  return `${oauthCookieName(deps.config)}_${id}`;
}

/** The attempt of this browser that a state belongs to; its cookie goes, whatever comes of it. */
async function takeAttempt(c: AppContext, deps: Deps, state: string | undefined): Promise<Attempt | null> {
  if (!state) throw new AppError('state_invalid', null, { reason: 'no state' });
  const name = attemptCookie(deps, attemptId(state));
  const [sealed] = cookieValues(c.req.header('Cookie'), name);
  if (sealed === undefined) return null;
  clearOauthCookie(c, deps, name);
  return openAttempt(deps, sealed);
}

async function readReturnTo(c: AppContext, deps: Deps): Promise<string | null> {
  const [sealed] = cookieValues(c.req.header('Cookie'), oauthCookieName(deps.config));
  return sealed === undefined ? null : openReturnTo(deps, sealed);
}
