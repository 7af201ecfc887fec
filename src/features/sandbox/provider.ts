import { SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { IdpConfig } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deriveKeys, open, seal, secretHash } from '../../lib/secret.ts';
import { consumeOnce } from '../idp/attempt.ts';
import { callbackUrl } from '../idp/providers/provider.ts';
import { providerKey } from './provider-key.ts';

const codeTtlMs = 60_000;
const tokenTtlMs = 300_000;

/** What the sandbox says about a person, as OpenID Connect Core section 5.1 spells it. */
const personClaims = z.object({
  sub: z.string(),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
  name: z.optional(z.string()),
  locale: z.optional(z.string()),
});

export type PersonClaims = z.infer<typeof personClaims>;

/** How the token endpoint behaves for one code. */
const tokenFault = z.object({ slowSeconds: z.number(), fails: z.boolean() });

export type TokenFault = z.infer<typeof tokenFault>;

const codePayload = z.object({
  claims: personClaims,
  fault: tokenFault,
  nonce: z.optional(z.string()),
  challenge: z.string(),
  expiresAt: z.number(),
});

type CodePayload = z.infer<typeof codePayload>;

const tokenPayload = z.object({ claims: personClaims, expiresAt: z.number() });

/** An authorization request that may be answered (OpenID Connect Core section 3.1.2.1). */
export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly scopes: readonly string[];
  readonly challenge: string;
}

/** Where the sandbox provider lives; its issuer. */
export function sandboxIssuer(deps: Deps): string {
  return `${deps.config.origin}/dev/idp`;
}

/** The settings this service has for the sandbox provider, or null when it uses another provider. */
export function sandboxClient(deps: Deps): IdpConfig | null {
  const { idp } = deps.config;
  return idp?.issuer === sandboxIssuer(deps) ? idp : null;
}

/**
 * Checks an authorization request, all of it before anybody is asked anything.
 * @throws AppError validation_failed; nothing is sent to an address the request names
 */
export function parseAuthorizeRequest(deps: Deps, query: URLSearchParams): AuthorizeRequest {
  const value = (name: string) => query.get(name) ?? undefined;
  const redirectUri = callbackUrl(deps, 'idp');
  const scopes = (value('scope') ?? '').split(' ');
  const challenge = value('code_challenge') ?? '';
  const problems = [
    value('client_id') !== sandboxClient(deps)?.clientId && 'client_id must be the one of this service',
    value('redirect_uri') !== redirectUri && `redirect_uri must be ${redirectUri}`,
    value('response_type') !== 'code' && 'response_type must be code',
    !scopes.includes('openid') && 'scope must include openid',
    value('code_challenge_method') !== 'S256' && 'code_challenge_method must be S256',
    !/^[\w-]{43}$/.test(challenge) && 'code_challenge must be a base64url SHA-256 digest',
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new AppError('validation_failed', problems);
  return { redirectUri, state: value('state'), nonce: value('nonce'), scopes, challenge };
}

/** The callback that a person's decision leads to: a code or an error, the state, and who says so (RFC 9207). */
export function callbackFor(
  deps: Deps,
  request: AuthorizeRequest,
  answer: { code: string } | { error: string },
): string {
  const url = new URL(request.redirectUri);
  const state = request.state === undefined ? {} : { state: request.state };
  for (const [name, value] of Object.entries({ ...answer, ...state, iss: sandboxIssuer(deps) })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

/** A code that carries all it stands for, encrypted: no isolate has to remember it. */
export function issueCode(
  deps: Deps,
  request: AuthorizeRequest,
  claims: PersonClaims,
  fault: TokenFault,
): Promise<string> {
  const { nonce, challenge, scopes } = request;
  const payload: CodePayload = {
    claims: claimsFor(scopes, claims),
    fault,
    nonce,
    challenge,
    expiresAt: deps.now() + codeTtlMs,
  };
  return seal(keysOf(deps), JSON.stringify(payload), 'code', deps.randomBytes);
}

/** OpenID Connect Core section 5.4: a scope opens its claims. */
function claimsFor(scopes: readonly string[], claims: PersonClaims): PersonClaims {
  const { sub, email, email_verified, name, locale } = claims;
  return {
    sub,
    ...(scopes.includes('email') ? { email, email_verified } : {}),
    ...(scopes.includes('profile') ? { name, locale } : {}),
  };
}

/** How the token endpoint is to behave for a code; an unreadable one gets no special treatment. */
export async function faultOf(deps: Deps, code: string): Promise<TokenFault> {
  return (await openCode(deps, code))?.fault ?? { slowSeconds: 0, fails: false };
}

interface TokenRequest {
  readonly grantType: string | null;
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string | null;
}

type TokenAnswer =
  | { error: 'unsupported_grant_type' | 'invalid_grant' }
  | { access_token: string; id_token: string; token_type: 'Bearer'; expires_in: number };

/** The token endpoint's work (RFC 6749 section 4.1.3, RFC 7636 section 4.6). A code is good for one exchange. */
export async function exchangeCode(deps: Deps, request: TokenRequest): Promise<TokenAnswer> {
  if (request.grantType !== 'authorization_code') return { error: 'unsupported_grant_type' };
  const payload = await openCode(deps, request.code);
  const isValid =
    payload !== null &&
    payload.expiresAt > deps.now() &&
    request.redirectUri === callbackUrl(deps, 'idp') &&
    secretHash(request.verifier) === payload.challenge &&
    (await consumeOnce(deps, request.code, payload.expiresAt));
  if (!isValid) return { error: 'invalid_grant' };
  const expiresAt = deps.now() + tokenTtlMs;
  const token = JSON.stringify({ claims: payload.claims, expiresAt });
  return {
    access_token: await seal(keysOf(deps), token, 'access-token', deps.randomBytes),
    id_token: await signIdToken(deps, payload, expiresAt),
    token_type: 'Bearer',
    expires_in: tokenTtlMs / 1000,
  };
}

async function signIdToken(deps: Deps, payload: CodePayload, expiresAt: number): Promise<string> {
  const { kid, privateKey } = await providerKey(deps);
  const { sub, ...claims } = payload.claims;
  return new SignJWT({ ...claims, ...(payload.nonce === undefined ? {} : { nonce: payload.nonce }) })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .setIssuer(sandboxIssuer(deps))
    .setAudience(sandboxClient(deps)?.clientId ?? '')
    .setSubject(sub)
    .setIssuedAt(Math.floor(deps.now() / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(privateKey);
}

/** What the userinfo endpoint answers for an access token, or null when the token is not valid. */
export async function readUserinfo(deps: Deps, accessToken: string): Promise<PersonClaims | null> {
  const text = await open(keysOf(deps), accessToken, 'access-token');
  const payload = text === null ? null : tokenPayload.parse(JSON.parse(text));
  return payload && payload.expiresAt > deps.now() ? payload.claims : null;
}

async function openCode(deps: Deps, code: string): Promise<CodePayload | null> {
  const text = await open(keysOf(deps), code, 'code');
  return text === null ? null : codePayload.parse(JSON.parse(text));
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'sandbox');
}
