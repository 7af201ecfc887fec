import * as z from 'zod/mini';
import { isLoopbackHost, isOrigin, recipientOf } from '../../lib/origin.ts';
import { pageSchema } from '../../lib/page.ts';
import { boundedText, nameText } from '../../lib/text-schema.ts';

/** `web` has a server that keeps a secret; `spa` (a page) and `native` have none. */
export const appTypes = ['web', 'spa', 'native'] as const;
/** Scopes that an app may request. */
export const appScopes = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'wallet:read',
  'fiat:deposit',
  'fiat:transfer',
  'fiat:refund',
  'fiat:read',
] as const;

/** The scopes of a new app: those that identify the signed-in person. A request without `scope` gets the same. */
export const identityScopes: readonly (typeof appScopes)[number][] = ['openid', 'profile', 'email'];

/** Signing algorithms for an app's ID tokens and logout tokens. */
export const idTokenAlgs = ['RS256', 'ES256'] as const;

/**
 * Whether every authorization request needs a PKCE challenge, or a `nonce` is accepted in its place, for an app with a
 * secret whose client does not support PKCE (RFC 9700 section 2.1.1).
 */
export const pkceRules = ['required', 'nonce'] as const;
/** The error text for an app without a secret, whose codes only PKCE protects. */
export const pkceNeeded = 'pkce must be required, because only a web app has a secret';
/** The error text for an app whose pages run in a browser, and which therefore has no device to sign in. */
export const noDeviceFlow = 'deviceFlow must be false for an app of type spa';

const maxEntries = 10;
const maxUrlLength = 500;
const maxOverlapSeconds = 604_800;
const safeUrl = 'must be an https URL or a loopback URL';

const name = nameText('name');

/** At most ten distinct entries. */
function list<Item extends z.ZodMiniType<string>>(item: Item) {
  return z.array(item).check(
    z.refine((entries) => entries.length <= maxEntries, `must have at most ${maxEntries} entries`),
    z.refine((entries) => new Set(entries).size === entries.length, 'must not repeat an entry'),
  );
}

const url = (message: string, isValid: (text: string) => boolean) =>
  z.string(message).check(z.maxLength(maxUrlLength, message), z.refine(isValid, message));

/** Other apps that may request tokens for an app's resource. */
export const clientList = z
  .array(z.string().check(z.refine(isClientOrAny, 'must be the id of an app, or * for any app')))
  .check(z.maxLength(50, 'clients must have at most 50 entries'));

/** A redirect URI of any app; a private-use scheme is for native apps. */
const redirectUri = url(safeUrl, (text) => isSafeUrl(text) || isPrivateScheme(text));

const fields = {
  name,
  redirectUris: list(redirectUri),
  postLogoutRedirectUris: list(redirectUri),
  allowedOrigins: list(
    url('must be an https or loopback origin', (text) => isOrigin(text) && isSafeUrl(text)),
  ),
  scopes: list(z.enum(appScopes)),
  homepageUrl: z.nullable(url(safeUrl, isSafeUrl)),
  privacyUrl: z.nullable(url(safeUrl, isSafeUrl)),
  /** Also checked by the handler, as `backchannelLogoutUri` is. */
  logoUrl: z.nullable(url('must be a public https URL', (text) => parsePlain(text) !== null)),
  /** Also checked by the handler, because the settings determine which addresses are public. */
  backchannelLogoutUri: z.nullable(url('must be a public https URL', (text) => parsePlain(text) !== null)),
  idTokenAlg: z.enum(idTokenAlgs),
  pkce: z.enum(pkceRules),
  deviceFlow: z.boolean('deviceFlow must be true or false'),
};

const including = (value: string) =>
  z.optional(z.array(z.string()).check(z.refine((entries) => entries.includes(value))));

/**
 * The metadata document of an unregistered client (draft-ietf-oauth-client-id-metadata-document, RFC 7591 section 2).
 * Such a client is public: it has neither a secret nor a key. Redirect URIs that no app may have are omitted.
 */
