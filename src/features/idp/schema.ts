import * as z from 'zod/mini';
import { providerIds } from '../../lib/credential-kinds.ts';
import { isLocalPath, originOfAddress } from '../../lib/origin.ts';
import { maxReturnToLength, returnToMessage } from '../../lib/return-to.ts';
import { boundedText } from '../../lib/text-schema.ts';

const someOf = [providerIds.slice(0, -1).join(', '), providerIds.at(-1)].join(' or ');
/** One of the external sign-ins. */
const providerId = z.enum(providerIds, `provider must be ${someOf}`);

const prompt = z.optional(z.enum(['login'], 'prompt must be login'));

/** The body of `getSignInUrl`; every field is optional. */
export const loginInput = z.object({
  provider: z._default(providerId, 'idp'),
  /** Makes the provider authenticate the person again, even with an existing session. */
  prompt,
  returnTo: z.optional(
    boundedText('returnTo', maxReturnToLength).check(
      z.refine((text) => isLocalPath(text) || originOfAddress(text) !== null, returnToMessage),
    ),
  ),
});

/** The body of `getLinkUrl`. */
export const linkInput = z.object({ provider: providerId, returnTo: loginInput.shape.returnTo });

/** The query of the navigation to a provider; anything else in it is ignored. */
export const startQuery = z.object({
  /** The popup request that the sign-in approves. */
  popup: z.optional(z.string().check(z.regex(/^[\w-]{22}$/, 'popup must be the id of a popup request'))),
  /** The result of `getLinkUrl`. */
  link: z.optional(z.string()),
  /** The target of the sign-in, as on `/signin`. A disallowed URL is ignored. */
  returnTo: z.optional(z.string()),
  /** Continues to the page that links the pending ticket. */
  claim: z.optional(z.enum(['link'], 'claim must be link')),
  /**
   * Makes the provider require a new sign-in. Any other value is ignored, as is any other parameter that a browser may
   * send.
   */
  prompt: z.catch(prompt, undefined),
});

export type StartQuery = z.output<typeof startQuery>;

/** The response to `getSignInUrl`: the path to open as a browser navigation. */
export const loginAnswer = z.object({ url: z.string() });

/** The query of a callback. Additional parameters of providers are ignored. */
export const callbackQuery = z.object({
  state: z.optional(z.string()),
  code: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  error: z.optional(z.string().check(z.maxLength(256))),
  iss: z.optional(z.string().check(z.maxLength(512))),
});

export type CallbackQuery = z.output<typeof callbackQuery>;

export const providerList = z.object({
  data: z.array(
    z.object({
      id: z.enum(providerIds),
      name: z.nullable(z.string()),
      kind: z.enum(['oidc', 'oauth2']),
      configured: z.boolean(),
    }),
  ),
});

export type ProviderList = z.infer<typeof providerList>;
