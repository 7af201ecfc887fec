import * as z from 'zod/mini';
import { levels } from '../../lib/level.ts';
import { trimmedText } from '../../lib/text-schema.ts';

const reason = trimmedText('reason', 500);

/** The body of PATCH /v1/admin/identities/:handle. The reason is stored in the audit log. */
export const identityStatusInput = z
  .object({
    status: z.optional(z.enum(['active', 'suspended'], 'status must be active or suspended')),
    /** Determines the wallet limits. */
    level: z.optional(z.enum(levels, 'level must be unverified or verified')),
    reason,
  })
  .check(
    z.refine(({ status, level }) => (status === undefined) !== (level === undefined), {
      path: ['status'],
      error: 'status or level must be given, and not both',
    }),
  );

export type IdentityStatusInput = z.infer<typeof identityStatusInput>;

/** The response to PATCH /v1/admin/identities/:handle. */
export const identityStatus = z.object({
  pid: z.string(),
  handle: z.string(),
  status: z.string(),
  level: z.enum(levels),
});

export type IdentityStatus = z.infer<typeof identityStatus>;
