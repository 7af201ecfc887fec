import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isBreached } from './breach.ts';
import { maxPasswordLength } from './schema.ts';

/** A password of so many pieces is among the first that a guesser tries, however long it is. */
const tooFewPieces = 3;

export type PasswordProblem = 'too_short' | 'too_long' | 'malformed' | 'common' | 'breached';

/** Why a password cannot be set. */
export class PasswordRefused extends AppError {
  readonly problem: PasswordProblem;

  constructor(problem: PasswordProblem, text: string) {
    super('validation_failed', [text], { reason: `password ${problem}` });
    this.problem = problem;
  }
}

/** Whose password it is to be: what others know about a person is no secret. */
interface Owner {
  readonly email: string;
  readonly handle?: string;
}

/**
 * Refuses a password that is too short, or that a guesser would try early. Which characters it consists of does
 * not matter, and every one of its characters counts.
 * @throws PasswordRefused
 */
export async function requireGoodPassword(deps: Deps, password: string, owner: Owner): Promise<void> {
  const text = password.normalize('NFC');
  const length = [...text].length;
  const least = deps.config.PASSWORD_MIN_LENGTH;
  if (!text.isWellFormed()) throw new PasswordRefused('malformed', 'password must be valid Unicode text');
  if (length < least) {
    throw new PasswordRefused('too_short', `password must be at least ${least} characters long`);
  }
  if (length > maxPasswordLength) {
    throw new PasswordRefused('too_long', `password must be at most ${maxPasswordLength} characters long`);
  }
  // Loaded when somebody first chooses a password: the list would weigh on every start of a Worker.
  const { countPieces } = await import('./password-pattern.ts');
  if (countPieces(text, wordsAbout(deps, owner)) <= tooFewPieces) {
    const text =
      'password must not be a common one, or put together from few common words, names or patterns';
    throw new PasswordRefused('common', text);
  }
  if (await isBreached(deps, password)) {
    throw new PasswordRefused('breached', 'password must not be one that is known from a leak');
  }
}

/** The person's names and those of the service: whole, in parts, and without what stands between the parts. */
function wordsAbout({ config }: Deps, { email, handle = '' }: Owner): string[] {
  const names = [...email.split('@'), handle, new URL(config.origin).hostname];
  const parts = names.map((name) => name.split(/[^\p{L}\p{N}]+/u));
  return ['peridot', ...names, ...parts.flat(), ...parts.map((each) => each.join(''))];
}
