import { deleteExpired, type Statement, sql } from '../../db/database.ts';
import { nextWithDevices } from '../identity/statements.ts';
import { forgetDevices } from './forget-devices.ts';

export function purgeSessions(now: number): Statement {
  return deleteExpired(sql`sessions`, sql`id`, sql`expires_at`, now);
}

/** Erases up to 500 activity lines' devices of one closed identity. */
export function purgeDevices(): [Statement, Statement] {
  return forgetDevices(nextWithDevices);
}
