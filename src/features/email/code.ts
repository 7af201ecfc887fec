import { type SQL, sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createSecret, deriveKeys, macOf, secretHash } from '../../lib/secret.ts';
import type { MailLocale, MessageKind } from '../mail/kinds.ts';
import { messageStatement } from '../mail/mail.ts';

/** How long a code is good, and how long the browser that asked for it is remembered. */
export const codeTtlSeconds = 600;
/**
 * So many codes an address gets before there is an hour without one, and so many mails reach it within any hour: a
 * newer code would kill one that arrived, and not arrive itself. With five guesses each that is 25 of a million.
 */
const maxCodes = 5;
const windowMs = 3_600_000;
const guesses = 5;

/** What a code is for, and who may use it. */
export interface CodeScope {
  readonly purpose: 'register' | 'link' | 'reset';
  readonly email: string;
  /** The digest of the asking browser's cookie, or the session that links. */
  readonly boundTo: string;
}

/** Six digits, each of the million equally likely: numbers beyond the last whole million are drawn again. */
export function createCode(randomBytes: (length: number) => Uint8Array<ArrayBuffer>): string {
  const million = 1_000_000;
  const limit = Math.floor(2 ** 32 / million) * million;
  for (;;) {
    const number = new DataView(randomBytes(4).buffer).getUint32(0);
    if (number < limit) return String(number % million).padStart(6, '0');
  }
}

/** A code as it is stored, under each SECRET_KEY that may have made it: it fits its address, purpose and browser alone. */
function codeMacs(deps: Deps, { purpose, email, boundTo }: CodeScope, code: string): string[] {
  const text = [purpose, email, boundTo, code].join('\n');
  return deriveKeys(deps.config.secretKeys, 'email-code').map((key) => macOf(key, text));
}

/** The row of a scope. */
function rowOf({ purpose, email, boundTo }: CodeScope): SQL {
  return sql`purpose = ${purpose} AND email = ${email} AND bound_to = ${boundTo}`;
}

/** A mail that goes out instead of a code, or with it. */
interface CodeRequest extends CodeScope {
  readonly now: number;
  readonly locale: MailLocale;
  /** The password that waits for the code, hashed. */
  readonly passwordHash: string | null;
  /** Whether the address gets no code but a mail that says why. */
  readonly isPointless: SQL;
  /** What must hold besides, as for a session that links. */
  readonly when?: SQL;
  readonly mails: { readonly code: MessageKind; readonly instead: MessageKind };
}

/** The counter of an address after a code was asked for. */
export interface CodeCount {
  tries: number;
  resets_at: number;
}

/** The statements that make a code; the last one answers the counter. */
export type CodeBatch = readonly [...[Statement, Statement, Statement, Statement], Statement<CodeCount>];

/**
 * Makes a code, or something that looks like one from outside. Every address is treated alike, known or not: it is
 * counted, a row is written that a newer one replaces, and a mail goes out. A row for an address that gets no code
 * holds nothing that a code could fit. Sent again after a lost answer, the batch finds its own row and changes nothing.
 */
export async function codeStatements(deps: Deps, request: CodeRequest): Promise<CodeBatch> {
  const { now, purpose, email, boundTo, passwordHash, isPointless } = request;
  const { made, expiresAt, ...parts } = await newCode(deps, request);
  const when = request.when ?? sql`true`;
  return [
    countStatement(email, now, sql`NOT ${made} AND ${when}`),
    statement(sql`INSERT INTO email_codes (purpose, email, bound_to, mac, password_hash, tries_left, expires_at)
      SELECT ${purpose}, ${email}, ${boundTo}, iif(${isPointless}, ${parts.unfit}, ${parts.mac}),
        iif(${isPointless}, NULL, ${passwordHash}), ${guesses}, ${expiresAt}
      WHERE ${isAllowed(email)} AND ${when}
      ON CONFLICT (purpose, email, bound_to) DO UPDATE SET mac = excluded.mac, password_hash = excluded.password_hash,
        tries_left = excluded.tries_left, expires_at = excluded.expires_at, used_by = NULL
        WHERE email_codes.mac NOT IN (${parts.mac}, ${parts.unfit})`),
    ...parts.mails,
    selectCount(email),
  ];
}

/**
 * Makes a newer code for one that waits: the older one is dead, and the password that waits stays. Without one that
 * waits in this browser nothing is sent.
 */
export async function renewStatements(
  deps: Deps,
  request: Omit<CodeRequest, 'passwordHash' | 'isPointless'>,
): Promise<CodeBatch> {
  const { now, email } = request;
  const { mac, unfit, made, mails, expiresAt } = await newCode(deps, request);
  return [
    countStatement(email, now, sql`NOT ${made}`),
    statement(sql`UPDATE email_codes SET mac = iif(mac LIKE 'unfit:%', ${unfit}, ${mac}), tries_left = ${guesses},
        expires_at = ${expiresAt}
      WHERE ${rowOf(request)} AND used_by IS NULL AND expires_at > ${now} AND NOT ${made} AND ${isAllowed(email)}`),
    ...mails,
    selectCount(email),
  ];
}

