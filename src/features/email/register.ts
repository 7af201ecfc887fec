import { sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import type { MailLocale } from '../mail/kinds.ts';
import { sendSoon } from '../mail/mail.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import {
  type CodeUse,
  codeStatements,
  codeTicketStatement,
  renewStatements,
  requireCodeAllowed,
  useCodeStatement,
  usedCodeStatement,
} from './code.ts';
import { verifyDirectly } from './direct.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';

/** A browser that asks for a code. */
export interface Asking {
  readonly email: string;
  /** The digest of its cookie. */
  readonly boundTo: string;
  readonly locale: MailLocale;
}

const mails = { code: 'register_code', instead: 'register_known' } as const;

/**
 * Begins a registration: the password waits, hashed, with a code that goes to the address. Nothing belongs to
 * anybody yet; what is not proven in this browser is forgotten after ten minutes. An address that somebody has
 * already proven gets a mail that says so instead, and this answers the same.
 * @throws PasswordRefused; AppError rate_limited, unavailable
 */
export async function register(deps: Deps, asking: Asking, password: string): Promise<void> {
  const { email } = asking;
  await requireGoodPassword(deps, password, { email });
  const passwordHash = await hashPassword(deps, password);
  const now = deps.now();
  const isPointless = sql`EXISTS (SELECT 1 FROM emails WHERE email = ${email})`;
  const request = { ...asking, purpose: 'register', now, passwordHash, isPointless, mails } as const;
  const [, , , , [count]] = await deps.db.batch(await codeStatements(deps, request));
  sendSoon(deps);
  requireCodeAllowed(count, now);
}

/**
 * Sends a newer code for the registration that waits in this browser, if there is one. The older code is dead.
 * @throws AppError rate_limited
 */
export async function resendCode(deps: Deps, asking: Asking): Promise<void> {
  const now = deps.now();
  const request = { ...asking, purpose: 'register', now, mails } as const;
  const [, , , , [count]] = await deps.db.batch(await renewStatements(deps, request));
  sendSoon(deps);
  requireCodeAllowed(count, now);
}

/**
 * Proves the address of a registration by the code that was sent to it, in the browser that asked: the address and
 * the password that waits become a claim ticket, or, in interface revision `direct`, an identity at once.
 * @throws AppError code_refused, whatever is wrong with the code
 */
export async function verifyRegistration(
  deps: Deps,
  input: { readonly email: string; readonly boundTo: string | null; readonly code: string },
  context: SignInContext,
): Promise<SignInOutcome> {
  const { email, boundTo, code } = input;
  const { requestId } = context.client;
  if (boundTo === null)
    throw new AppError('code_refused', null, { reason: 'this browser asked for no code' });
  const now = deps.now();
  const attempt = createSecret(deps.randomBytes);
  const use: CodeUse = { purpose: 'register', email, boundTo, now, attempt };
  if (deps.config.INTERFACE_REVISION === 'direct') return verifyDirectly(deps, use, code, context);
  const ticket = createSecret(deps.randomBytes);
  const [, , [used]] = await deps.db.batch([
    useCodeStatement(deps, use, code),
    codeTicketStatement(use, secretHash(ticket), deps.config.CLAIM_TTL_SECONDS * 1000),
    usedCodeStatement(use),
  ]);
  const verdict = used?.correct ? 'claim_required' : 'code_refused';
  deps.log.info('sign_in', { requestId, provider: 'email', verdict });
  if (!used?.correct) throw new AppError('code_refused');
  return { type: 'claim_required', ticket };
}
