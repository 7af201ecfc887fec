import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from 'arctic';
import type { JWTPayload } from 'jose';
import * as errors from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { OidcSettings } from '../../../config/provider-settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { readableName } from '../../../lib/display-name.ts';
import { canonicalEmail } from '../../../lib/email.ts';
import { fromBase64url } from '../../../lib/encoding.ts';
import type { ProvenAccount } from '../../sign-in/proven-credential.ts';
import { type Discovery, discover, providerKeys } from './discovery.ts';
import { type AttemptSecrets, callbackUrl, type Provider } from './provider.ts';
import { fetchJson, providerDeadline, providerFailed, readAccessToken } from './provider-http.ts';

/**
 * Signature algorithms of ID tokens: only those with public keys, so that no token can be forged from published data.
 */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const clockToleranceSeconds = 30;
/**
 * A subject has at most 255 ASCII characters (OpenID Connect Core section 2). They must be printable, because databases
 * truncate text at NUL, and both halves of a surrogate pair become the same character.
 */
const subjectShape = /^[\x20-\x7e]{1,255}$/;
/** Placeholders that faulty providers send instead of a subject. If accepted, everyone would share one identity. */
const emptySubjects = new Set(['', 'undefined', 'null', '[object Object]', 'NaN']);

/** A language tag (RFC 5646) of limited length, because it is part of every access token. */
const localeShape = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/;

/** A provider's deviations from the standard. */
interface Habits {
  /** The provider supports `prompt=select_account`; others may reject the whole request. */
  readonly letsChooseAccount?: boolean;
  /** The issuer in its ID tokens may lack `https://`. */
  readonly omitsScheme?: boolean;
}

/**
 * An OpenID Connect provider, found by discovery at its issuer.
 * @param settingsOf the provider's settings, or null if it is not configured
 */
export function oidcProvider(
  id: Provider['id'],
  settingsOf: (deps: Deps) => OidcSettings | null,
  { letsChooseAccount = false, omitsScheme = false }: Habits = {},
): Provider {
  return {
    id,
    async authorizationUrl(deps, secrets, { choosesAccount, asksAgain }) {
      const settings = requireSettings(settingsOf(deps));
      const { authorization_endpoint } = await discover(deps, settings.issuer, providerDeadline());
      const client = new OAuth2Client(settings.clientId, settings.clientSecret, callbackUrl(deps, id));
      const url = client.createAuthorizationURLWithPKCE(
        authorization_endpoint,
        secrets.state,
        CodeChallengeMethod.S256,
        secrets.verifier,
        [...settings.scopes],
      );
      url.searchParams.set('nonce', secrets.nonce);
      // Every provider supports `login` (OpenID Connect Core 3.1.2.1), but Google supports only `select_account`.
      if (letsChooseAccount && (choosesAccount || asksAgain))
        url.searchParams.set('prompt', 'select_account');
      else if (asksAgain) url.searchParams.set('prompt', 'login');
      return url;
    },

    async authenticate(deps, secrets, answer) {
      const settings = requireSettings(settingsOf(deps));
      const signal = providerDeadline();
      const discovery = await discover(deps, settings.issuer, signal);
      checkIssuer(discovery, answer.iss);
      const redirectUri = callbackUrl(deps, id);
      const { issuer } = discovery;
      const issuers = omitsScheme ? [issuer, issuer.replace(/^https?:\/\//, '')] : [issuer];
      const exchange: Exchange = { deps, settings, discovery, secrets, signal, redirectUri, issuers };
      const tokens = await exchangeCode(exchange, answer.code);
      const payload = await verifyIdToken(exchange, tokens);
      const claims = { ...payload, ...(await missingClaims(exchange, tokens, payload)) };
      return { provider: id, ...readIdentity(claims) };
    },
  };
}

/** Shared by the steps of one callback. */
interface Exchange {
  readonly deps: Deps;
  readonly settings: OidcSettings;
  readonly discovery: Discovery;
  readonly secrets: AttemptSecrets;
  readonly signal: AbortSignal;
  readonly redirectUri: string;
  /** Issuers accepted in an ID token. */
  readonly issuers: string[];
}

function requireSettings(settings: OidcSettings | null): OidcSettings {
  if (!settings) throw new AppError('provider_not_configured');
  return settings;
}

/** Rejects a response from another provider (mix-up, RFC 9207 section 2.4) before its code is used. */
function checkIssuer(discovery: Discovery, iss: string | undefined): void {
  const required = discovery.authorization_response_iss_parameter_supported === true;
  if (iss === undefined ? required : iss !== discovery.issuer) {
    throw new AppError('provider_error', null, { reason: 'iss is missing or of another issuer' });
  }
}

/** The token request (RFC 6749 section 4.1.3), sent only once, because a code must not be sent again. */
async function exchangeCode(exchange: Exchange, code: string): Promise<OAuth2Tokens> {
  const { deps, settings, discovery, secrets, signal } = exchange;
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: exchange.redirectUri,
    code_verifier: secrets.verifier,
  });
  const headers = new Headers({ Accept: 'application/json' });
  const methods = discovery.token_endpoint_auth_methods_supported;
  if (methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
    form.set('client_id', settings.clientId);
    form.set('client_secret', settings.clientSecret);
  } else {
    const basic = btoa(`${formEncode(settings.clientId)}:${formEncode(settings.clientSecret)}`);
    headers.set('Authorization', `Basic ${basic}`);
  }
  const init = { method: 'POST', headers, body: form, signal };
  return new OAuth2Tokens(await fetchJson(deps, discovery.token_endpoint, init));
}

