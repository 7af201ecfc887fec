import { sql } from 'drizzle-orm';
import { statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { createSecret } from '../../lib/secret.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { type CodeUse, codeStatements, requireCodeAllowed, useCodeStatement, usedCode } from './code.ts';
import { guessesKey } from './login.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import type { Asking } from './register.ts';

/**
 * Sends a code by which a forgotten password can be replaced in this browser. An address without a password gets a
 * mail that says so instead, and this answers the same.
 * @throws AppError rate_limited
 */
export async function forgetPassword(deps: Deps, asking: Asking): Promise<void> {
  const now = deps.now();
  const isPointless = sql`NOT EXISTS (SELECT 1 FROM credentials
    WHERE provider = 'email' AND provider_user_id = ${asking.email})`;
  const mails = { code: 'reset_code', instead: 'reset_unknown' } as const;
  const request = { ...asking, purpose: 'reset', now, passwordHash: null, isPointless, mails } as const;
  const [, , , , [count]] = await deps.db.batch(await codeStatements(deps, request));
  sendSoon(deps);
  requireCodeAllowed(count, now);
}

interface ResetInput {
  readonly email: string;
  readonly boundTo: string | null;
  readonly code: string;
  readonly password: string;
  readonly client: ClientInfo;
}

/**
 * Replaces a forgotten password by the code that was sent to its address, in the browser that asked. Every session
 * of the identity ends, its addresses are told, and codes and wrong guesses from before count no more.
 * @returns the handle of the identity
 * @throws PasswordRefused; AppError code_refused, whatever is wrong with the code; unavailable
 */
export async function resetPassword(deps: Deps, input: ResetInput): Promise<string> {
  const { email, boundTo, code, password } = input;
  await requireGoodPassword(deps, password, { email });
  const hash = await hashPassword(deps, password);
  if (boundTo === null)
    throw new AppError('code_refused', null, { reason: 'this browser asked for no code' });
  const now = deps.now();
  const use: CodeUse = { purpose: 'reset', email, boundTo, now, attempt: createSecret(deps.randomBytes) };
  const credential = sql`provider = 'email' AND provider_user_id = ${email}`;
  const handle = sql`(SELECT handle FROM credentials WHERE ${credential})`;
  const changed = sql`EXISTS (SELECT 1 FROM credentials WHERE ${credential} AND password_hash = ${hash})`;
  const [, , , , , , , [row]] = await deps.db.batch([
    useCodeStatement(deps, use, code),
    await noticeStatement(deps, {
      kind: 'password_reset',
      handle,
      when: usedCode(use),
      params: describeClient(input.client),
      now,
    }),
    statement(sql`INSERT INTO activity (handle, at, type, credential_id, detail)
      SELECT handle, ${now}, 'password.reset', id, 'email' FROM credentials WHERE ${credential} AND ${usedCode(use)}`),
    statement(sql`UPDATE credentials SET password_hash = ${hash} WHERE ${credential} AND ${usedCode(use)}`),
    statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'password'
      WHERE handle = ${handle} AND revoked_at IS NULL AND ${changed}`),
    statement(sql`DELETE FROM email_codes WHERE purpose = 'reset' AND email = ${email} AND ${changed}`),
    statement(sql`DELETE FROM secret_tries WHERE key = ${guessesKey(email)} AND ${changed}`),
    statement<{ handle: string | null }>(sql`SELECT handle FROM credentials
      WHERE ${credential} AND password_hash = ${hash}`),
  ]);
  if (!row?.handle) {
    deps.log.info('password.reset_refused', { provider: 'email' });
    throw new AppError('code_refused');
  }
  deps.log.info('password.reset', { handle: row.handle });
  sendSoon(deps);
  return row.handle;
}
