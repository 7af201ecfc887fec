import { expect } from 'vitest';
import type { Target } from './target.ts';

/** The responses for error codes, byte for byte (interface section 7 and `X-Error-Code`). */
const answers = {
  state_invalid: [400, 'This sign-in was not started in this browser, or it has expired or was already used'],
  sign_in_cancelled: [400, 'The sign-in was cancelled'],
  provider_error: [400, 'The identity provider refused the sign-in'],
  prefetch_refused: [400, 'This address cannot be prefetched'],
  email_conflict: [409, 'Email sudah terhubung dengan akun lain'],
  provider_failed: [502, 'The identity provider did not respond as expected'],
  provider_not_configured: [503, 'The external sign-in is not configured on the server'],
} as const;

/** Counts the rows of everything that grants access, or could. */
export async function countAccounts(target: Target): Promise<Record<string, number>> {
  const tables = ['sessions', 'claim_tickets', 'identities', 'profiles', 'credentials', 'emails'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  const [row] = await target.rows<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return row ?? {};
}

/** The names of the cookies that a response sets, without those that it clears. */
export function cookiesSet(answer: Response): string[] {
  const pairs = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  return pairs.filter((pair) => !pair.endsWith('=')).map((pair) => pair.split('=', 1)[0] ?? '');
}

/** Expects a response to be the error, in the format for API callers. */
export async function expectError(answer: Response, code: keyof typeof answers): Promise<void> {
  const [statusCode, message] = answers[code];
  expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([statusCode, code]);
  expect(await answer.json()).toEqual({ statusCode, message, code });
}

/** Expects an action to end in the error, to set no cookie, and to leave no row behind. */
export async function expectNoSession(
  target: Target,
  code: keyof typeof answers,
  act: () => Promise<Response>,
): Promise<Response> {
  const before = await countAccounts(target);
  const answer = await act();
  expect(cookiesSet(answer)).toEqual([]);
  await expectError(answer.clone(), code);
  expect(await countAccounts(target)).toEqual(before);
  return answer;
}
