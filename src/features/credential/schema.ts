import * as z from 'zod/mini';

/** A credential as its owner sees it (interface section 2). Times are ISO 8601 UTC. */
export const credential = z.object({
  id: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  linkedAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime(),
});

export type Credential = z.infer<typeof credential>;
