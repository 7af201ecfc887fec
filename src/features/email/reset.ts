import { only, run, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { present } from '../../lib/present.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { decisionOf } from '../identity/decision.ts';
import { sendSoon } from '../mail/mail.ts';
import { createDeviceLink, type Device } from '../session/device-cookie.ts';
import { type CodeUse, isExpected, sendCode, useCodeStatement, usedCode } from './code.ts';
import type { Asking } from './cookie.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { replaceStatements } from './replace.ts';
import { countedAs, failureStatements, isClosed, isKnown, willBeClosed } from './tries.ts';

/**
 * Sends a code for replacing a forgotten password in this browser. An address without a password gets an email that
 * explains this instead; after too many wrong guesses at its codes, an address gets a link that makes a browser known.
 * The response is the same.
 * @throws AppError rate_limited
 */
export async function forgetPassword(deps: Deps, asking: Asking, device: Device | null): Promise<void> {
  const now = deps.now();
  const { email } = asking;
  const guesser = { email, device, now };
  const hasPassword = sql`EXISTS (SELECT 1 FROM credentials
    WHERE provider = 'email' AND provider_user_id = ${email})`;
  const known = isKnown(guesser);
  await sendCode(deps, {
    ...asking,
    purpose: 'reset',
    now,
    passwordHash: null,
    isPointless: sql`(NOT ${hasPassword} OR ${willBeClosed('reset', guesser)})`,
    countedAs: countedAs(guesser, sql`${secretHash(email)}`),
    mails: [
      { kind: 'reset_code', hasCode: true, when: sql`NOT ${known}` },
      { kind: 'known_reset_code', hasCode: true, when: known },
      { kind: 'reset_unknown', hasCode: false, when: sql`NOT ${hasPassword}` },
      {
        kind: 'reset_closed',
        hasCode: false,
        when: hasPassword,
        params: { browser: createDeviceLink(deps, email) },
      },
    ],
  });
}

interface ResetInput {
  readonly email: string;
  readonly boundTo: string | null;
  readonly code: string;
  readonly password: string;
  /** This browser, if the account has signed in here before. */
  readonly device: Device | null;
  readonly client: ClientInfo;
}

/**
 * Replaces a forgotten password with the emailed code, in the requesting browser. Revokes every session of the
 * identity, notifies its addresses, cancels its other codes, and clears its wrong guesses and known browsers.
 * @returns the handle of the identity
 * @throws PasswordRefused; AppError code_refused for any fault in the code; unavailable
 */
export async function resetPassword(deps: Deps, input: ResetInput): Promise<string> {
  const { email, boundTo, code, password, device, client } = input;
  await requireGoodPassword(deps, password, { email });
  const hash = await hashPassword(deps, password);
  if (boundTo === null)
    throw new AppError('code_refused', null, { reason: 'this browser has not requested a code' });
  const now = deps.now();
  const id = createSecret(deps.randomBytes);
  const use: CodeUse = { id, purpose: 'reset', email, boundTo, now };
  const guesser = { email, device, now };
  // A retry finds the hash already stored: its salt is random, so no other request can have stored it.
  const decision = decisionOf({
    id,
    from: sql`LEFT JOIN credentials c ON c.provider = 'email' AND c.provider_user_id = ${email}`,
    requirements: {
      done: sql`c.password_hash IS NOT ${hash}`,
      code_refused: sql`c.id IS NOT NULL AND ${usedCode(use)}`,
    },
    verdict: 'reset',
    handle: sql`c.handle`,
    credentialId: sql`c.id`,
  });
  const { decided } = await run(deps.db, {
    ...(await failureStatements(deps, { ...guesser, secret: 'reset', when: isExpected(use) })),
    reset: [
      useCodeStatement(deps, use, code, sql`NOT ${isClosed('reset', guesser)}`),
      decision.insert,
      ...(await replaceStatements(deps, { id, event: 'reset', sessionId: null, email, hash, client, now })),
    ],
    decided: decision.verdicts,
    end: decision.drop,
  });
  const { verdict, handle } = only(decided);
  if (verdict === 'code_refused') {
    deps.log.info('password.reset_refused', { provider: 'email' });
    throw new AppError('code_refused');
  }
  deps.log.info('password.reset', { handle });
  sendSoon(deps);
  return present(handle, 'the handle of a decision');
}
