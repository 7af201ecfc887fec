import * as z from 'zod/mini';
import { pageQuery, pageSchema } from '../../lib/page.ts';

/** The query of GET /v1/me/activity. */
export const activityPageQuery = pageQuery(/^\d{1,15}$/);

/**
 * One thing that happened to an identity: `session.started`, `session.ended`, `credential.linked`,
 * `credential.unlinked`, `password.changed` or `password.reset`. `reason` says why a session ended; `device` and `country` are the session's.
 */
export const activityEntry = z.object({
  type: z.string(),
  at: z.iso.datetime(),
  provider: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  device: z.nullable(z.string()),
  country: z.nullable(z.string()),
});

export type ActivityEntry = z.infer<typeof activityEntry>;

/** The answer of GET /v1/me/activity. */
export const activityPage = pageSchema(activityEntry);
