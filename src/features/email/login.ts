import { integer, only, run, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { Device } from '../session/device-cookie.ts';
import type { IssuedTokens } from '../session/session.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { signInKnown } from '../sign-in/sign-in.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { clearGuesses, countTry, failureStatements, guessesKey, isClosed, tooManyTries } from './tries.ts';

/** Guesses at one account's password, from anywhere, within a window that starts with the first. */
const maxGuesses = 10;
const windowMs = 5 * 60_000;

interface LoginInput {
  readonly email: string;
  readonly password: string;
  /** This browser, if the account has signed in here before. It is counted separately. */
  readonly device: Device | null;
}

interface StoredPassword {
  readonly id: string;
  readonly password_hash: string;
  readonly is_closed: number;
}

/**
 * Signs a person in with address and password. The guess is counted before the password is checked, so that parallel
 * requests share ten guesses; a sign-in clears the counters. An unknown address is treated alike: it is counted, and
 * the same hash is computed. The same applies to an account with too many consecutive wrong guesses, for which no
 * password matches.
 * @throws AppError password_refused for any fault; rate_limited after ten wrong guesses; unavailable
 * @throws AppError identity_suspended, only if the password is right
 */
export async function signInWithPassword(
  deps: Deps,
  { email, password, device }: LoginInput,
  context: SignInContext,
): Promise<IssuedTokens> {
  const now = deps.now();
  const { requestId } = context.client;
  const guesser = { email, device, now };
  const key = guessesKey(guesser);
  const when = sql`(SELECT tries FROM secret_tries WHERE key = ${key}) <= ${integer(maxGuesses)}`;
  const {
    counted,
    stored: [credential],
  } = await run(deps.db, {
    counted: countTry({ key, endsAt: now + windowMs, now }),
    ...(await failureStatements(deps, { ...guesser, secret: 'password', when })),
    stored:
      statement<StoredPassword>(sql`SELECT id, password_hash, ${isClosed('password', guesser)} AS is_closed
      FROM credentials WHERE provider = 'email' AND provider_user_id = ${email}`),
  });
  const count = only(counted);
  if (count.tries > maxGuesses) {
    deps.log.info('sign_in', { requestId, provider: 'email', verdict: 'too_many_guesses' });
    throw tooManyTries(count, now);
  }
  const { fits, isOutdated } = await verifyPassword(deps, password, credential?.password_hash ?? null);
  if (!credential || !fits || credential.is_closed) {
    const verdict = credential?.is_closed ? 'guessing_stopped' : 'password_refused';
    deps.log.info('sign_in', { requestId, provider: 'email', verdict });
    throw new AppError('password_refused');
  }
  const proof = {
    credentialId: credential.id,
    passwordHash: credential.password_hash,
    rehash: isOutdated ? await hashPassword(deps, password) : null,
    clearGuesses: (signedIn: SQL) => clearGuesses(guesser, signedIn),
  };
  return signInKnown(deps, { provider: 'email', subject: email, proof }, context);
}
