import * as z from 'zod';
import { isLocalPath } from '../../lib/origin.ts';

/** The body of POST /v1/auth/login; every field may be left out. */
export const loginInput = z.object({
  provider: z.enum(['idp'], 'provider must be idp').default('idp'),
  returnTo: z
    .string('returnTo must be a string')
    .max(512, 'returnTo must be shorter than or equal to 512 characters')
    .refine(isLocalPath, 'returnTo must be a path such as /settings')
    .optional(),
});

/** The answer of POST /v1/auth/login: the path to open as a browser navigation. */
export const loginAnswer = z.object({ url: z.string() });

/** The query of a callback. Providers may add more; it is ignored. */
export const callbackQuery = z.object({
  state: z.string().optional(),
  code: z.string().min(1).max(4096).optional(),
  error: z.string().max(256).optional(),
  iss: z.string().max(512).optional(),
});

export const providerList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      kind: z.enum(['oidc', 'oauth2']),
      configured: z.boolean(),
    }),
  ),
});

export type ProviderList = z.infer<typeof providerList>;
