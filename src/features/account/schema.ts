import * as z from 'zod/mini';
import { levels } from '../../lib/level.ts';
import { pageSchema } from '../../lib/page.ts';
import { boundedText, readText } from '../../lib/text-schema.ts';
import { app } from '../app/schema.ts';
import { displayName } from '../claim/schema.ts';
import { deposit } from '../deposit/schema.ts';
import { grant } from '../grant/schema.ts';
import { maxAmount, transaction, walletSummary } from '../ledger/schema.ts';
import { withdrawal } from '../withdrawal/schema.ts';

/** A canonical BCP 47 language tag. */
const locale = readText(
  z
    .string('locale must be a string or null')
    .check(z.maxLength(35, 'locale must be shorter than or equal to 35 characters')),
  canonicalLocale,
  'locale must be a language tag such as en or id-ID',
);

function canonicalLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

const stepUpText = `stepUpAmount must be null or an integer from 0 to ${maxAmount}`;

/**
 * The body of PATCH /v1/me. Absent fields stay unchanged; a `locale` of null removes the language. A payment or
 * withdrawal above `stepUpAmount` needs a new sign-in; null disables this.
 */
export const profileInput = z.object({
  displayName: z.optional(displayName),
  locale: z.optional(z.nullable(locale)),
  stepUpAmount: z.optional(
    z.nullable(z.int(stepUpText).check(z.minimum(0, stepUpText), z.maximum(maxAmount, stepUpText))),
  ),
});

export type ProfileInput = z.infer<typeof profileInput>;

/** The body of DELETE /v1/me: the person's own handle or PID, typed to confirm. */
export const closeInput = z.object({
  handle: z.pipe(
    boundedText('handle', 64),
    z.transform((text) => text.trim().toLowerCase().replace(/@pid$/, '')),
  ),
});

/** The response to GET and PATCH /v1/me. */
export const me = z.object({
  pid: z.string(),
  handle: z.string(),
  createdAt: z.iso.datetime(),
  profile: z.object({ displayName: z.string(), locale: z.nullable(z.string()) }),
  /** The verified address of the earliest linked credential with an address. */
  email: z.nullable(z.string()),
  /** Approving a transfer above this amount needs a new sign-in; null disables this. */
  stepUpAmount: z.nullable(z.int()),
  /** Null until the person has a wallet. */
  wallet: z.nullable(walletSummary),
});

export type Me = z.infer<typeof me>;

const time = z.iso.datetime();

/**
 * An event of an identity: `identity.claimed`, `identity.verified`, `identity.unverified`, `session.started`,
 * `session.ended`, `credential.linked`, `credential.unlinked`, `password.changed`, `password.reset`, `profile.changed`,
 * `data.exported`, `app.created`, `app.changed`, `app.deleted`, `app.secret_rotated`, `app.secret_revoked`,
 * `grant.created` or `grant.revoked`. `reason` is why a session ended, `app` is the app's name, and `device` and
 * `country` belong to the session.
 */
export const activityEntry = z.object({
  type: z.string(),
  at: time,
  provider: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  app: z.nullable(z.string()),
  /** The rupiah that left or entered the wallet. */
  amount: z.nullable(z.int()),
  /** The payee's or payer's PID; for a withdrawal, the bank account. */
  party: z.nullable(z.string()),
  device: z.nullable(z.string()),
  country: z.nullable(z.string()),
});

export type ActivityEntry = z.infer<typeof activityEntry>;

/** The response to GET /v1/me/activity. */
export const activityPage = pageSchema(activityEntry);

const ended = { endedAt: z.nullable(time), endedBecause: z.nullable(z.string()) };

/** The response to GET /v1/me/export: all data about a person, without secrets or their digests. */
export const accountExport = z.object({
  exportedAt: time,
  identity: z.object({
    pid: z.string(),
    handle: z.string(),
    status: z.string(),
    createdAt: time,
    level: z.enum(levels),
  }),
  profile: z.object({
    displayName: z.string(),
    locale: z.nullable(z.string()),
    stepUpAmount: z.nullable(z.int()),
    updatedAt: time,
  }),
  emails: z.array(z.object({ email: z.string(), verifiedAt: time })),
  credentials: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      providerUserId: z.string(),
      email: z.nullable(z.string()),
      name: z.nullable(z.string()),
      linkedAt: time,
      lastLoginAt: time,
    }),
  ),
  sessions: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
      ...ended,
      userAgent: z.nullable(z.string()),
      address: z.nullable(z.string()),
      country: z.nullable(z.string()),
    }),
  ),
  activity: z.array(activityEntry),
  apps: z.array(app),
  grants: z.array(z.extend(grant, ended)),
  /** Sign-ins to apps. */
  appSessions: z.array(
    z.object({
      id: z.string(),
      appId: z.string(),
      scopes: z.array(z.string()),
      createdAt: time,
      lastUsedAt: z.nullable(time),
      expiresAt: time,
      ...ended,
    }),
  ),
  /** Every line of the wallet, oldest first. */
  wallet: z.nullable(z.extend(walletSummary, { transactions: z.array(transaction) })),
  /** Bank accounts as shown to the person, without the number. */
  withdrawals: z.array(withdrawal),
  /** Every deposit, newest first. */
  deposits: z.array(deposit),
  /** The last member. A file without it is truncated. */
  complete: z.literal(true),
});

export type AccountExport = z.infer<typeof accountExport>;
