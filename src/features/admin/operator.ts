import { type Row, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import type { identities, profiles } from '../identity/tables.ts';

/** An identity as shown to the operator on the command line. */
export interface Person {
  readonly pid: string;
  readonly status: string;
  readonly displayName: string | null;
  readonly createdAt: string;
  readonly closedAt: string | null;
  readonly liveSessions: number;
}

type PersonRow = Pick<Row<typeof identities>, 'status' | 'created_at' | 'closed_at'> & {
  display_name: Row<typeof profiles>['display_name'] | null;
};

/** Returns the current or former holder of a handle; null if there never was one. */
export async function readPerson(deps: Deps, handle: string): Promise<Person | null> {
  const {
    identity: [identity],
    live,
  } = await run(deps.db, {
    identity: statement<PersonRow>(sql`SELECT i.status, i.created_at, i.closed_at, p.display_name
      FROM identities i LEFT JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${handle}`),
    live: statement<{ id: string }>(sql`SELECT id FROM live_sessions
      WHERE handle = ${handle} AND expires_at > ${deps.now()}`),
  });
  if (!identity) return null;
  return {
    pid: pidOf(handle),
    status: identity.status,
    displayName: identity.display_name,
    createdAt: isoTime(identity.created_at),
    closedAt: identity.closed_at === null ? null : isoTime(identity.closed_at),
    liveSessions: live.length,
  };
}
