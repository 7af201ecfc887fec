import { only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import type { Credential } from '../credential/schema.ts';
import type { MailLocale } from '../mail/kinds.ts';
import { sendSoon } from '../mail/mail.ts';
import { freshHandle, isStale } from '../session/acting-session.ts';
import { concludeLink, createLink, linkStatements } from '../sign-in/link.ts';
import {
  type CodeUse,
  codeStatements,
  codeTicketStatement,
  requireCodeAllowed,
  useCodeStatement,
  usedCodeStatement,
} from './code.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';

/** The properties of the acting session needed for linking a password. */
interface LinkState {
  not_fresh: number;
  has_password: number;
}

interface LinkInput {
  readonly sessionId: string;
  readonly handle: string;
  readonly email: string;
  readonly password: string;
  readonly locale: MailLocale;
}

/**
 * Starts linking an address and a password to the acting session's identity by sending a code to the address. The
 * password is stored until the code is entered. If the address belongs to another identity, an email explains this
 * instead; the response is the same.
 * @throws PasswordRefused; AppError unauthenticated, not_fresh, rate_limited, unavailable
 * @throws AppError credential_already_linked if the identity has a password
 */
export async function startEmailLink(deps: Deps, input: LinkInput): Promise<void> {
  const { sessionId, handle, email, locale } = input;
  await requireGoodPassword(deps, input.password, { email, handle });
  const passwordHash = await hashPassword(deps, input.password);
  const now = deps.now();
  const fresh = freshHandle(deps, sessionId, now);
  const hasPassword = sql`EXISTS (SELECT 1 FROM credentials c WHERE c.handle = ${fresh} AND c.provider = 'email')`;
  const request = {
    purpose: 'link',
    email,
    boundTo: sessionId,
    now,
    locale,
    passwordHash,
    isPointless: sql`EXISTS (SELECT 1 FROM emails WHERE email = ${email} AND handle <> ${fresh})`,
    when: sql`${fresh} IS NOT NULL AND NOT ${hasPassword}`,
    mails: [
      { kind: 'link_code', hasCode: true },
      { kind: 'link_known', hasCode: false },
    ],
  } as const;
  const {
    count,
    state: [state],
  } = await run(deps.db, {
    ...(await codeStatements(deps, request)),
    state: statement<LinkState>(sql`SELECT ${isStale(deps, now)} AS not_fresh,
        EXISTS (SELECT 1 FROM credentials c WHERE c.handle = s.handle AND c.provider = 'email') AS has_password
      FROM live_sessions s WHERE s.id = ${sessionId} AND s.expires_at > ${now}`),
  });
  if (!state) throw new AppError('unauthenticated');
  if (state.not_fresh) throw new AppError('not_fresh');
  if (state.has_password)
    throw new AppError('credential_already_linked', null, { reason: 'password_exists' });
  sendSoon(deps);
  requireCodeAllowed(count, now);
}

interface FinishInput {
  readonly sessionId: string;
  readonly email: string;
  readonly code: string;
  readonly client: ClientInfo;
}

/**
 * Links the address and password stored with the code, and consumes the code in the same batch. A session that may not
 * link consumes no code.
 * @throws AppError code_refused for any fault in the code, and the errors of a link
 */
export async function finishEmailLink(deps: Deps, input: FinishInput): Promise<Credential> {
  const { sessionId, email, code } = input;
  const params = { provider: 'email', ...describeClient(input.client) };
  const link = createLink(deps, sessionId, { kind: 'credential_linked', params });
  const { now } = link;
  const use: CodeUse = { id: link.credentialId, purpose: 'link', email, boundTo: sessionId, now };
  const { used, linked } = await run(deps.db, {
    ticket: [
      useCodeStatement(deps, use, code, sql`${freshHandle(deps, sessionId, now)} IS NOT NULL`),
      codeTicketStatement(use, link.ticketHash, link.ticketExpiresAt),
    ],
    used: usedCodeStatement(use),
    ...(await linkStatements(deps, link)),
  });
  const row = only(linked);
  const isAllowed = row.verdict !== 'session_revoked' && row.verdict !== 'not_fresh';
  if (isAllowed && !only(used).correct) throw new AppError('code_refused');
  return concludeLink(deps, link, row);
}