export const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.optional(z.string()),
  redirect_uris: z.pipe(
    z.array(z.string()),
    z.transform((uris) => uris.filter((uri) => redirectUri.safeParse(uri).success)),
  ),
  token_endpoint_auth_method: z.optional(z.literal('none')),
  client_secret: z.optional(z.never()),
  client_secret_expires_at: z.optional(z.never()),
  grant_types: including('authorization_code'),
  response_types: including('code'),
  scope: z.optional(z.string()),
});

/** The body of POST /v1/apps. */
export const appInput = z
  .object({
    name,
    type: z.enum(appTypes),
    redirectUris: z._default(fields.redirectUris, []),
    postLogoutRedirectUris: z._default(fields.postLogoutRedirectUris, []),
    allowedOrigins: z._default(fields.allowedOrigins, []),
    scopes: z._default(fields.scopes, [...identityScopes]),
    homepageUrl: z._default(fields.homepageUrl, null),
    privacyUrl: z._default(fields.privacyUrl, null),
    logoUrl: z._default(fields.logoUrl, null),
    backchannelLogoutUri: z._default(fields.backchannelLogoutUri, null),
    idTokenAlg: z._default(fields.idTokenAlg, 'RS256'),
    pkce: z._default(fields.pkce, 'required'),
    deviceFlow: z._default(fields.deviceFlow, false),
  })
  .check((context) => {
    const { type, pkce, deviceFlow } = context.value;
    if (pkce === 'nonce' && type !== 'web') {
      const message = pkceNeeded.replace('pkce ', '');
      context.issues.push({ code: 'custom', input: pkce, path: ['pkce'], message });
    }
    if (deviceFlow && type === 'spa') {
      const message = noDeviceFlow.replace('deviceFlow ', '');
      context.issues.push({ code: 'custom', input: deviceFlow, path: ['deviceFlow'], message });
    }
    for (const path of type === 'native' ? [] : privateUris(context.value)) {
      context.issues.push({ code: 'custom', input: context.value, path, message: safeUrl });
    }
  });

/** The body of PATCH /v1/apps/:id: an absent field stays unchanged. The type of an app is permanent. */
export const appChanges = z.object({
  name: z.optional(name),
  redirectUris: z.optional(fields.redirectUris),
  postLogoutRedirectUris: z.optional(fields.postLogoutRedirectUris),
  allowedOrigins: z.optional(fields.allowedOrigins),
  scopes: z.optional(fields.scopes),
  homepageUrl: z.optional(fields.homepageUrl),
  privacyUrl: z.optional(fields.privacyUrl),
  logoUrl: z.optional(fields.logoUrl),
  backchannelLogoutUri: z.optional(fields.backchannelLogoutUri),
  idTokenAlg: z.optional(fields.idTokenAlg),
  pkce: z.optional(fields.pkce),
  deviceFlow: z.optional(fields.deviceFlow),
});

const resource = boundedText('resource', maxUrlLength);

/** The body of POST /v1/apps/:id/resources, and the query of DELETE. */
export const resourceInput = z.object({ resource });

const overlapText = `overlapSeconds must be a whole number from 0 to ${maxOverlapSeconds}`;

/** The body of POST /v1/apps/:id/secret. */
export const rotationInput = z.object({
  /** The overlap during which previous secrets stay valid. */
  overlapSeconds: z._default(
    z.int(overlapText).check(z.minimum(0, overlapText), z.maximum(maxOverlapSeconds, overlapText)),
    86_400,
  ),
});

const time = z.iso.datetime();

