import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { utf8 } from '../../lib/encoding.ts';
import { fetchText } from '../../lib/fetch-text.ts';
import { maxPasswordLength } from './schema.ts';

export type PasswordProblem = 'too_short' | 'too_long' | 'malformed' | 'common' | 'breached';

/** The reason why a password is not acceptable. */
export class PasswordRefused extends AppError {
  readonly problem: PasswordProblem;

  constructor(problem: PasswordProblem, text: string) {
    super('validation_failed', [text], { reason: `password ${problem}` });
    this.problem = problem;
  }
}

/** Non-secret facts about the owner of a new password. */
interface Owner {
  readonly email: string;
  readonly handle?: string;
  readonly displayName?: string;
}

/**
 * Rejects a password that is too short or easily guessed (NIST SP 800-63B-4, section 3.1.1.2). No kind of character is
 * required, and every character is significant.
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
  // Loaded when someone first chooses a password, because the list would slow every Worker startup.
  const { isBlocked } = await import('./password-blocklist.ts');
  if (isBlocked(text, { words: wordsAbout(deps, owner), minLength: least })) {
    const problem =
      'password must not be a common one, or put together from few common words, names or patterns';
    throw new PasswordRefused('common', problem);
  }
  if (await isBreached(deps, password)) {
    throw new PasswordRefused('breached', 'password must not be one that is known from a leak');
  }
}

/** The names of the person and of the service: whole, in parts, and with the parts joined. */
function wordsAbout({ config }: Deps, { email, handle = '', displayName = '' }: Owner): string[] {
  const names = [...email.split('@'), handle, displayName, new URL(config.origin).hostname];
  const parts = names.map((name) => name.split(/[^\p{L}\p{N}]+/u));
  return ['peridot', ...parts.flat(), ...parts.map((each) => each.join(''))];
}

/** The person is waiting, and must get the response within two seconds, including the hash on a busy machine. */
const deadlineMs = 1_000;
const maxAnswerBytes = 1024 * 1024;

/**
 * Returns whether the service at BREACH_CHECK_URL (the range search of Have I Been Pwned, or a copy of it) lists a
 * password as leaked. The request contains only five characters of the digest, which hundreds of passwords share. The
 * response is padded, so that its length reveals nothing. Without a timely response, the password is treated as
 * unlisted.
 */
export async function isBreached(deps: Deps, password: string): Promise<boolean> {
  const { BREACH_CHECK_URL: base } = deps.config;
  if (base === undefined) return false;
  const digest = createHash('sha1')
    .update(utf8(password.normalize('NFC')))
    .digest('hex')
    .toUpperCase();
  const url = `${base.replace(/\/$/, '')}/${digest.slice(0, 5)}`;
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const request = new Request(url, { headers: { 'Add-Padding': 'true' }, signal, redirect: 'manual' });
    const lines = (await fetchText(deps.fetch, request, signal, maxAnswerBytes)).split('\n');
    // A padding line has a count of 0.
    return lines.some((line) => {
      const [suffix, count] = line.trim().split(':');
      return suffix?.toUpperCase() === digest.slice(5) && Number(count) > 0;
    });
  } catch (error) {
    deps.log.warn('breach_check.failed', { host: new URL(base).host, error });
    return false;
  }
}
