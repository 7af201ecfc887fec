import * as z from 'zod';
import { isFitForName } from '../../lib/display-name.ts';

/** A person's name as they want it shown. The text is the interface's own example of a validation error. */
export const displayName = z
  .string('displayName must be a string')
  .max(64, 'displayName must be shorter than or equal to 64 characters')
  .transform((text) => text.trim())
  .refine((text) => text.length > 0, 'displayName must not be empty')
  .refine(isFitForName, 'displayName must not contain control or invisible characters');

/** The body of POST /v1/auth/claim. What a handle may be is judged by `parseHandle`, in one place. */
export const claimInput = z.object({
  handle: z.string('handle must be a string'),
  displayName: displayName.optional(),
});

/** The answer of GET /v1/auth/claim. */
export const claimPreview = z.object({
  provider: z.string(),
  email: z.string().nullable(),
  displayName: z.string().nullable(),
  suggestedHandle: z.string().nullable(),
  expiresAt: z.iso.datetime(),
});

export type ClaimPreview = z.infer<typeof claimPreview>;

/** The answer of GET /v1/auth/claim/handles/:handle. `pid` is null when the handle is not valid at all. */
export const handleCheck = z.object({
  handle: z.string(),
  pid: z.string().nullable(),
  available: z.boolean(),
  reason: z.enum(['invalid', 'reserved', 'taken']).nullable(),
  suggestions: z.array(z.string()),
});

export type HandleCheck = z.infer<typeof handleCheck>;
