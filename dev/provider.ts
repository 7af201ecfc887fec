import { SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import { consumeOnce } from '../src/features/idp/consume-once.ts';
import { callbackUrl } from '../src/features/idp/providers/provider.ts';
import { pause } from '../src/lib/pause.ts';
import { decrypt, deriveKeys, encrypt, secretHash } from '../src/lib/secret.ts';
import type { SandboxInstance } from './instance.ts';
import { providerKey } from './provider-key.ts';

const codeTtlSeconds = 60;
const tokenTtlMs = 300_000;

/** A person's claims, with the names from OpenID Connect Core section 5.1. */
const personClaims = z.object({
  sub: z.string(),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
  name: z.optional(z.string()),
  locale: z.optional(z.string()),
});

export type PersonClaims = z.infer<typeof personClaims>;

/** The faults of the token endpoint for one code. */
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

/** A valid authorization request (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1). */
export interface AuthorizeRequest {
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly scopes: readonly string[];
  readonly challenge: string;
}

/**
 * Checks an authorization request before the picker is shown.
 * @throws AppError validation_failed; nothing is sent to the request's own addresses
 */
export function parseAuthorizeRequest(deps: Deps, instance: SandboxInstance, query: URLSearchParams) {
  const value = (name: string) => query.get(name) ?? undefined;
  const redirectUri = callbackUrl(deps, instance.id);
  const scopes = (value('scope') ?? '').split(' ');
  const challenge = value('code_challenge') ?? '';
  const problems = [
    value('client_id') !== instance.clientId && 'client_id must be the one of this service',
    value('redirect_uri') !== redirectUri && `redirect_uri must be ${redirectUri}`,
    value('response_type') !== 'code' && 'response_type must be code',
    instance.id !== 'github' && !scopes.includes('openid') && 'scope must include openid',
    value('code_challenge_method') !== 'S256' && 'code_challenge_method must be S256',
    !/^[\w-]{43}$/.test(challenge) && 'code_challenge must be a base64url SHA-256 digest',
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new AppError('validation_failed', problems);
  return { redirectUri, state: value('state'), nonce: value('nonce'), scopes, challenge };
}

/** The callback URL after the person's decision: a code or an error, the state, and the issuer (RFC 9207). */
export function callbackFor(
  instance: SandboxInstance,
  request: AuthorizeRequest,
  answer: { code: string } | { error: string },
): string {
  const url = new URL(request.redirectUri);
  const state = request.state === undefined ? {} : { state: request.state };
  const iss = instance.id === 'github' ? {} : { iss: instance.base };
  for (const [name, value] of Object.entries({ ...answer, ...state, ...iss })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

/** A code that contains its own data, encrypted, so that no isolate has to store it. */
export function issueCode(
  deps: Deps,
  instance: SandboxInstance,
  request: AuthorizeRequest,
  person: { claims: PersonClaims; fault: TokenFault },
): Promise<string> {
  const { nonce, challenge, scopes } = request;
  const claims = instance.id === 'github' ? person.claims : claimsFor(scopes, person.claims);
  const expiresAt = deps.now() + codeTtlSeconds * 1000;
  const payload: CodePayload = { claims, fault: person.fault, nonce, challenge, expiresAt };
  return encrypt(keysOf(deps), JSON.stringify(payload), `code ${instance.id}`, deps.randomBytes);
}

/** The claims allowed by the scopes (OpenID Connect Core section 5.4). */
function claimsFor(scopes: readonly string[], claims: PersonClaims): PersonClaims {
  const { sub, email, email_verified, name, locale } = claims;
  return {
    sub,
    ...(scopes.includes('email') ? { email, email_verified } : {}),
    ...(scopes.includes('profile') ? { name, locale } : {}),
  };
}

/** Delays a token request as chosen in the picker. @returns true if it should also fail */
export async function applyFault(
  deps: Deps,
  instance: SandboxInstance,
  form: URLSearchParams,
  signal: AbortSignal,
): Promise<boolean> {
  const { slowSeconds = 0, fails = false } = (await openCode(deps, instance, codeOf(form)))?.fault ?? {};
  await pause(slowSeconds * 1000, signal);
  return fails;
}

/** A redeemed code's data, and a token for reading the person's claims. */
export interface Redeemed {
  readonly payload: CodePayload;
  readonly accessToken: string;
  readonly expiresAt: number;
}

/**
 * Redeems a token request's code (RFC 6749 section 4.1.3, RFC 7636 section 4.6), only once.
 * @returns null if the code is invalid or was used before
 */
export async function redeemCode(deps: Deps, instance: SandboxInstance, form: URLSearchParams) {
  const payload = await openCode(deps, instance, codeOf(form));
  const isValid =
    payload !== null &&
    payload.expiresAt > deps.now() &&
    form.get('redirect_uri') === callbackUrl(deps, instance.id) &&
    secretHash(form.get('code_verifier') ?? '') === payload.challenge &&
    (await consumeOnce(deps, {
      value: codeOf(form),
      ttlSeconds: codeTtlSeconds,
      expiresAt: payload.expiresAt,
    }));
  if (!isValid) return null;
  const expiresAt = deps.now() + tokenTtlMs;
  const token = JSON.stringify({ claims: payload.claims, expiresAt });
  const accessToken = await encrypt(keysOf(deps), token, `access-token ${instance.id}`, deps.randomBytes);
  return { payload, accessToken, expiresAt };
}

/** An OpenID Connect provider's token response. */
export async function oidcTokens(
  deps: Deps,
  instance: SandboxInstance,
  { payload, accessToken, expiresAt }: Redeemed,
): Promise<{ access_token: string; id_token: string; token_type: 'Bearer'; expires_in: number }> {
  const { kid, privateKey } = await providerKey(deps);
  const { sub, ...claims } = payload.claims;
  const idToken = await new SignJWT({
    ...claims,
    ...(payload.nonce === undefined ? {} : { nonce: payload.nonce }),
  })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .setIssuer(instance.base)
    .setAudience(instance.clientId)
    .setSubject(sub)
    .setIssuedAt(Math.floor(deps.now() / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(privateKey);
  return {
    access_token: accessToken,
    id_token: idToken,
    token_type: 'Bearer',
    expires_in: tokenTtlMs / 1000,
  };
}

/** The claims of an access token's person, or null if the token is invalid. */
export async function readPerson(deps: Deps, instance: SandboxInstance, authorization: string | undefined) {
  const [, token = ''] = /^Bearer (.+)$/i.exec(authorization ?? '') ?? [];
  const text = await decrypt(keysOf(deps), token, `access-token ${instance.id}`);
  const payload = text === null ? null : tokenPayload.parse(JSON.parse(text));
  return payload && payload.expiresAt > deps.now() ? payload.claims : null;
}

function codeOf(form: URLSearchParams): string {
  return form.get('code') ?? '';
}

async function openCode(deps: Deps, instance: SandboxInstance, code: string): Promise<CodePayload | null> {
  const text = await decrypt(keysOf(deps), code, `code ${instance.id}`);
  return text === null ? null : codePayload.parse(JSON.parse(text));
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'sandbox');
}
