import type { Result } from './errors.ts';
import type { Credential, LoginOutcome } from './types.ts';

/**
 * Email and password in the page's own form. No response reveals whether an address is registered. Codes are emailed,
 * expire after ten minutes, and work only in the browser that requested them. Malformed input is 400, with one message
 * per problem. Any method can fail with 429 or 503; `retryAfter` is the time to wait before the next attempt with this
 * address. After any other failure the request may still have succeeded: check with `getSession({ fresh: true })`.
 */
export interface EmailApi {
  /** Emails a code to a newcomer; the password takes effect when the code is verified. 400 for a weak password. */
  register(input: { email: string; password: string }): Promise<Result<{ sent: true }>>;
  /** Emails a new code if a registration is pending in this browser, and invalidates the previous one. */
  resend(email: string): Promise<Result<{ sent: true }>>;
  /**
   * Verifies a registration's address, which leads to the claim; a service with revision `direct` signs in immediately.
   * The snapshot is updated before the promise resolves. 400 for a wrong or expired code.
   */
  verify(input: { email: string; code: string }): Promise<Result<LoginOutcome>>;
  /**
   * Signs in and updates the snapshot before the promise resolves. 401 for any wrong input, 403 for a suspended
   * identity, 429 also after ten wrong passwords for one address.
   */
  login(input: { email: string; password: string }): Promise<Result<LoginOutcome>>;
  /** Emails a code for resetting a forgotten password. */
  forgot(email: string): Promise<Result<{ sent: true }>>;
  /**
   * Resets a forgotten password and revokes all of its owner's sessions, including this page's. Does not sign anyone
   * in. 400 for a weak password, and for a wrong or expired code.
   */
  reset(input: { email: string; code: string; password: string }): Promise<Result<{ ok: true }>>;
}

/** Email and password for a signed-in person. */
export interface OwnEmailApi {
  /**
   * Emails a code to an address to link; the password takes effect when the code is verified. Call it again for a new
   * code. 400 for a weak password, 403 without a recent sign-in, 409 if the person already has a password, 429 with
   * `retryAfter`.
   */
  linkEmail(input: { email: string; password: string }): Promise<Result<{ sent: true }>>;
  /**
   * Links the address and the password, in the session that requested the code. 400 for a wrong or expired code, 403
   * without a recent sign-in, 409 if the address now belongs to someone else.
   */
  verifyEmail(input: { email: string; code: string }): Promise<Result<Credential>>;
  /**
   * Changes the password and revokes all other sessions. 400 for a weak one, 403 without a recent sign-in, 404 without
   * a password.
   */
  changePassword(password: string): Promise<Result<{ ok: true }>>;
}
