import { activity } from '../features/activity/tables.ts';
import { auditLog } from '../features/admin/tables.ts';
import { credentials } from '../features/credential/tables.ts';
import { emailCodes, secretTries } from '../features/email/tables.ts';
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
import { mails } from '../features/mail/tables.ts';
import { passkeyChallenges } from '../features/passkey/tables.ts';
import { popupRequests } from '../features/popup/tables.ts';
import { sessions } from '../features/session/tables.ts';
import { claimTickets } from '../features/sign-in/tables.ts';
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
  emailCodes,
  emails,
  identities,
  jobLeases,
  mails,
  passkeyChallenges,
  pidJournal,
  popupRequests,
  profiles,
  rateBuckets,
  secretTries,
  sessions,
  settings,
  signingKeys,
  tripwire,
  usedOnce,
};
