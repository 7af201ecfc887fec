import { activity } from '../features/activity/tables.ts';
import { auditLog } from '../features/admin/tables.ts';
import { claimTickets } from '../features/claim/tables.ts';
import { credentials } from '../features/credential/tables.ts';
import {
  attempts,
  closureBlockers,
  emails,
  identities,
  pidJournal,
  profiles,
  settings,
  tripwire,
} from '../features/identity/tables.ts';
import { usedOnce } from '../features/idp/tables.ts';
import { sessions } from '../features/session/tables.ts';
import { signingKeys } from '../features/signing-key/tables.ts';
import { jobLeases, rateBuckets } from './tables.ts';

/** Every table of the service; the migrations are checked against this list. */
export const tables = {
  activity,
  attempts,
  auditLog,
  claimTickets,
  closureBlockers,
  credentials,
  emails,
  identities,
  jobLeases,
  pidJournal,
  profiles,
  rateBuckets,
  sessions,
  settings,
  signingKeys,
  tripwire,
  usedOnce,
};
