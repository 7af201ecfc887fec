import * as z from 'zod';
import { isLocalPath } from '../../lib/origin.ts';

/** The external sign-ins, as they stand in paths and in credentials. */
export const providerIds = ['idp', 'google', 'github'] as const;

export type ProviderId = (typeof providerIds)[number];

/** One of them; without a value the service's own provider. */
const providerId = z.enum(providerIds, 'provider must be idp, google or github');

/** The body of POST /v1/auth/login; every field may be left out. */
export const loginInput = z.object({
  provider: providerId.default('idp'),
  returnTo: z
    .string('returnTo must be a string')
    .max(512, 'returnTo must be shorter than or equal to 512 characters')
    .refine(isLocalPath, 'returnTo must be a path such as /settings')
    .optional(),
});

/** The body of POST /v1/credentials/link. */
export const linkInput = z.object({ provider: providerId, returnTo: loginInput.shape.returnTo });

/** The query of the navigation to a provider; whatever else it holds is ignored. */
export const startQuery = z.object({
  /** The popup request that the sign-in answers. */
  popup: z.optional(z.string().check(z.regex(/^[\w-]{22}$/, 'popup must be the id of a popup request'))),
  /** What POST /v1/credentials/link has answered. */
  link: z.optional(z.string()),
  /** Goes on to the page that links the waiting ticket. */
  claim: z.optional(z.enum(['link'], 'claim must be link')),
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
      id: z.enum(providerIds),
      name: z.string().nullable(),
      kind: z.enum(['oidc', 'oauth2']),
      configured: z.boolean(),
    }),
  ),
});

export type ProviderList = z.infer<typeof providerList>;
