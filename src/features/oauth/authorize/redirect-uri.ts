import { withQuery } from '../../../lib/with-query.ts';

declare const registered: unique symbol;

/** A redirect URI registered by the app. Nothing is sent to any other URI. */
export type RedirectUri = string & { readonly [registered]: true };

/** An http URI to this machine, split into scheme and host, port, and the rest. */
const loopback =
  /^(?<host>http:\/\/(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?(?<rest>[/?].*)?$/;

/**
 * Returns whether an app has registered a redirect URI: byte for byte (RFC 9700 section 2.1), except that a client on
 * this machine may listen on any port (RFC 8252 section 7.3).
 */
export function isRegistered(uri: string, uris: readonly string[]): uri is RedirectUri {
  const portless = withoutPort(uri);
  return uris.includes(uri) || (portless !== null && uris.some((known) => withoutPort(known) === portless));
}

function withoutPort(uri: string): string | null {
  const { host, rest = '' } = loopback.exec(uri)?.groups ?? {};
  return host === undefined || !URL.canParse(uri) ? null : host + rest;
}

/** Returns the displayed form of a redirect URI: its origin without the path, or a private-use scheme in full. */
export function originOfRedirect(uri: string): string {
  const { protocol, origin } = new URL(uri);
  return /^https?:$/.test(protocol) ? origin : protocol;
}

/** The host of a redirect URI, or its private-use scheme, which belongs to an app on the device. */
export function hostOfRedirect(uri: string): string {
  const origin = originOfRedirect(uri);
  return /^https?:/.test(origin) ? new URL(uri).host : origin;
}

/** The response to the app, without `state` and `iss`. */
export type AuthorizeAnswer =
  | { readonly code: string }
  | { readonly error: AuthorizeError; readonly error_description: string };

/** RFC 6749 section 4.1.2.1, OpenID Connect Core 3.1.2.6, RFC 8707 section 2. */
export type AuthorizeError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/** The URL of a response. `iss` identifies us, to prevent mix-ups between servers (RFC 9207). */
export function answerUrl(
  to: RedirectUri,
  { state, issuer }: { readonly state: string | null; readonly issuer: string },
  answer: AuthorizeAnswer,
): string {
  return withQuery(to, { ...answer, ...(state === null ? {} : { state }), iss: issuer });
}
