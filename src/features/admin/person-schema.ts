import * as z from 'zod/mini';
import { canonicalEmail } from '../../lib/email.ts';
import { handleOf } from '../../lib/id.ts';
import { levels } from '../../lib/level.ts';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { searchText } from '../../lib/search-text.ts';
import { boundedText, trimmedText } from '../../lib/text-schema.ts';
import { activityEntry } from '../account/schema.ts';
import { deposit } from '../deposit/schema.ts';
import { grant } from '../grant/schema.ts';
import { transaction, wallet } from '../ledger/schema.ts';
import { withdrawal } from '../withdrawal/schema.ts';
import { auditLine } from './schema.ts';

const time = z.iso.datetime();
const reason = trimmedText('reason', 500);

/** The API texts for rejected searches. */
export const searchTexts = {
  wildcard: 'q must not contain * or %',
  part: 'q must be a whole PID or email address',
} as const;

/** The query of GET /v1/admin/identities. */
export const peopleQuery = z.extend(pageQuery(/^[a-z0-9._-]{3,30}$/), {
  q: z.pipe(boundedText('q', 128), z.transform(searchText)).check(
    z.refine((text) => text.length > 0, { error: 'q must not be empty', abort: true }),
    z.refine((text) => !/[*%]/.test(text), searchTexts.wildcard),
    z.refine(
      (text) => !text.includes('@') || handleOf(text.toLowerCase()) !== null || canonicalEmail(text) !== null,
      searchTexts.part,
    ),
  ),
});

/** The response to GET /v1/admin/identities: people found by other fields, then those whose name begins with the text, in name order. */
export const foundPeople = pageSchema(
  z.object({
    pid: z.string(),
    displayName: z.nullable(z.string()),
    status: z.string(),
    /** When the PID was claimed. */
    createdAt: time,
    /** An email address, masked: `b…@example.com`. */
    email: z.nullable(z.string()),
    /** The field that matched the search. */
    foundBy: z.enum([
      'handle',
      'email',
      'name',
      'subject',
      'credential',
      'session',
      'request',
      'transaction',
    ]),
  }),
);

export type PeopleQuery = z.infer<typeof peopleQuery>;

export type FoundPeople = z.infer<typeof foundPeople>;

/** The response to GET /v1/admin/identities/:handle. Each list has the newest 20. */
export const person = z.object({
  pid: z.string(),
  handle: z.string(),
  status: z.string(),
  level: z.enum(levels),
  displayName: z.nullable(z.string()),
  createdAt: time,
  closedAt: z.nullable(time),
  emails: z.array(z.string()),
  credentials: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      subject: z.string(),
      /** The person's name for a passkey. */
      name: z.nullable(z.string()),
      email: z.nullable(z.string()),
      linkedAt: time,
      lastLoginAt: time,
    }),
  ),
  sessions: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      device: z.nullable(z.string()),
      address: z.nullable(z.string()),
      country: z.nullable(z.string()),
      createdAt: time,
      lastUsedAt: time,
    }),
  ),
  activity: z.array(activityEntry),
  grants: z.array(grant),
  wallet: z.nullable(wallet),
  transactions: z.array(transaction),
  deposits: z.array(deposit),
  withdrawals: z.array(withdrawal),
  /** Emails to the person's addresses, which are kept for about a day. */
  mails: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      to: z.string(),
      fate: z.enum(['waiting', 'sent', 'given_up']),
      tries: z.int(),
      createdAt: time,
      sentAt: z.nullable(time),
    }),
  ),
  audit: z.array(auditLine),
});

export type Person = z.infer<typeof person>;

/** The body of POST /v1/admin/identities/:handle/end-sessions: one session, or all of them. */
export const endSessionsInput = z.object({ id: z.optional(z.string('id must be a string')), reason });

/** The response to POST /v1/admin/identities/:handle/end-sessions. */
export const sessionsEnded = z.object({ pid: z.string(), liveSessions: z.int() });

/** The response to POST /v1/admin/identities/:handle/send-recovery. */
export const recoverySent = z.object({ pid: z.string(), addresses: z.int() });
