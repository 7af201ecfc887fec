import * as z from 'zod';

/** The answer of GET /v1/auth/session: who is signed in, and how. Times are ISO 8601 UTC. */
export const session = z.object({
  pid: z.string(),
  handle: z.string(),
  profile: z.object({ displayName: z.string(), locale: z.string().nullable() }),
  session: z.object({
    id: z.string(),
    provider: z.string(),
    authenticatedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
  roles: z.array(z.string()),
});

export type Session = z.infer<typeof session>;
