import { type SQL, type Statement, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { isDecided } from '../identity/decision.ts';
import { noticeStatement } from '../mail/mail.ts';

const digits = [...'0123456789'];

/** A user agent without its version numbers, which change every few weeks. */
function withoutVersions(userAgent: SQL): SQL {
  return digits.reduce((text, digit) => sql`replace(${text}, ${sql.raw(`'${digit}'`)}, '')`, userAgent);
}

/**
 * The mail about a sign-in with a device that is new to the identity: none of its other sessions that are kept, live or
 * ended, has the same browser and system and the same country. Put it into the batch behind the session.
 * @param id of the session and of its decision
 */
export function newDeviceNotice(deps: Deps, { id, client, provider, now }: SignedIn): Promise<Statement> {
  const known = sql`SELECT 1 FROM activity a JOIN sessions s ON s.id = a.session_id
    WHERE a.handle = (SELECT handle FROM decisions WHERE id = ${id}) AND s.id <> ${id}
      AND s.country IS ${client.country}
      AND ${withoutVersions(sql`s.user_agent`)} IS ${client.userAgent?.replace(/\d/g, '') ?? null}`;
  return noticeStatement(deps, {
    kind: 'sign_in_new_device',
    handle: sql`SELECT handle FROM decisions WHERE id = ${id}`,
    when: sql`${isDecided(id, 'signed_in')} AND NOT EXISTS (${known})`,
    params: { provider, ...describeClient(client) },
    now,
  });
}

interface SignedIn {
  readonly id: string;
  readonly client: ClientInfo;
  readonly provider: string;
  readonly now: number;
}
