import * as z from 'zod/mini';
import { isLocalPath } from '../../lib/origin.ts';
import { boundedText } from '../../lib/text-schema.ts';

/** The body of POST /v1/auth/login; every field may be left out. */
export const loginInput = z.object({
  provider: z._default(z.enum(['idp'], 'provider must be idp'), 'idp'),
  returnTo: z.optional(
    boundedText('returnTo', 512).check(z.refine(isLocalPath, 'returnTo must be a path such as /settings')),
  ),
});

/** The answer of POST /v1/auth/login: the path to open as a browser navigation. */
export const loginAnswer = z.object({ url: z.string() });

/** The query of a callback. Providers may add more; it is ignored. */
export const callbackQuery = z.object({
  state: z.optional(z.string()),
  code: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  error: z.optional(z.string().check(z.maxLength(256))),
  iss: z.optional(z.string().check(z.maxLength(512))),
});

export const providerList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.nullable(z.string()),
      kind: z.enum(['oidc', 'oauth2']),
      configured: z.boolean(),
    }),
  ),
});

export type ProviderList = z.infer<typeof providerList>;
