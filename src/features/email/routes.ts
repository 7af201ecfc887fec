import { clientInfo, localeOf } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { setSessionCookies } from '../session/cookies.ts';
import { readDevice, rememberDevice } from '../session/device-cookie.ts';
import { answerSignIn, signInContext } from '../sign-in/context.ts';
import { changePassword } from './change.ts';
import { askForCode, clearEmailCookie, emailBinding } from './cookie.ts';
import { emailEndpoints } from './endpoints.ts';
import { finishEmailLink, startEmailLink } from './link.ts';
import { signInWithPassword } from './login.ts';
import { register, resendCode, verifyRegistration } from './register.ts';
import { forgetPassword, resetPassword } from './reset.ts';

/** Email and password. No response reveals whether an address is known. */
export const emailRoutes = routesOf(emailEndpoints, {
  /**
   * Sends a code to an address and stores the password until the code is entered. The response is the same for every
   * address.
   */
  registerEmail: ({ c, deps, body: { email, password } }) =>
    askForCode(c, deps, email, (asking) => register(deps, asking, password)),

  /** Sends a new code for this browser's pending registration. The response is the same if there is none. */
  resendEmailCode: ({ c, deps, body: { email } }) =>
    askForCode(c, deps, email, (asking) => resendCode(deps, asking)),

  /**
   * Verifies the address with its code: sets a claim ticket or, in revision `direct`, a session. 400 for any other
   * code.
   */
  async verifyEmail({ c, deps, body: { email, code, popup = null } }) {
    const input = { email, code, boundTo: emailBinding(c, deps) };
    const outcome = await verifyRegistration(deps, input, signInContext(c, deps, popup));
    clearEmailCookie(c, deps);
    answerSignIn(c, deps, outcome);
    return outcome.type === 'signed_in' ? undefined : { claim: true };
  },

  /** Signs in. 401 for any fault, 429 after ten wrong passwords for one account, 403 if it is suspended. */
  async signInWithPassword({ c, deps, body: { email, password, popup = null } }) {
    const input = { email, password, device: readDevice(c, deps, email) };
    const tokens = await signInWithPassword(deps, input, signInContext(c, deps, popup));
    setSessionCookies(c, deps, tokens, deps.now());
  },

  /** Sends a code for replacing a forgotten password. The response is the same for every address. */
  async forgotPassword({ c, deps, body: { email } }) {
    const device = readDevice(c, deps, email);
    await askForCode(c, deps, email, (asking) => forgetPassword(deps, asking, device));
  },

  /** Replaces a forgotten password, and revokes every session of its owner. 400 for a wrong code. */
  async resetPassword({ c, deps, body: { email, code, password } }) {
    const boundTo = emailBinding(c, deps);
    const device = readDevice(c, deps, email);
    await resetPassword(deps, { email, code, password, boundTo, device, client: clientInfo(c) });
    clearEmailCookie(c, deps);
    rememberDevice(c, deps, email);
  },

  /**
   * Sends a code to an address to link, and stores the password until the code is entered. 403 without a recent
   * sign-in.
   */
  linkEmail: ({ c, deps, actor: { handle, sessionId }, body }) =>
    startEmailLink(deps, { ...body, handle, sessionId, locale: localeOf(c) }),

  /** Links the address with its code. 400 for a wrong code, 403 without a recent sign-in. */
  async verifyLinkedEmail({ c, deps, actor: { sessionId }, body }) {
    const linked = await finishEmailLink(deps, { ...body, sessionId, client: clientInfo(c) });
    rememberDevice(c, deps, body.email);
    return linked;
  },

  /** Replaces the password, and revokes all other sessions. 403 without a recent sign-in, 404 without a password. */
  async changePassword({ c, deps, actor: { sessionId }, body: { password } }) {
    rememberDevice(c, deps, await changePassword(deps, { sessionId, password, client: clientInfo(c) }));
  },
});
