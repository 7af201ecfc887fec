import type { Result } from './errors.ts';
import type { Credential, LoginOutcome } from './types.ts';

/**
 * Email and password in the page's own form. No answer tells whether an address is known. Codes come by mail, have six
 * digits and ten minutes, and fit only the browser that asked. What is no address, password or code at all is 400, with
 * a message for each fault. Any method can answer 429 or 503; `retryAfter` then says when to come back with this
 * address. A failure other than these may come after the service has done its part: ask `getSession({ fresh: true })`.
 */
export interface EmailApi {
  /** Mails a code to a newcomer; the password waits for it. 400 for a weak password. */
  register(input: { email: string; password: string }): Promise<Result<{ sent: true }>>;
  /** Mails another code when a registration waits in this browser; the code before is dead. */
  resend(email: string): Promise<Result<{ sent: true }>>;
  /**
   * Proves the address of a registration, which leads to the claim; a service of revision `direct` signs in at once.
   * The snapshot is new before the promise resolves. 400 for any other code, also one that is too old.
   */
  verify(input: { email: string; code: string }): Promise<Result<LoginOutcome>>;
  /**
   * Signs in; the snapshot is new before the promise resolves. 401 whatever is wrong, 403 when the identity is
   * suspended, 429 also after ten wrong passwords for one address.
   */
  login(input: { email: string; password: string }): Promise<Result<LoginOutcome>>;
  /** Mails a code by which a forgotten password can be replaced. */
  forgot(email: string): Promise<Result<{ sent: true }>>;
  /**
   * Replaces a forgotten password and ends every session of its owner, also one in this page; nobody is signed in by
   * it. 400 for a weak password, and for any other code.
   */
  reset(input: { email: string; code: string; password: string }): Promise<Result<{ ok: true }>>;
}

/** What a signed-in person does with an address and a password. */
export interface OwnEmailApi {
  /**
   * Mails a code to an address to link; the password waits for it. Again for another code. 400 for a weak password,
   * 403 unless signed in lately, 409 for who has a password already, 429 with `retryAfter`.
   */
  linkEmail(input: { email: string; password: string }): Promise<Result<{ sent: true }>>;
  /**
   * Links the address and the password by the code, in the session that asked. 400 for any other code, 403 unless
   * signed in lately, 409 when the address has become somebody else's.
   */
  verifyEmail(input: { email: string; code: string }): Promise<Result<Credential>>;
  /** Replaces the password and ends all other sessions. 400 for a weak one, 403 unless signed in lately, 404 without one. */
  changePassword(password: string): Promise<Result<{ ok: true }>>;
}
