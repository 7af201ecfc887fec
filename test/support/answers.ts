import { expect } from 'vitest';
import { type ErrorCode, errors } from '../../src/errors.ts';
import { addDays, jakartaDay, startOfDay } from '../../src/lib/jakarta.ts';
import { openBrowser } from './browser.ts';
import { dumpDatabase } from './database-dump.ts';
import { type Member, signIn, startSignIn } from './people.ts';
import type { Target } from './target.ts';

/** A response's status and body; an empty body is ''. */
export async function seen(answer: Response): Promise<[number, unknown]> {
  const text = await answer.text();
  return [answer.status, text === '' ? '' : JSON.parse(text)];
}

/**
 * Returns the expected result of `seen` for an error with its default text, with validation texts, or with a code whose
 * text varies.
 */
export function refusal(statusCode: number, message: string | string[], code?: ErrorCode): [number, unknown] {
  const all = Object.entries(errors);
  const [usual] = all.find(([, [status, text]]) => status === statusCode && text === message) ?? [];
  return [statusCode, { statusCode, message, code: code ?? usual ?? 'validation_failed' }];
}

export const unauthenticated = refusal(401, 'Authentication is required');
export const notFresh = refusal(403, 'Sign in again to continue');

/** Another browser in which the member signs in, with its own user agent. */
export async function anotherBrowser(
  target: Target,
  member: Member,
  userAgent?: string,
): Promise<Member['browser']> {
  const browser = openBrowser(target);
  if (userAgent === undefined) {
    await signIn(target, browser, member.claims);
    return browser;
  }
  const claims = { email_verified: true, ...member.claims };
  const { callback } = await startSignIn(target, browser, { claims });
  await browser.navigate(callback, { headers: { 'User-Agent': userAgent } });
  return browser;
}

/** Returns the id of a browser's session, from its refresh token. */
export async function sessionIdOf({ browser }: Pick<Member, 'browser'>): Promise<string> {
  return (await browser.cookie('pid_refresh', '/v1/auth/refresh'))?.split('.')[1] ?? '';
}

/**
 * Runs an action that must query the database only once and never the key-value store, if the target counts queries.
 */
export const inOneTrip = <T>(target: Target, act: () => Promise<T>): Promise<T> => inTrips(target, 1, act);

/** Asserts that an action takes this many round trips to the database, on targets that count them. */
export async function inTrips<T>(target: Target, trips: number, act: () => Promise<T>): Promise<T> {
  await target.settled?.();
  const before = target.trips();
  const result = await act();
  const after = target.trips();
  if (before && after) {
    expect([after.database - before.database, after.kv - before.kv]).toEqual([trips, 0]);
  }
  return result;
}

/**
 * Everything that the service has logged about responses sent so far. The lines of a separate process arrive slightly
 * later than its responses, but in order: all lines before that of a request made here are present.
 */
export async function settledLog(target: Target): Promise<string[]> {
  const id = (await target.request('/v1/nowhere')).headers.get('X-Request-Id') ?? 'no request id';
  await expect.poll(() => target.log().some((line) => line.includes(id))).toBe(true);
  return target.log();
}

/** Advances the clock to the next noon in Jakarta, so that no day ends while a test runs. */
export async function advanceToNoon(target: Target): Promise<void> {
  const noon = startOfDay(addDays(jakartaDay(target.now()), 1)) + 12 * 3_600_000;
  await target.advance(Math.ceil((noon - target.now()) / 1000));
}

/** Tables changed independently by scheduled work and background work. */
const restless = new Set(['job_leases', 'pid_journal', 'signing_keys']);

/** Tables whose rows are added by a request and then sent in the background: only their ids are compared. */
const outboxes = new Set(['mails', 'webhook_events']);

/** Every row that only a request changes, so that a test can show that a request changed nothing. */
export async function dumpRecords(target: Target): Promise<[string, unknown[]][]> {
  const tables: [string, { id?: unknown }[]][] = JSON.parse(await dumpDatabase(target));
  return tables
    .filter(([name]) => !restless.has(name))
    .map(([name, rows]) => [name, outboxes.has(name) ? rows.map(({ id }) => id) : rows]);
}
