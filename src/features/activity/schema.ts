import * as z from 'zod';
import { pageQuery, pageSchema } from '../../lib/page.ts';

/** The query of GET /v1/me/activity. */
export const activityPageQuery = pageQuery(/^\d{1,15}$/);

/**
 * One thing that happened to an identity: `session.started`, `session.ended`, `credential.linked` or
 * `credential.unlinked`. `reason` says why a session ended; `device` and `country` are the session's.
 */
export const activityEntry = z.object({
  type: z.string(),
  at: z.iso.datetime(),
  provider: z.string().nullable(),
  reason: z.string().nullable(),
  device: z.string().nullable(),
  country: z.string().nullable(),
});

export type ActivityEntry = z.infer<typeof activityEntry>;

/** The answer of GET /v1/me/activity. */
export const activityPage = pageSchema(activityEntry);
