import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type AppContext, clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { setSessionCookies } from '../session/cookies.ts';
import { readActingSession } from '../session/require-session.ts';
import { answerSignIn, signInContext } from '../sign-in/context.ts';
import { readPasskeyCookies, renewPasskeyCookie } from './cookie.ts';
import { passkeyEndpoints } from './endpoints.ts';
import { loginByPasskey, loginOptions, repeatedLoginOptions } from './login.ts';
import { firstPasskeyOptions, linkPasskey, nextPasskeyOptions, signUpByPasskey } from './registration.ts';
import { relatedOrigins } from './relying-party.ts';
import { passkeySignals } from './signals.ts';

/** Passkeys for signing in, as a first credential, and as an additional one (WebAuthn level 3). */
export const passkeyRoutes = routesOf(passkeyEndpoints, {
  /** Options for `navigator.credentials.get`. The same for everyone, or, with `again`, for the signed-in person. */
  async startPasskeySignIn({ c, deps, body: { again = false } }) {
    const sessionId = again ? await requireActing(c, deps) : null;
    const cookie = renewPasskeyCookie(c, deps);
    return sessionId === null
      ? loginOptions(deps, cookie)
      : repeatedLoginOptions(deps, { cookie, sessionId });
  },

  /** Signs in with an assertion. 401 for any fault in it. */
  async finishPasskeySignIn({ c, deps, body: { popup = null, ...assertion } }) {
    const input = { assertion, cookies: readPasskeyCookies(c, deps) };
    const tokens = await loginByPasskey(deps, input, signInContext(c, deps, popup));
    setSessionCookies(c, deps, tokens, deps.now());
  },

  /** Options for `navigator.credentials.create`, for someone without a credential. */
  startPasskeySignUp: ({ c, deps }) => firstPasskeyOptions(deps, renewPasskeyCookie(c, deps)),

  /** A first credential: sets the claim ticket, or, in revision `direct`, creates the identity. 401 for any fault. */
  async finishPasskeySignUp({ c, deps, body: registration }) {
    const input = { registration, cookies: readPasskeyCookies(c, deps) };
    const outcome = await signUpByPasskey(deps, input, signInContext(c, deps, null));
    answerSignIn(c, deps, outcome);
    return { claim: outcome.type === 'claim_required' };
  },

  getPasskeySignals: ({ deps, actor }) => passkeySignals(deps, actor.sessionId),

  /** Options for another passkey of the signed-in person. 403 without a recent sign-in. */
  startPasskeyLink: ({ deps, actor }) => nextPasskeyOptions(deps, actor.sessionId),

  /** Links the passkey. 401, 403 without a recent sign-in, 409 if it belongs to someone else. */
  finishPasskeyLink: ({ c, deps, actor: { sessionId }, body: registration }) =>
    linkPasskey(deps, { registration, sessionId, client: clientInfo(c) }),

  /** Lists the other origins that may use the passkeys of this domain (WebAuthn level 3, section 5.11). */
  getRelatedOrigins({ c, deps }) {
    c.header('Cache-Control', 'public, max-age=3600');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    return { origins: relatedOrigins(deps) };
  },
});

/** @throws AppError unauthenticated; origin_not_allowed for a program with only `pid_access` */
async function requireActing(c: AppContext, deps: Deps): Promise<string> {
  const sessionId = await readActingSession(c, deps);
  if (sessionId === null) throw new AppError('unauthenticated');
  return sessionId;
}
