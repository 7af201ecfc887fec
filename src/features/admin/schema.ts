import * as z from 'zod/mini';
import { trimmedText } from '../../lib/text-schema.ts';

/** The body of PATCH /v1/admin/identities/:handle. The reason is kept in the audit log. */
export const identityStatusInput = z.object({
  status: z.enum(['active', 'suspended'], 'status must be active or suspended'),
  reason: trimmedText('reason', 500),
});

export type IdentityStatusInput = z.infer<typeof identityStatusInput>;

/** The answer of PATCH /v1/admin/identities/:handle. */
export const identityStatus = z.object({ pid: z.string(), handle: z.string(), status: z.string() });

export type IdentityStatus = z.infer<typeof identityStatus>;
