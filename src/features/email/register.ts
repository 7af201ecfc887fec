import { only, run, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { claimForNewcomer } from '../claim/newcomer.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import {
  type CodeUse,
  codeTicketStatement,
  sendCode,
  sendNewerCode,
  useCodeStatement,
  usedCodeStatement,
} from './code.ts';
import type { Asking } from './cookie.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';

const mails = [
  { kind: 'register_code', hasCode: true },
  { kind: 'register_known', hasCode: false },
] as const;

/**
 * Starts a registration: sends a code to the address, and stores the password hash until the code is entered. No
 * account exists yet; an address not verified in this browser is dropped after ten minutes. If the address already
 * belongs to someone, an email explains this instead; the response is the same.
 * @throws PasswordRefused; AppError rate_limited, unavailable
 */
export async function register(deps: Deps, asking: Asking, password: string): Promise<void> {
  const { email } = asking;
  await requireGoodPassword(deps, password, { email });
  const passwordHash = await hashPassword(deps, password);
  const now = deps.now();
  const isPointless = sql`EXISTS (SELECT 1 FROM emails WHERE email = ${email})`;
  const request = { ...asking, purpose: 'register', now, passwordHash, isPointless, mails } as const;
  await sendCode(deps, request);
}

/**
 * Sends a new code for this browser's pending registration, if any. The old code stops working.
 * @throws AppError rate_limited
 */
export function resendCode(deps: Deps, asking: Asking): Promise<void> {
  return sendNewerCode(deps, { ...asking, purpose: 'register', now: deps.now(), mails });
}

/**
 * Verifies the address of a registration with the emailed code, in the requesting browser. The address and the stored
 * password become a claim ticket or, in interface revision `direct`, immediately an identity.
 * @throws AppError code_refused for any fault in the code
 */
export async function verifyRegistration(
  deps: Deps,
  input: { readonly email: string; readonly boundTo: string | null; readonly code: string },
  context: SignInContext,
): Promise<SignInOutcome> {
  const { email, boundTo, code } = input;
  const { requestId } = context.client;
  if (boundTo === null)
    throw new AppError('code_refused', null, { reason: 'this browser has not requested a code' });
  const now = deps.now();
  const use: CodeUse = { id: createSecret(deps.randomBytes), purpose: 'register', email, boundTo, now };
  const ticket = createSecret(deps.randomBytes);
  const { used } = await run(deps.db, {
    ticket: [
      useCodeStatement(deps, use, code),
      codeTicketStatement(use, secretHash(ticket), now + deps.config.CLAIM_TTL_SECONDS * 1000),
    ],
    used: usedCodeStatement(use),
  });
  const { correct } = only(used);
  const verdict = correct ? 'claim_required' : 'code_refused';
  deps.log.info('sign_in', { requestId, provider: 'email', verdict });
  if (!correct) throw new AppError('code_refused');
  const newcomer = { email, displayName: null };
  const outcome = await claimForNewcomer(deps, { type: 'claim_required', ticket }, newcomer, context);
  if (outcome === null) throw new AppError('code_refused', null, { reason: 'the address was claimed' });
  return outcome;
}
