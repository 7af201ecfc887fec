import * as z from 'zod/mini';

/** The public part of an identity: the response to GET /v1/identities/:pid. */
export const publicIdentity = z.object({
  pid: z.string(),
  displayName: z.string(),
  createdAt: z.iso.datetime(),
});

export type PublicIdentity = z.infer<typeof publicIdentity>;
