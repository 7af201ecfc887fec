import { utf8 } from '../../../lib/encoding.ts';
import { identityScopes } from '../../app/schema.ts';
import { needsCheck, needsListing } from '../../app/scopes.ts';
import { claimsOf } from '../claims.ts';
import type { AuthorizeError } from './redirect-uri.ts';
import type { Client } from './state.ts';

/** Known parameters. Each may appear only once (RFC 6749 section 3.1); others are ignored. */
const known = [
  'acr_values',
  'claims',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'dpop_jkt',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales',
] as const;
type Known = (typeof known)[number];

/** All values from the app together must fit into the cookie of a waiting request. */
const mostBytes = 1500;
const kept = ['state', 'nonce', 'resource', 'login_hint'] as const;

/** The reason why a request is rejected. A description must never contain text from the request. */
export interface Refusal {
  readonly error: AuthorizeError;
  readonly description: string;
}

interface Prompts {
  readonly none: boolean;
  readonly login: boolean;
  readonly consent: boolean;
  /** Starts with a new account (Initiating User Registration via OpenID Connect 1.0). */
  readonly create: boolean;
}

/** A parsed request that has passed all checks. */
export interface Parameters {
  readonly state: string | null;
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  /** Null if a nonce takes its place. */
  readonly codeChallenge: string | null;
  /** The thumbprint of the DPoP key to which the code is bound. */
  readonly dpopJkt: string | null;
  readonly resource: string | null;
  readonly prompts: Prompts;
  /** The handle of the person who has to be signed in, if `claims` names one. */
  readonly named: string | null;
  /** True if only a sign-in with a passkey has the `acr` that `claims` requires. */
  readonly needsPasskey: boolean;
  /** The maximum age of the sign-in in seconds. */
  readonly maxAge: number | null;
  readonly loginHint: string | null;
  readonly idTokenHint: string | null;
}

