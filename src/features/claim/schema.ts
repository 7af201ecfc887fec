import * as z from 'zod/mini';
import { nameText } from '../../lib/text-schema.ts';

/** A person's display name. The text is the interface's own example of a validation error. */
export const displayName = nameText('displayName');

/** The body of POST /v1/auth/claim. Only `parseHandle` validates a handle. */
export const claimInput = z.object({
  handle: z.string('handle must be a string'),
  displayName: z.optional(displayName),
});

/** The body of POST /v1/auth/claim/link: the ticket that the person confirmed, by the `id` from GET /v1/auth/claim. */
export const linkTicketInput = z.object({ id: z.optional(z.string('id must be a string')) });

/** The response to GET /v1/auth/claim. `id` identifies the ticket. */
export const claimPreview = z.object({
  id: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  suggestedHandle: z.nullable(z.string()),
  expiresAt: z.iso.datetime(),
});

export type ClaimPreview = z.infer<typeof claimPreview>;

/** The response to GET /v1/auth/claim/handles/:handle. `pid` is null if the handle is invalid. */
export const handleCheck = z.object({
  handle: z.string(),
  pid: z.nullable(z.string()),
  available: z.boolean(),
  reason: z.nullable(z.enum(['invalid', 'reserved', 'taken'])),
  suggestions: z.array(z.string()),
});

export type HandleCheck = z.infer<typeof handleCheck>;
