import { integer, purgeLimit, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { setDevicesBelow } from '../identity/statements.ts';

/**
 * Erases the devices and addresses from which a closed identity signed in: those of its newest 500 activity lines that
 * are left. The purge repeats it for older ones. Each session has an activity line, whose index finds ended sessions.
 * @param handle a subquery, or a bound handle; an identity that is not closed is unchanged
 */
export function forgetDevices(handle: SQL): [Statement, Statement] {
  const lines = sql`FROM activity WHERE handle = ${handle}
    AND seq < (SELECT devices_below FROM identities WHERE handle = ${handle}) ORDER BY seq DESC`;
  return [
    statement(sql`UPDATE sessions SET user_agent = NULL, address = NULL, country = NULL
      WHERE id IN (SELECT activity.session_id ${lines} LIMIT ${integer(purgeLimit)})`),
    setDevicesBelow(handle, sql`(SELECT seq ${lines} LIMIT 1 OFFSET ${integer(purgeLimit - 1)})`),
  ];
}
