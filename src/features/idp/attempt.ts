import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import { type ProviderId, providerIds } from '../../lib/credential-kinds.ts';
import { createSecret, decrypt, deriveKeys, encrypt, secretHash } from '../../lib/secret.ts';
import type { AttemptSecrets } from './providers/provider.ts';

/** The time limit for a sign-in at the provider, in seconds. */
export const attemptTtlSeconds = 600;

const sealedAttempt = z.object({
  provider: z.string(),
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  returnTo: z.nullable(z.string()),
  /** The popup request that the sign-in approves. */
  popup: z.nullable(z.string()),
  /** Our page to redirect to, instead of the client's. */
  page: z.nullable(z.enum(['claim-link', 'account'])),
  /** The session to whose identity the verified credential is linked; null for a sign-in. */
  linkTo: z.nullable(z.string()),
  expiresAt: z.number(),
});

/** A sign-in attempt at a provider. The browser keeps it, encrypted, in a separate cookie. */
export type Attempt = z.infer<typeof sealedAttempt> & AttemptSecrets;

/** An attempt's destination. */
export type Destination = Pick<Attempt, 'returnTo' | 'popup' | 'page' | 'linkTo'>;

/**
 * Returns the suffix of an attempt's cookie name: part of the state's digest, by which the callback finds the cookie.
 */
export function attemptId(state: string): string {
  return secretHash(state).slice(0, 8);
}

/** Starts an attempt: state, PKCE verifier and nonce have 256 random bits each. */
export function createAttempt(deps: Deps, provider: ProviderId, destination: Destination): Attempt {
  return {
    provider,
    state: createSecret(deps.randomBytes),
    verifier: createSecret(deps.randomBytes),
    nonce: createSecret(deps.randomBytes),
    ...destination,
    expiresAt: deps.now() + attemptTtlSeconds * 1000,
  };
}

export function encryptAttempt(deps: Deps, attempt: Attempt): Promise<string> {
  return encrypt(keysOf(deps), JSON.stringify(attempt), 'attempt', deps.randomBytes);
}

/** Decrypts an attempt's cookie; null if the cookie is altered, expired, or encrypted with another key. */
export async function decryptAttempt(deps: Deps, sealed: string): Promise<Attempt | null> {
  const text = await decrypt(keysOf(deps), sealed, 'attempt');
  const parsed = text === null ? null : sealedAttempt.safeParse(JSON.parse(text));
  return parsed?.success && parsed.data.expiresAt > deps.now() ? parsed.data : null;
}

const sealedLink = z.object({
  id: z.string(),
  provider: z.enum(providerIds),
  sessionId: z.string(),
  returnTo: z.nullable(z.string()),
  page: z.nullable(z.enum(['account'])),
  expiresAt: z.number(),
});

/**
 * A session's intention to link an account at a provider. `beginLink` stores it in the browser for the following
 * navigation, which must contain its id, so a page of another site can neither create nor start one.
 */
export type LinkIntention = z.infer<typeof sealedLink>;

export function createLinkIntention(
  deps: Deps,
  link: Pick<LinkIntention, 'provider' | 'sessionId' | 'returnTo' | 'page'>,
): LinkIntention {
  return { ...link, id: createSecret(deps.randomBytes), expiresAt: deps.now() + attemptTtlSeconds * 1000 };
}

export function encryptLinkIntention(deps: Deps, intention: LinkIntention): Promise<string> {
  return encrypt(keysOf(deps), JSON.stringify(intention), 'link', deps.randomBytes);
}

/** Decrypts an intention; null if it is altered, expired, or something else. */
export async function decryptLinkIntention(deps: Deps, sealed: string): Promise<LinkIntention | null> {
  const text = await decrypt(keysOf(deps), sealed, 'link');
  const parsed = text === null ? null : sealedLink.safeParse(JSON.parse(text));
  return parsed?.success && parsed.data.expiresAt > deps.now() ? parsed.data : null;
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'oauth-attempt');
}
