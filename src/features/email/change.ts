import { first, only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { createSecret } from '../../lib/secret.ts';
import { decisionOf } from '../identity/decision.ts';
import { sendSoon } from '../mail/mail.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';
import { replaceStatements } from './replace.ts';

interface ChangeInput {
  readonly sessionId: string;
  readonly password: string;
  readonly client: ClientInfo;
}

/**
 * Replaces the password of the acting session's identity, revokes its other sessions, and notifies its addresses. A
 * recent sign-in with any credential takes the place of the old password.
 * @returns the address for signing in with the password
 * @throws PasswordRefused; AppError unauthenticated, not_fresh, unavailable
 * @throws AppError credential_not_found if the identity has no password
 */
export async function changePassword(deps: Deps, input: ChangeInput): Promise<string> {
  const { sessionId, password, client } = input;
  const { handle, displayName, credentialId, email } = await requireOwner(deps, sessionId, deps.now());
  await requireGoodPassword(deps, password, { email, handle, displayName });
  const hash = await hashPassword(deps, password);
  const now = deps.now();
  const id = createSecret(deps.randomBytes);
  // A retry finds the hash already stored: its salt is random, so no other request can have stored it.
  const decision = decisionOf({
    id,
    from: sql`LEFT JOIN ${actingSession(sessionId, now)} s ON true
      LEFT JOIN credentials c ON c.id = ${credentialId} AND c.provider = 'email' AND c.handle = s.handle`,
    requirements: {
      unauthenticated: sql`s.id IS NOT NULL`,
      done: sql`c.password_hash IS NOT ${hash}`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
      credential_not_found: sql`c.id IS NOT NULL`,
    },
    verdict: 'changed',
    handle: sql`s.handle`,
    credentialId: sql`c.id`,
  });
  const { decided } = await run(deps.db, {
    change: [
      decision.insert,
      ...(await replaceStatements(deps, { id, event: 'changed', sessionId, email, hash, client, now })),
    ],
    decided: decision.verdicts,
    end: decision.drop,
  });
  const { verdict } = only(decided);
  // The session was revoked, became stale or lost its password while the hash was computed.
  if (verdict !== 'changed' && verdict !== 'done') throw new AppError(verdict);
  deps.log.info('password.changed', { handle, sessionId });
  sendSoon(deps);
  return email;
}

interface Owner {
  readonly handle: string;
  readonly displayName: string;
  readonly credentialId: string;
  readonly email: string;
}

/**
 * Returns the person whose password the session may change.
 * @throws AppError unauthenticated, not_fresh, credential_not_found
 */
async function requireOwner(deps: Deps, sessionId: string, now: number): Promise<Owner> {
  const row = await first(
    deps.db,
    statement<Record<keyof Owner, string | null> & { not_fresh: number }>(sql`SELECT s.handle,
        p.display_name AS displayName, ${isStale(deps, now)} AS not_fresh, c.id AS credentialId, c.email
      FROM live_sessions s JOIN profiles p ON p.handle = s.handle
        LEFT JOIN credentials c ON c.handle = s.handle AND c.provider = 'email'
      WHERE s.id = ${sessionId} AND s.expires_at > ${now}`),
  );
  if (row === null) throw new AppError('unauthenticated');
  if (row.not_fresh) throw new AppError('not_fresh');
  const { handle, displayName, credentialId, email } = row;
  if (!handle || displayName === null || !credentialId || !email) throw new AppError('credential_not_found');
  return { handle, displayName, credentialId, email };
}
