import * as z from 'zod/mini';
import { providerIds } from '../../lib/credential-kinds.ts';
import { popupIdPattern } from '../../lib/id.ts';

/** 256 bits in canonical base64url. */
const secretPattern = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

const secret = (name: string) => {
  const message = `${name} must be 32 bytes in base64url`;
  return z.string(message).check(z.regex(secretPattern, message));
};

const provider = (name: string) => z.enum(providerIds, `${name} must be one of: ${providerIds.join(', ')}`);

const kind = z.enum(['login', 'approval'], 'kind must be one of: login, approval');

export type PopupKind = z.infer<typeof kind>;

/** The body of POST /v1/popup/requests. */
export const popupInput = z.object({
  id: z
    .string('id must be 16 bytes in base64url')
    .check(z.regex(popupIdPattern, 'id must be 16 bytes in base64url')),
  kind,
  /** SHA-256 of the verifier's text, base64url. */
  challenge: secret('challenge'),
  /** The provider whose credential the popup links, instead of signing in. */
  link: z.optional(provider('link')),
  /**
   * The signed-in person has to sign in again: neither the existing session nor anyone else's sign-in approves the
   * request.
   */
  prompt: z.optional(z.enum(['login'], 'prompt must be login')),
  /** For an app that redeems the sign-in for tokens: the space-separated scopes. */
  scope: z.optional(z.string('scope must be a string')),
  /** The transfer to approve. */
  inquiryId: z.optional(z.string('inquiryId must be a string')),
  /** The origin of the page that opens the popup, if a back end registers the request. */
  origin: z.optional(z.string('origin must be a string')),
  /** The credentials of a back end, unless it uses HTTP Basic. */
  client_id: z.optional(z.string('client_id must be a string')),
  client_secret: z.optional(z.string('client_secret must be a string')),
});

export type PopupInput = z.infer<typeof popupInput>;

/** The body of the opener's requests: the verifier allows it to poll and to cancel. */
export const verifierInput = z.object({ verifier: secret('verifier') });

/** Reports of the popup's own pages. */
export const pageReportInput = z.object({
  /** The page has no opener. */
  openerLost: z.optional(z.boolean('openerLost must be a boolean')),
  /** The window is closing. */
  closed: z.optional(z.boolean('closed must be a boolean')),
  /** The page is leaving for this provider. */
  away: z.optional(provider('away')),
  /** The page has returned from this provider without its opener. */
  severed: z.optional(z.boolean('severed must be a boolean')),
});

export type PageReport = z.infer<typeof pageReportInput>;

/** The query of the popup's pages; anything else in it is ignored. */
export const popupPageQuery = z.object({
  /** The id of the request. */
  c: z.optional(z.string()),
  ui_locales: z.optional(z.string()),
  theme: z.optional(z.string()),
});

const status = z.enum([
  'created',
  'opened',
  'approved',
  'redeemed',
  'denied',
  'cancelled',
  'expired',
  'invalid',
  'lapsed',
]);

export type PopupStatus = z.infer<typeof status>;

export const popupAnswer = z.object({ id: z.string(), status, expiresAt: z.iso.datetime() });
export type PopupAnswer = z.infer<typeof popupAnswer>;

/** The state of a request, for its opener. */
export const popupState = z.object({
  status,
  kind,
  /** The reason why the request is invalid; null for every other status. */
  reason: z.nullable(z.enum(['terms_changed', 'tampered'])),
  /** The popup is open, but cannot reach its opener. */
  openerLost: z.boolean(),
  /** The popup reported that it was closing, and has not returned since. */
  closed: z.boolean(),
  /** The provider that the popup left for is known to sever popups from their openers. */
  seversOpener: z.boolean(),
  /** The end of the request; after an approval, half a minute after the decision. */
  expiresAt: z.iso.datetime(),
});
export type PopupState = z.infer<typeof popupState>;
