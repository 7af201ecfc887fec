import * as z from 'zod/mini';

/** The public part of an identity: the answer of GET /v1/identities/:pid. */
export const publicIdentity = z.object({
  pid: z.string(),
  displayName: z.string(),
  createdAt: z.iso.datetime(),
});

export type PublicIdentity = z.infer<typeof publicIdentity>;