/** A parameter that appears only once; an empty value is treated as missing (RFC 6749 section 3.1). */
export function parameter(query: URLSearchParams, name: Known): string | null {
  const values = query.getAll(name).filter((value) => value !== '');
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The `state` to return, even with an error. */
export function stateOf(query: URLSearchParams): string | null {
  const state = parameter(query, 'state');
  return state !== null && state.length <= mostBytes && isAscii(state) ? state : null;
}

/**
 * Checks a request with a registered redirect URI against each standard: OAuth 2.1, PKCE (RFC 7636), OpenID Connect
 * Core 3.1.2.1, RFC 8707, RFC 9449.
 */
export function checkParameters(query: URLSearchParams, client: Client): Parameters | Refusal {
  const resource = parameter(query, 'resource');
  const refusal =
    checkForm(query) ??
    checkChallenge(query) ??
    checkKey(query) ??
    checkTexts(query) ??
    checkResource(resource, client);
  if (refusal !== null) return refusal;
  const claims = claimsOf(parameter(query, 'claims'));
  if ('error' in claims) return claims;
  const scopes = scopesOf(query, client, claims.scopes);
  if (!Array.isArray(scopes)) return scopes as Refusal;
  const nonce = parameter(query, 'nonce');
  const codeChallenge = parameter(query, 'code_challenge');
  const unbound = checkBinding({ codeChallenge, nonce, scopes }, client);
  if (unbound !== null) return unbound;
  const prompts = promptsOf(query);
  if ('error' in prompts) return prompts;
  const maxAge = parameter(query, 'max_age');
  if (maxAge !== null && !/^\d{1,9}$/.test(maxAge)) return invalid('max_age must be a number of seconds');
  return {
    state: parameter(query, 'state'),
    scopes,
    nonce,
    codeChallenge,
    dpopJkt: parameter(query, 'dpop_jkt'),
    resource,
    prompts,
    maxAge: maxAge === null ? null : Number(maxAge),
    loginHint: parameter(query, 'login_hint'),
    idTokenHint: parameter(query, 'id_token_hint'),
    named: claims.handle,
    needsPasskey: claims.needsPasskey,
  };
}

function checkForm(query: URLSearchParams): Refusal | null {
  const twice = known.find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) return invalid(`${twice} must be given once`);
  for (const name of ['request', 'request_uri'] as const) {
    if (parameter(query, name) !== null)
      return { error: `${name}_not_supported`, description: `${name} is not supported` };
  }
  const responseType = parameter(query, 'response_type');
  if (responseType === null) return invalid('response_type must be given');
  if (responseType !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  const mode = parameter(query, 'response_mode');
  return mode === null || mode === 'query' ? null : invalid('response_mode must be query');
}

/** PKCE needs S256: a missing method means `plain` (RFC 7636 section 4.3). */
function checkChallenge(query: URLSearchParams): Refusal | null {
  const challenge = parameter(query, 'code_challenge');
  if (challenge === null) return null;
  if (parameter(query, 'code_challenge_method') !== 'S256')
    return invalid('code_challenge_method must be S256');
  return /^[\w-]{43}$/.test(challenge)
    ? null
    : invalid('code_challenge must be a SHA-256 digest in base64url');
}

/** RFC 9449 section 10. */
function checkKey(query: URLSearchParams): Refusal | null {
  const jkt = parameter(query, 'dpop_jkt');
  return jkt === null || /^[\w-]{43}$/.test(jkt)
    ? null
    : invalid('dpop_jkt must be a SHA-256 thumbprint in base64url');
}

/**
 * Rejects a request whose code would not be bound to the requesting client by a challenge or, for a web app with this
 * setting, by the nonce of its ID token (RFC 9700 section 2.1.1).
 */
export function checkBinding(
  { codeChallenge, nonce, scopes }: Pick<Parameters, 'codeChallenge' | 'nonce' | 'scopes'>,
  client: Client,
): Refusal | null {
  if (codeChallenge !== null) return null;
  if (client.pkce === 'required') return invalid('code_challenge must be given');
  const isBound = nonce !== null && scopes.includes('openid');
  return isBound ? null : invalid('code_challenge must be given, or nonce with the scope openid');
}

function checkTexts(query: URLSearchParams): Refusal | null {
  for (const name of ['state', 'nonce'] as const) {
    if (!isAscii(parameter(query, name) ?? '')) return invalid(`${name} must be ASCII`);
  }
  const texts = kept.map((name) => parameter(query, name));
  if (utf8(JSON.stringify(texts)).length > mostBytes)
    return invalid(`${kept.join(', ')} must be at most ${mostBytes} bytes together`);
  return null;
}

/** Rejects a resource that the app may not request. */
export function checkResource(resource: string | null, client: Client): Refusal | null {
  if (resource === null || client.resource !== null) return null;
  return { error: 'invalid_target', description: 'resource must be registered for the app' };
}

function words(query: URLSearchParams, name: Known): string[] {
  return (parameter(query, name) ?? '').split(' ').filter(Boolean);
}

/**
 * The scopes that the app gets: without `scope`, those of its scopes that only identify the person (RFC 6749 section
 * 3.3). Unknown scopes, and those for which the app is not registered, are omitted; the response to the token request
 * lists the others (OpenID Connect Core section 3.1.2.1).
 */
function scopesOf(
  query: URLSearchParams,
  client: Client,
  ofClaims: readonly string[],
): readonly string[] | Refusal {
  const named = words(query, 'scope');
  // Claims come with an ID token.
  const asked = [...new Set(named.includes('openid') ? [...named, ...ofClaims] : named)];
  const scopes = (asked.length === 0 ? identityScopes : asked).filter((scope) =>
    client.registered.includes(scope),
  );
  const description = `the app may ask for these scopes only: ${client.scopes.join(' ')}`;
  if (scopes.length === 0) return { error: 'invalid_scope', description };
  return checkScopes(scopes, client, description) ?? scopes;
}

/** Rejects scopes that the app may not request. @param otherwise the reason, unless the app is unchecked */
export function checkScopes(scopes: readonly string[], client: Client, otherwise: string): Refusal | null {
  if (scopes.every((scope) => client.scopes.includes(scope))) return null;
  const needed = client.doubt === 'unregistered' ? needsListing : needsCheck;
  const isRegistered = scopes.every((scope) => client.registered.includes(scope));
  return { error: 'invalid_scope', description: isRegistered ? needed : otherwise };
}

/** `select_account` is treated as `login`, and `create` begins one. Unknown prompts are ignored. */
function promptsOf(query: URLSearchParams): Parameters['prompts'] | Refusal {
  const asked = words(query, 'prompt');
  if (asked.includes('none') && asked.length > 1) return invalid('prompt none must be the only one');
  return {
    none: asked.includes('none'),
    login: ['login', 'select_account', 'create'].some((prompt) => asked.includes(prompt)),
    consent: asked.includes('consent'),
    create: asked.includes('create'),
  };
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

export function invalid(description: string): Refusal {
  return { error: 'invalid_request', description };
}
