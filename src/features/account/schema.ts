import * as z from 'zod';
import { activityEntry } from '../activity/schema.ts';
import { displayName } from '../claim/schema.ts';

/** A language as BCP 47 writes it, in its canonical spelling. */
const locale = z
  .string('locale must be a string or null')
  .max(35, 'locale must be shorter than or equal to 35 characters')
  .transform((text, context) => {
    const canonical = canonicalLocale(text);
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: 'locale must be a language tag such as en or id-ID' });
    return z.NEVER;
  });

function canonicalLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** The body of PATCH /v1/me. What is absent stays as it is; `locale` null forgets the language. */
export const profileInput = z.object({
  displayName: displayName.optional(),
  locale: locale.nullable().optional(),
});

export type ProfileInput = z.infer<typeof profileInput>;

/** The body of DELETE /v1/me: one's own handle or PID, typed as a confirmation. */
export const closeInput = z.object({
  handle: z
    .string('handle must be a string')
    .max(64, 'handle must be shorter than or equal to 64 characters')
    .transform((text) => text.trim().toLowerCase().replace(/@pid$/, '')),
});

/** The answer of GET and PATCH /v1/me. */
export const me = z.object({
  pid: z.string(),
  handle: z.string(),
  createdAt: z.iso.datetime(),
  profile: z.object({ displayName: z.string(), locale: z.string().nullable() }),
  wallet: z.null(),
});

export type Me = z.infer<typeof me>;

const time = z.iso.datetime();

/** The answer of GET /v1/me/export: everything held about a person. Secrets and digests of them are left out. */
export const accountExport = z.object({
  exportedAt: time,
  /** False when the sessions or the activity were cut to their newest 10,000 rows. */
  complete: z.boolean(),
  identity: z.object({ pid: z.string(), handle: z.string(), status: z.string(), createdAt: time }),
  profile: z.object({ displayName: z.string(), locale: z.string().nullable(), updatedAt: time }),
  emails: z.array(z.object({ email: z.string(), verifiedAt: time })),
  credentials: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      providerUserId: z.string(),
      email: z.string().nullable(),
      name: z.string().nullable(),
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
      endedAt: time.nullable(),
      endedBecause: z.string().nullable(),
      userAgent: z.string().nullable(),
      address: z.string().nullable(),
      country: z.string().nullable(),
    }),
  ),
  activity: z.array(activityEntry),
});

export type AccountExport = z.infer<typeof accountExport>;
