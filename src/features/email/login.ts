import { type SQL, sql } from 'drizzle-orm';
import { only, run, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { secretHash } from '../../lib/secret.ts';
import type { IssuedTokens } from '../session/session.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { signInKnown } from '../sign-in/sign-in.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { clearTries, countTry, tooManyTries } from './tries.ts';

/** Guesses at the password of one account, from anywhere, within a window that begins with the first. */
const maxGuesses = 10;
const windowMs = 5 * 60_000;

/** The counter of guesses at an account. */
export function guessesKey(email: string): string {
  return `password ${secretHash(email)}`;
}

/**
 * Signs a person in by address and password. The guess is counted before the password is checked, so that parallel
 * requests get ten guesses together; a sign-in clears the counter. An unknown address is treated alike: it is counted,
 * and the same hash is made.
 * @throws AppError password_refused, whatever is wrong; rate_limited after ten wrong guesses; unavailable
 * @throws AppError identity_suspended, only if the password is right
 */
export async function signInWithPassword(
  deps: Deps,
  { email, password }: { readonly email: string; readonly password: string },
  context: SignInContext,
): Promise<IssuedTokens> {
  const now = deps.now();
  const { requestId } = context.client;
  const triesKey = guessesKey(email);
  const {
    counted,
    stored: [credential],
  } = await run(deps.db, {
    counted: countTry({ key: triesKey, windowMs, now }),
    stored: statement<{ id: string; password_hash: string }>(sql`SELECT id, password_hash FROM credentials
      WHERE provider = 'email' AND provider_user_id = ${email}`),
  });
  const count = only(counted);
  if (count.tries > maxGuesses) {
    deps.log.info('sign_in', { requestId, provider: 'email', verdict: 'too_many_guesses' });
    throw tooManyTries(count, now);
  }
  const { fits, isOutdated } = await verifyPassword(deps, password, credential?.password_hash ?? null);
  if (!credential || !fits) {
    deps.log.info('sign_in', { requestId, provider: 'email', verdict: 'password_refused' });
    throw new AppError('password_refused');
  }
  const proof = {
    credentialId: credential.id,
    passwordHash: credential.password_hash,
    rehash: isOutdated ? await hashPassword(deps, password) : null,
    clearGuesses: (signedIn: SQL) => clearTries({ key: triesKey, when: signedIn }),
  };
  return signInKnown(deps, { provider: 'email', subject: email, proof }, context);
}