/** An app as shown to its owner. Times are ISO 8601 UTC. */
export const app = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(appTypes),
  redirectUris: z.array(z.string()),
  /** Where the browser may return after a logout that the app started (OpenID Connect RP-Initiated Logout 1.0). */
  postLogoutRedirectUris: z.array(z.string()),
  allowedOrigins: z.array(z.string()),
  scopes: z.array(z.string()),
  homepageUrl: z.nullable(z.string()),
  privacyUrl: z.nullable(z.string()),
  /** The source address of the logo; the consent page shows the stored copy. */
  logoUrl: z.nullable(z.string()),
  /** The endpoint for logout tokens (OpenID Connect Back-Channel Logout 1.0). */
  backchannelLogoutUri: z.nullable(z.string()),
  idTokenAlg: z.enum(idTokenAlgs),
  /** `nonce` accepts authorization requests without a PKCE challenge that have a `nonce`; for web apps. */
  pkce: z.enum(pkceRules),
  /** True if devices without a browser may sign people in by a code (RFC 8628); for web and native apps. */
  deviceFlow: z.boolean(),
  /** A `suspended` app may not act until an administrator reactivates it. */
  status: z.enum(['active', 'suspended']),
  /** True if an administrator has checked its current name and addresses. */
  checked: z.boolean(),
  /** True if it belongs to the operator. */
  firstParty: z.boolean(),
  /** Other services that the app's access tokens may be for, and the other apps that may request them. */
  resources: z.array(
    z.object({ resource: z.string(), clients: z.array(z.string()), provenBy: z.enum(['file', 'desk']) }),
  ),
  createdAt: time,
  updatedAt: time,
});

const secretValue = { id: z.string(), value: z.string(), hint: z.string() };

/** The response to POST /v1/apps. The secret is never shown again; only `web` apps have one. */
export const newApp = z.extend(app, { secret: z.nullable(z.object(secretValue)) });

/** The response to GET /v1/apps. */
export const appPage = pageSchema(app);

/**
 * The response to POST /v1/apps/:id/secret: the new secret, shown only once, and the previous secrets that are still
 * valid.
 */
export const newSecret = z.object({
  ...secretValue,
  createdAt: time,
  previous: z.array(z.object({ id: z.string(), hint: z.string(), expiresAt: time })),
});

/** The response to GET /v1/apps/:id/secrets; the current secret does not expire. */
export const secretList = z.object({
  data: z.array(z.object({ id: z.string(), hint: z.string(), createdAt: time, expiresAt: z.nullable(time) })),
});

export type App = z.infer<typeof app>;
export type AppInput = z.infer<typeof appInput>;
export type AppChanges = z.infer<typeof appChanges>;
export type NewApp = z.infer<typeof newApp>;
export type NewSecret = z.infer<typeof newSecret>;
export type SecretList = z.infer<typeof secretList>;

type ReturnAddresses = Pick<AppChanges, 'redirectUris' | 'postLogoutRedirectUris'>;

/** The 400 error for redirect URIs that only a native app may have. @returns null if there are none */
export function privateUriProblems(addresses: ReturnAddresses): string[] | null {
  const texts = privateUris(addresses).map((path) => `${path.join('.')} ${safeUrl}`);
  return texts.length === 0 ? null : texts;
}

function privateUris(addresses: ReturnAddresses): [field: string, index: number][] {
  return (['redirectUris', 'postLogoutRedirectUris'] as const).flatMap((field) =>
    (addresses[field] ?? []).flatMap((text, index): [string, number][] =>
      isPrivateScheme(text) ? [[field, index]] : [],
    ),
  );
}

/** The id of a registered app, the address of another client's document, or `*` for any app. */
function isClientOrAny(text: string): boolean {
  return text === '*' || /^app_[0-9a-z]{26}$/.test(text) || (text.startsWith('https://') && isSafeUrl(text));
}

/** https, or http to this machine, and nothing that a reader or a parser could mistake for another address. */
function isSafeUrl(text: string): boolean {
  const parsed = parsePlain(text);
  if (parsed === null || !text.startsWith(`${parsed.protocol}//`)) return false;
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname));
}

/** A scheme in reverse domain notation (RFC 8252 section 7.1), such as `com.example.app:/callback`. */
function isPrivateScheme(text: string): boolean {
  const parsed = parsePlain(text);
  return parsed !== null && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(parsed.protocol);
}

/** The maximum length of a DNS name. Grants store the hosts and private-use schemes of their apps. */
const maxHostLength = 253;

/**
 * A URL of the characters of RFC 3986 without fragment, user, wildcard, apostrophe or overlong host; null for anything
 * else.
 */
function parsePlain(text: string): URL | null {
  if (!/^[\w.~:/?[\]@!$&()+,;=%-]+$/.test(text) || recipientOf(text).length > maxHostLength) return null;
  const parsed = URL.parse(text);
  return parsed === null || parsed.username !== '' || parsed.password !== '' ? null : parsed;
}
