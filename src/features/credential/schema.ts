import * as z from 'zod/mini';
import { nameText } from '../../lib/text-schema.ts';

export const passkeyName = nameText('name');

/** A credential as shown to its owner (interface section 2). Times are ISO 8601 UTC. */
export const credential = z.object({
  id: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  linkedAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime(),
  /**
   * Only passkeys have these three: the name chosen by the owner, the last sign-in, and whether the passkey is synced.
   */
  name: z.optional(z.nullable(z.string())),
  lastUsedAt: z.optional(z.iso.datetime()),
  backedUp: z.optional(z.boolean()),
});

export type Credential = z.infer<typeof credential>;

/** The body of `renamePasskey`. */
export const credentialNameInput = z.object({ name: passkeyName });
