import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { type AppContext, type AppEnv, clientInfo } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { serve } from '../../http/serve.ts';
import { setSessionCookies } from '../session/cookies.ts';
import { readDevice, rememberDevice } from '../session/device-cookie.ts';
import { answerSignIn, signInContext } from '../sign-in/context.ts';
import { changePassword } from './change.ts';
import { askForCode, clearEmailCookie, emailBinding } from './cookie.ts';
import { emailEndpoints } from './endpoints.ts';
import { finishEmailLink, startEmailLink } from './link.ts';
import { signInWithPassword } from './login.ts';
import { type Asking, register, resendCode, verifyRegistration } from './register.ts';
import { forgetPassword, resetPassword } from './reset.ts';

/** Email and password. No answer tells whether an address is known to the service. */
export function emailRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addRegistration(routes, deps);
  addSignIn(routes, deps);
  addOwnPassword(routes, deps);
  return routes;
}

function addRegistration(routes: Hono<AppEnv>, deps: Deps): void {
  /** Sends a code to an address; the password waits for it. The same answer for every address. */
  serve(routes, deps, emailEndpoints.registerEmail, async (c, { body }) => {
    const { email, password } = body;
    await requestCode(c, deps, email, (asking) => register(deps, asking, password));
    return c.body(null, 204);
  });

  /** Sends a newer code for the registration that waits in this browser. The same answer when there is none. */
  serve(routes, deps, emailEndpoints.resendEmailCode, async (c, { body }) => {
    await requestCode(c, deps, body.email, (asking) => resendCode(deps, asking));
    return c.body(null, 204);
  });

  /** Proves the address by its code: a claim ticket, or, in revision `direct`, a session. 400 for every other code. */
  serve(routes, deps, emailEndpoints.verifyEmail, async (c, { body }) => {
    const { email, code, popup = null } = body;
    const input = { email, code, boundTo: emailBinding(c, deps) };
    const outcome = await verifyRegistration(deps, input, signInContext(c, deps, popup));
    clearEmailCookie(c, deps);
    answerSignIn(c, deps, outcome);
    return outcome.type === 'signed_in' ? c.body(null, 204) : sendJson(c, { claim: true });
  });
}

function addSignIn(routes: Hono<AppEnv>, deps: Deps): void {
  /** Signs in. 401 whatever is wrong, 429 after ten wrong passwords for one account, 403 when it is suspended. */
  serve(routes, deps, emailEndpoints.signInWithPassword, async (c, { body }) => {
    const { email, password, popup = null } = body;
    const input = { email, password, device: readDevice(c, deps, email) };
    const tokens = await signInWithPassword(deps, input, signInContext(c, deps, popup));
    setSessionCookies(c, deps, tokens, deps.now());
    return c.body(null, 204);
  });

  /** Sends a code for replacing a forgotten password. The same answer for every address. */
  serve(routes, deps, emailEndpoints.forgotPassword, async (c, { body }) => {
    const device = readDevice(c, deps, body.email);
    await requestCode(c, deps, body.email, (asking) => forgetPassword(deps, asking, device));
    return c.body(null, 204);
  });

  /** Replaces a forgotten password, and ends every session of its owner. 400 for every code but the right one. */
  serve(routes, deps, emailEndpoints.resetPassword, async (c, { body }) => {
    const { email, code, password } = body;
    const boundTo = emailBinding(c, deps);
    const device = readDevice(c, deps, email);
    await resetPassword(deps, { email, code, password, boundTo, device, client: clientInfo(c) });
    clearEmailCookie(c, deps);
    rememberDevice(c, deps, email);
    return c.body(null, 204);
  });
}

/** For the signed-in person. */
function addOwnPassword(routes: Hono<AppEnv>, deps: Deps): void {
  /** Sends a code to an address to link; the password waits for it. 403 without a recent sign-in. */
  serve(routes, deps, emailEndpoints.linkEmail, async (c, { actor, body }) => {
    const { handle, sessionId } = actor;
    await startEmailLink(deps, { ...body, handle, sessionId, locale: localeOf(c) });
    return c.body(null, 204);
  });

  /** Links the address by its code. 400 for every code but the right one, 403 without a recent sign-in. */
  serve(routes, deps, emailEndpoints.verifyLinkedEmail, async (c, { actor, body }) => {
    const { sessionId } = actor;
    const input = { ...body, sessionId, client: clientInfo(c) };
    const linked = await finishEmailLink(deps, input);
    rememberDevice(c, deps, body.email);
    return sendJson(c, linked);
  });

  /** Replaces the password, and ends all other sessions. 403 without a recent sign-in, 404 without a password. */
  serve(routes, deps, emailEndpoints.changePassword, async (c, { actor, body }) => {
    const { sessionId } = actor;
    const { password } = body;
    rememberDevice(c, deps, await changePassword(deps, { sessionId, password, client: clientInfo(c) }));
    return c.body(null, 204);
  });
}

/** Asks for a code in this browser. */
async function requestCode(
  c: AppContext,
  deps: Deps,
  email: string,
  ask: (asking: Asking) => Promise<void>,
): Promise<void> {
  await askForCode(c, deps, email, (boundTo) => ask({ email, boundTo, locale: localeOf(c) }));
}
