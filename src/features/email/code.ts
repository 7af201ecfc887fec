import { type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { randomText } from '../../lib/oslo.ts';
import { createSecret, deriveKeys, macOf, secretHash } from '../../lib/secret.ts';
import type { MailLocale, MessageKind } from '../mail/kinds.ts';
import { messageStatement, sendSoon } from '../mail/mail.ts';
import { insertPasswordTicket } from '../sign-in/statements.ts';
import type { emailCodes } from './tables.ts';
import { countTry, type Tries, tooManyTries } from './tries.ts';

/** The lifetime of a code, and of the requesting browser's cookie. */
export const codeTtlSeconds = 600;
/**
 * The number of codes per address and hour. The hourly email limit is the same; otherwise a new code could invalidate a
 * delivered one without being delivered itself. With five guesses each, this allows 25 guesses out of a million.
 */
const maxCodes = 5;
const windowMs = 3_600_000;
const guesses = 5;

/** The purpose of a code and the party it is bound to. */
export interface CodeScope {
  readonly purpose: Row<typeof emailCodes>['purpose'];
  readonly email: string;
  /** The digest of the requesting browser's cookie, or the linking session. */
  readonly boundTo: string;
}

/**
 * The characters of a code that gives access to an account. They include no vowels, which could form words, and no
 * look-alikes. With eight characters, a hundred guesses succeed once in 3.8 billion.
 */
const letters = '23456789BCDFGHJKMNPQRSTVWXYZ';
const codeLength = 8;

/** Eight characters in two groups. */
export function createLongCode(randomBytes: (length: number) => Uint8Array): string {
  const code = randomText(randomBytes, letters, codeLength);
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Six digits. */
export function createCode(randomBytes: (length: number) => Uint8Array): string {
  return randomText(randomBytes, '0123456789', 6);
}

/** The MACs of a code, one per SECRET_KEY. They cover address, purpose and browser, so the code works for no other. */
function codeMacs(deps: Deps, { purpose, email, boundTo }: CodeScope, code: string): string[] {
  const text = [purpose, email, boundTo, code.replace('-', '')].join('\n');
  return deriveKeys(deps.config.secretKeys, 'email-code').map((key) => macOf(key, text));
}

/** The row of a scope. */
function rowOf({ purpose, email, boundTo }: CodeScope): SQL {
  return sql`purpose = ${purpose} AND email = ${email} AND bound_to = ${boundTo}`;
}

/** A request for a code. */
export interface CodeRequest extends CodeScope {
  readonly now: number;
  readonly locale: MailLocale;
  /** The password hash that waits for the code. */
  readonly passwordHash: string | null;
  /** True if the address gets an email that explains why it gets no code. */
  readonly isPointless: SQL;
  /** A further condition, such as on a session that links. */
  readonly when?: SQL;
  /** The counter for codes; the address by default. */
  readonly countedAs?: SQL;
  readonly mails: readonly CodeMail[];
}

/** An email that may result from a request for a code. */
interface CodeMail {
  readonly kind: MessageKind;
  /** True if the email contains the code, false if it is sent in place of a code. */
  readonly hasCode: boolean;
  readonly when?: SQL;
  readonly params?: Readonly<Record<string, string>>;
}

/** The statements that create a code, and the resulting counter of the address. */
export type CodeBatch = { readonly code: readonly Statement[]; readonly count: Statement<Tries> };

/**
 * Sends a code to an address, known or not (see `codeStatements`).
 * @throws AppError rate_limited
 */
export async function sendCode(deps: Deps, request: CodeRequest): Promise<void> {
  const { count } = await run(deps.db, await codeStatements(deps, request));
  sendSoon(deps);
  requireCodeAllowed(count, request.now);
}

/**
 * Replaces the code pending in this browser with a new one. The old code stops working; the stored password stays. If
 * no code is pending, nothing is sent.
 * @throws AppError rate_limited
 */
export async function sendNewerCode(
  deps: Deps,
  request: Omit<CodeRequest, 'passwordHash' | 'isPointless' | 'when'>,
): Promise<void> {
  const { now } = request;
  const key = countKey(request);
  const { mac, decoy, made, mails, expiresAt } = await newCode(deps, request);
  const renewal = statement(sql`UPDATE email_codes SET mac = iif(mac LIKE 'unfit:%', ${decoy}, ${mac}),
      tries_left = ${guesses}, expires_at = ${expiresAt}
    WHERE ${rowOf(request)} AND used_by IS NULL AND expires_at > ${now} AND NOT ${made} AND ${isAllowed(key)}`);
  const { count } = await run(deps.db, {
    code: [countCode(key, now, sql`NOT ${made}`), renewal, ...mails],
    count: selectCount(key),
  });
  sendSoon(deps);
  requireCodeAllowed(count, now);
}

/**
 * Creates a code, or the appearance of one. All addresses are treated alike, known or not: the request is counted, a
 * row replaces the older one, and an email is sent. If the address gets no code, the row contains a decoy that no code
 * matches. A retry after a lost response finds its own row and changes nothing.
 */
export async function codeStatements(deps: Deps, request: CodeRequest): Promise<CodeBatch> {
  const { now, purpose, email, boundTo, passwordHash, isPointless, when = sql`true` } = request;
  const { mac, decoy, made, mails, expiresAt } = await newCode(deps, request);
  const key = countKey(request);
  const insertion = statement(sql`INSERT INTO email_codes
      (purpose, email, bound_to, mac, password_hash, tries_left, expires_at)
    SELECT ${purpose}, ${email}, ${boundTo}, iif(${isPointless}, ${decoy}, ${mac}),
      iif(${isPointless}, NULL, ${passwordHash}), ${guesses}, ${expiresAt}
    WHERE ${isAllowed(key)} AND ${when}
    ON CONFLICT (purpose, email, bound_to) DO UPDATE SET mac = excluded.mac, password_hash = excluded.password_hash,
      tries_left = excluded.tries_left, expires_at = excluded.expires_at, used_by = NULL
      WHERE email_codes.mac NOT IN (${mac}, ${decoy})`);
  return {
    code: [countCode(key, now, sql`NOT ${made} AND ${when}`), insertion, ...mails],
    count: selectCount(key),
  };
}

interface NewCode {
  readonly mac: string;
  /** Stored in place of a MAC if no code may match. A MAC contains no colon. */
  readonly decoy: string;
  readonly expiresAt: number;
  /** True if this request has already written its row. */
  readonly made: SQL;
  readonly mails: readonly Statement[];
}

async function newCode(
  deps: Deps,
  request: Pick<CodeRequest, keyof CodeScope | 'now' | 'locale' | 'mails'>,
): Promise<NewCode> {
  const { now, locale, email: recipient, mails, purpose } = request;
  const code = (purpose === 'reset' ? createLongCode : createCode)(deps.randomBytes);
  const codeParams = { code, minutes: String(codeTtlSeconds / 60) };
  const [mac = ''] = codeMacs(deps, request, code);
  const decoy = `unfit:${createSecret(deps.randomBytes)}`;
  const has = (value: string) =>
    sql`EXISTS (SELECT 1 FROM email_codes WHERE ${rowOf(request)} AND mac = ${value})`;
  return {
    mac,
    decoy,
    expiresAt: now + codeTtlSeconds * 1000,
    made: sql`(${has(mac)} OR ${has(decoy)})`,
    mails: await Promise.all(
      mails.map(({ kind, hasCode, when = sql`true`, params = hasCode ? codeParams : {} }) =>
        messageStatement(deps, {
          kind,
          recipient,
          locale,
          params,
          when: sql`${has(hasCode ? mac : decoy)} AND ${when}`,
          now,
        }),
      ),
    ),
  };
}

function countKey({ email, countedAs }: Pick<CodeRequest, 'email' | 'countedAs'>): SQL {
  return sql`'code ' || ${countedAs ?? secretHash(email)}`;
}

/**
 * Counts a code. The hour starts with the newest allowed code, not the first: emails are counted over the last hour, so
 * a counter that restarted earlier would create codes without an email.
 */
function countCode(key: SQL, now: number, when: SQL): Statement {
  return countTry({ key, endsAt: now + windowMs, now, when, extendedBelow: maxCodes });
}

function isAllowed(key: SQL): SQL {
  return sql`(SELECT tries FROM secret_tries WHERE key = ${key}) <= ${maxCodes}`;
}

function selectCount(key: SQL): Statement<Tries> {
  return statement(sql`SELECT tries, resets_at FROM secret_tries WHERE key = ${key}`);
}

/** @throws AppError rate_limited if too many codes were sent to the address, whether or not it is known */
export function requireCodeAllowed([count]: readonly Tries[], now: number): void {
  if (count && count.tries > maxCodes) throw tooManyTries(count, now, true);
}

/** One use of a code: created once per request and kept for its retries. */
export interface CodeUse extends CodeScope {
  readonly id: string;
  readonly now: number;
}

/**
 * Counts a guess, and consumes the code if the guess is right. Of any number of requests with the right code, only one
 * consumes it; after the fifth guess none can.
 */
export function useCodeStatement(deps: Deps, use: CodeUse, code: string, when: SQL = sql`true`): Statement {
  const macs = JSON.stringify(codeMacs(deps, use, code));
  return statement(sql`UPDATE email_codes SET tries_left = tries_left - 1,
      used_by = iif(mac IN (SELECT value FROM json_each(${macs})), ${use.id}, NULL)
    WHERE ${canBeUsed(use)} AND ${when}`);
}

function canBeUsed(use: CodeUse): SQL {
  return sql`${rowOf(use)} AND tries_left > 0 AND used_by IS NULL AND expires_at > ${use.now}`;
}

/** True if a guess will be checked, because there is a code that can still be used. */
export function isExpected(use: CodeUse): SQL {
  return sql`EXISTS (SELECT 1 FROM email_codes WHERE ${canBeUsed(use)})`;
}

/** True if this request has consumed the code. */
export function usedCode(use: CodeUse): SQL {
  return sql`EXISTS (SELECT 1 FROM email_codes WHERE ${rowOf(use)} AND used_by = ${use.id})`;
}

/** Reads whether this request has consumed the code. Always returns one row. */
export function usedCodeStatement(use: CodeUse): Statement<{ correct: number }> {
  return statement(sql`SELECT ${usedCode(use)} AS correct`);
}

/** Deletes the codes that could reset the password of an address. */
export function deleteResetCodes({ email, when }: { readonly email: string; readonly when: SQL }): Statement {
  return statement(sql`DELETE FROM email_codes WHERE purpose = 'reset' AND email = ${email} AND ${when}`);
}

/** Deletes every code, after a restore that may have brought back a used one. */
export function deleteAllCodes(): Statement {
  return statement(sql`DELETE FROM email_codes`);
}

/** Turns the address and password stored with a code into a ticket, after the code is used. */
export function codeTicketStatement(use: CodeUse, hash: string, expiresAt: number): Statement {
  const rows = sql`SELECT email, password_hash FROM email_codes WHERE ${rowOf(use)} AND used_by = ${use.id}`;
  return insertPasswordTicket({ hash, rows, expiresAt });
}
