import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { sendJson } from '../../http/answer.ts';
import { type AppContext, type AppEnv, clientInfo } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { verifyAccessToken } from '../session/access-token.ts';
import { readAccessCookie, setSessionCookies } from '../session/cookies.ts';
import { answerSignIn, signInContext } from '../sign-in/context.ts';
import { readPasskeyCookies, renewPasskeyCookie } from './cookie.ts';
import { passkeyEndpoints } from './endpoints.ts';
import { loginByPasskey, loginOptions, repeatedLoginOptions } from './login.ts';
import { firstPasskeyOptions, linkPasskey, nextPasskeyOptions, signUpByPasskey } from './registration.ts';
import { relatedOrigins } from './relying-party.ts';
import { passkeySignals } from './signals.ts';

/** Passkeys: to sign in, as a first credential and as another one (WebAuthn level 3). */
export function passkeyRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addSignIn(routes, deps);
  addOwnPasskeys(routes, deps);

  /** Which other origins may use the passkeys of this domain (WebAuthn level 3, section 5.11). */
  serve(routes, deps, passkeyEndpoints.getRelatedOrigins, (c) => {
    c.header('Cache-Control', 'public, max-age=3600');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    return sendJson(c, { origins: relatedOrigins(deps) });
  });

  return routes;
}

function addSignIn(routes: Hono<AppEnv>, deps: Deps): void {
  /** Options for `navigator.credentials.get`. The same for everybody, or, with `again`, for the signed-in person. */
  serve(routes, deps, passkeyEndpoints.startPasskeySignIn, async (c, { body }) => {
    const { again = false } = body;
    const sessionId = again ? await requireActing(c, deps) : null;
    const cookie = renewPasskeyCookie(c, deps);
    const options =
      sessionId === null
        ? await loginOptions(deps, cookie)
        : await repeatedLoginOptions(deps, { cookie, sessionId });
    return sendJson(c, options);
  });

  /** Signs in by an assertion. 401 whatever is wrong with it. */
  serve(routes, deps, passkeyEndpoints.finishPasskeySignIn, async (c, { body }) => {
    const { popup = null, ...assertion } = body;
    const input = { assertion, cookies: readPasskeyCookies(c, deps) };
    const tokens = await loginByPasskey(deps, input, signInContext(c, deps, popup));
    setSessionCookies(c, deps, tokens, deps.now());
    return c.body(null, 204);
  });

  /** Options for `navigator.credentials.create`, for somebody who has no credential yet. */
  serve(routes, deps, passkeyEndpoints.startPasskeySignUp, async (c) => {
    return sendJson(c, await firstPasskeyOptions(deps, renewPasskeyCookie(c, deps)));
  });

  /** A first credential: sets the claim ticket, or, in revision `direct`, creates the identity. 401 whatever is wrong. */
  serve(routes, deps, passkeyEndpoints.finishPasskeySignUp, async (c, { body }) => {
    const input = { registration: body, cookies: readPasskeyCookies(c, deps) };
    const outcome = await signUpByPasskey(deps, input, signInContext(c, deps, null));
    answerSignIn(c, deps, outcome);
    return sendJson(c, { claim: outcome.type === 'claim_required' });
  });
}

/** For the signed-in person. */
function addOwnPasskeys(routes: Hono<AppEnv>, deps: Deps): void {
  /** What the person's authenticators should know of their passkeys. */
  serve(routes, deps, passkeyEndpoints.getPasskeySignals, async (c, { actor }) => {
    return sendJson(c, await passkeySignals(deps, actor.sessionId));
  });

  /** Options for another passkey of the signed-in person. 403 without a recent sign-in. */
  serve(routes, deps, passkeyEndpoints.startPasskeyLink, async (c, { actor }) => {
    return sendJson(c, await nextPasskeyOptions(deps, actor.sessionId));
  });

  /** Links it. 401, 403 without a recent sign-in, 409 when it belongs to somebody else. */
  serve(routes, deps, passkeyEndpoints.finishPasskeyLink, async (c, { actor, body }) => {
    const { sessionId } = actor;
    return sendJson(c, await linkPasskey(deps, { registration: body, sessionId, client: clientInfo(c) }));
  });
}

/** @throws AppError unauthenticated */
async function requireActing(c: AppContext, deps: Deps): Promise<string> {
  const token = readAccessCookie(c, deps);
  const claims = token && (await verifyAccessToken(deps, token, deps.now()));
  if (!claims) throw new AppError('unauthenticated');
  return claims.sessionId;
}
