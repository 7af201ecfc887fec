import * as z from 'zod';

/** The body of PATCH /v1/admin/identities/:handle. The reason is kept in the audit log. */
export const identityStatusInput = z.object({
  status: z.enum(['active', 'suspended'], 'status must be active or suspended'),
  reason: z
    .string('reason must be a string')
    .max(500, 'reason must be shorter than or equal to 500 characters')
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, 'reason must not be empty'),
});

export type IdentityStatusInput = z.infer<typeof identityStatusInput>;

/** The answer of PATCH /v1/admin/identities/:handle. */
export const identityStatus = z.object({ pid: z.string(), handle: z.string(), status: z.string() });

export type IdentityStatus = z.infer<typeof identityStatus>;
