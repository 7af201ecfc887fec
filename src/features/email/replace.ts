import { type Statement, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { record } from '../activity/statements.ts';
import { setPassword } from '../credential/statements.ts';
import { isDecided } from '../identity/decision.ts';
import { noticeStatement } from '../mail/mail.ts';
import { endSessions } from '../session/statements.ts';
import { deleteResetCodes } from './code.ts';
import { reopenStatements } from './tries.ts';

interface Replacement {
  /** The decision, which identifies the owner and the credential. */
  readonly id: string;
  /** The verdict on which these statements depend. */
  readonly event: 'changed' | 'reset';
  /** The session to keep, if a session made the change. */
  readonly sessionId: string | null;
  readonly email: string;
  readonly hash: string;
  readonly client: ClientInfo;
  readonly now: number;
}

/** Replaces a password, revokes the owner's other sessions, notifies the owner, and clears codes and wrong guesses. */
export async function replaceStatements(deps: Deps, input: Replacement): Promise<Statement[]> {
  const { id, event, sessionId, email, hash, client, now } = input;
  const decision = sql`FROM decisions WHERE id = ${id} AND verdict = ${event}`;
  const owner = sql`(SELECT handle ${decision})`;
  const when = isDecided(id, event);
  const params = describeClient(client);
  const rows = sql`SELECT handle, credential_id, 'email' AS detail ${decision}`;
  return [
    await noticeStatement(deps, { kind: `password_${event}`, handle: owner, when, params, now }),
    record({ type: `password.${event}`, sessionId, rows, now }),
    setPassword({ hash, where: sql`id = (SELECT credential_id ${decision})` }),
    endSessions({ where: sql`handle = ${owner} AND id IS NOT ${sessionId}`, reason: 'password', now }),
    deleteResetCodes({ email, when }),
    ...reopenStatements(email, now, when),
  ];
}