/** RFC 6749 section 2.3.1 requires both parts to be form-encoded before they are joined. */
function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

/**
 * OpenID Connect Core section 3.1.3.7, step by step; jose checks signature, `iss`, `aud`, `exp` and `nbf`, and that `iat`
 * is a number.
 */
async function verifyIdToken(exchange: Exchange, tokens: OAuth2Tokens): Promise<JWTPayload> {
  const { deps, settings, discovery, secrets, signal } = exchange;
  const now = deps.now();
  const check = async (renew: boolean) =>
    jwtVerify(
      requireCanonical(tokens.idToken()),
      await providerKeys(deps, discovery.jwks_uri, signal, renew),
      {
        algorithms,
        issuer: exchange.issuers,
        audience: settings.clientId,
        requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
        currentDate: new Date(now),
        clockTolerance: clockToleranceSeconds,
      },
    );
  try {
    const { payload } = await check(false).catch((error) => {
      // An unknown key may be one that the provider has just added.
      if (error instanceof errors.JWKSNoMatchingKey) return check(true);
      throw error;
    });
    if ((payload.iat ?? 0) > now / 1000 + clockToleranceSeconds)
      throw new Error('it is issued in the future');
    if (payload['nonce'] !== secrets.nonce) throw new Error('the nonce is another one');
    const azp = payload['azp'];
    const several = Array.isArray(payload.aud) && payload.aud.length > 1;
    if (azp === undefined ? several : azp !== settings.clientId) throw new Error('azp is not this client');
    return payload;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw providerFailed('the ID token does not verify', error);
  }
}

/**
 * Requires canonical base64url (RFC 7515 section 2): jose decodes leniently, so one signature would have many
 * spellings.
 */
function requireCanonical(token: string): string {
  if (token.split('.').some((part) => fromBase64url(part) === null)) throw new Error('it is not canonical');
  return token;
}

/**
 * Providers may omit email and name from the ID token and return them from the userinfo endpoint (OpenID Connect Core
 * section 5.3).
 */
async function missingClaims(
  exchange: Exchange,
  tokens: OAuth2Tokens,
  payload: JWTPayload,
): Promise<Record<string, unknown>> {
  const { deps, discovery, signal } = exchange;
  if (payload['email'] !== undefined || !discovery.userinfo_endpoint) return {};
  const headers = { Accept: 'application/json', Authorization: `Bearer ${readAccessToken(tokens)}` };
  const claims = await fetchJson(deps, discovery.userinfo_endpoint, { headers, signal });
  if (claims['sub'] !== payload.sub) throw providerFailed('userinfo is about another subject');
  const { email, email_verified, name, locale } = claims;
  return { email, email_verified, name: payload['name'] ?? name, locale: payload['locale'] ?? locale };
}

function readIdentity(claims: Record<string, unknown>): Omit<ProvenAccount, 'provider'> {
  const { sub, email, email_verified, name, locale } = claims;
  if (typeof sub !== 'string' || emptySubjects.has(sub.trim()) || !subjectShape.test(sub)) {
    throw providerFailed('the subject is missing or not one');
  }
  const shownEmail = typeof email === 'string' ? canonicalEmail(email) : null;
  return {
    subject: sub,
    shownEmail,
    // Only a boolean is accepted, because the string "false" is truthy.
    verifiedEmail: email_verified === true ? shownEmail : null,
    displayName: typeof name === 'string' ? readableName(name) : null,
    locale: typeof locale === 'string' && localeShape.test(locale) ? locale : null,
  };
}