interface NewCode {
  readonly mac: string;
  /** What stands in the place of a code: a MAC has no colon. */
  readonly unfit: string;
  readonly expiresAt: number;
  /** Whether this very request has written its row. */
  readonly made: SQL;
  readonly mails: readonly [Statement, Statement];
}

async function newCode(
  deps: Deps,
  request: Pick<CodeRequest, keyof CodeScope | 'now' | 'locale' | 'mails'>,
): Promise<NewCode> {
  const { now, locale, email: recipient, mails } = request;
  const code = createCode(deps.randomBytes);
  const [mac = ''] = codeMacs(deps, request, code);
  const unfit = `unfit:${createSecret(deps.randomBytes)}`;
  const has = (value: string) =>
    sql`EXISTS (SELECT 1 FROM email_codes WHERE ${rowOf(request)} AND mac = ${value})`;
  return {
    mac,
    unfit,
    expiresAt: now + codeTtlSeconds * 1000,
    made: sql`(${has(mac)} OR ${has(unfit)})`,
    mails: [
      await messageStatement(deps, {
        kind: mails.code,
        recipient,
        locale,
        params: { code, minutes: String(codeTtlSeconds / 60) },
        when: has(mac),
        now,
      }),
      await messageStatement(deps, {
        kind: mails.instead,
        recipient,
        locale,
        params: {},
        when: has(unfit),
        now,
      }),
    ],
  };
}

function countKey(email: string): string {
  return `code ${secretHash(email)}`;
}

/**
 * Counts a code. The hour begins with the newest that is allowed, not with the first: mails are counted by what the
 * last hour saw, and a count that starts anew earlier would make codes whose mail is not written.
 */
function countStatement(email: string, now: number, when: SQL): Statement {
  return triesStatement(countKey(email), now, windowMs, { when, extendedBelow: maxCodes });
}

function isAllowed(email: string): SQL {
  return sql`(SELECT tries FROM secret_tries WHERE key = ${countKey(email)}) <= ${maxCodes}`;
}

function selectCount(email: string): Statement<CodeCount> {
  return statement(sql`SELECT tries, resets_at FROM secret_tries WHERE key = ${countKey(email)}`);
}

/**
 * Counts a try within a window that begins with the first one, and answers how many there were.
 * @param options.extendedBelow a try after fewer than so many begins the window anew, and goes on counting
 */
export function triesStatement(
  key: string,
  now: number,
  lastsMs: number,
  { when = sql`true`, extendedBelow = 0 }: { readonly when?: SQL; readonly extendedBelow?: number } = {},
): Statement<CodeCount> {
  return statement(sql`INSERT INTO secret_tries (key, tries, resets_at)
    SELECT ${key}, 1, ${now + lastsMs} WHERE ${when}
    ON CONFLICT (key) DO UPDATE SET tries = iif(resets_at <= ${now}, 1, tries + 1),
      resets_at = iif(resets_at <= ${now} OR tries < ${integer(extendedBelow)}, excluded.resets_at, resets_at)
    RETURNING tries, resets_at`);
}

/** @throws AppError rate_limited when the address was sent too many codes, whether or not it is known */
export function requireCodeAllowed(count: CodeCount | undefined, now: number): void {
  if (count && count.tries > maxCodes) throw tooManyTries(count, now);
}

/** @param count its window ends when trying again makes sense */
export function tooManyTries(count: CodeCount, now: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((count.resets_at - now) / 1000));
  return new AppError('rate_limited', null, { retryAfterSeconds });
}

/** One use of a code: made once per request and kept for its repeats. */
export interface CodeUse extends CodeScope {
  readonly now: number;
  readonly attempt: string;
}

/**
 * Counts a guess, and uses the code up when it is right. Of any number of requests with the right code one gets it;
 * after the fifth guess nobody does.
 */
export function useCodeStatement(deps: Deps, use: CodeUse, code: string, when: SQL = sql`true`): Statement {
  const macs = JSON.stringify(codeMacs(deps, use, code));
  return statement(sql`UPDATE email_codes SET tries_left = tries_left - 1,
      used_by = iif(mac IN (SELECT value FROM json_each(${macs})), ${use.attempt}, NULL)
    WHERE ${rowOf(use)} AND tries_left > 0 AND used_by IS NULL AND expires_at > ${use.now} AND ${when}`);
}

/** Whether this very request has used the code up. */
export function usedCode(use: CodeUse): SQL {
  return sql`EXISTS (SELECT 1 FROM email_codes WHERE ${rowOf(use)} AND used_by = ${use.attempt})`;
}

/** Answers one row: whether this very request has used the code up. */
export function usedCodeStatement(use: CodeUse): Statement<{ correct: number }> {
  return statement(sql`SELECT ${usedCode(use)} AS correct`);
}

/** Turns the address and the password that waited for a code into a ticket, once the code was used. */
export function codeTicketStatement(use: CodeUse, ticketHash: string, ttlMs: number): Statement {
  return statement(sql`INSERT INTO claim_tickets
      (hash, provider, provider_user_id, email, shown_email, password_hash, expires_at)
    SELECT ${ticketHash}, 'email', email, email, email, password_hash, ${integer(use.now + ttlMs)}
    FROM email_codes WHERE ${rowOf(use)} AND used_by = ${use.attempt} AND password_hash IS NOT NULL
    ON CONFLICT (hash) DO NOTHING`);
}
