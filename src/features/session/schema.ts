import * as z from 'zod/mini';
import { originOfAddress } from '../../lib/origin.ts';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { maxReturnToLength } from '../../lib/return-to.ts';
import { boundedText } from '../../lib/text-schema.ts';

/** The response to `getSession`: the signed-in person and the method. Times are ISO 8601 UTC. */
export const session = z.object({
  pid: z.string(),
  handle: z.string(),
  profile: z.object({ displayName: z.string(), locale: z.nullable(z.string()) }),
  session: z.object({
    id: z.string(),
    provider: z.string(),
    authenticatedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
  roles: z.array(z.string()),
  /** The primary address, verified; only with SESSION_EMAIL. */
  email: z.optional(z.nullable(z.string())),
});

export type Session = z.infer<typeof session>;

/** The query of GET /v1/auth/continue. The settings determine which origins are allowed. */
export const continueQuery = z.object({
  returnTo: boundedText('returnTo', maxReturnToLength).check(
    z.refine(
      (text) => originOfAddress(text) !== null,
      'returnTo must be an absolute address, such as https://app.example.com/cart',
    ),
  ),
});

/** The body of POST /v1/auth/logout, which may be missing. `everywhere` ends all of the person's sessions. */
export const logoutInput = z.object({
  everywhere: z.optional(z.boolean('everywhere must be a boolean')),
});

/** The query of GET /v1/sessions. */
export const sessionPageQuery = pageQuery(/^ses_[0-9a-z]{26}$/);

/** A place where the person is signed in. `device` and `country` are derived from the user agent and the IP address. */
export const listedSession = z.object({
  id: z.string(),
  provider: z.string(),
  device: z.nullable(z.string()),
  country: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  current: z.boolean(),
});

export type ListedSession = z.infer<typeof listedSession>;

/** The response to GET /v1/sessions. */
export const sessionPage = pageSchema(listedSession);
