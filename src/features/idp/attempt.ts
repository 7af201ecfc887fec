import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { first, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { createSecret, deriveKeys, open, seal, secretHash } from '../../lib/secret.ts';
import type { AttemptSecrets, Provider } from './providers/provider.ts';

/** How long a person may take at the provider, in seconds. */
export const attemptTtlSeconds = 600;

const sealedAttempt = z.object({
  provider: z.literal('idp'),
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  returnTo: z.nullable(z.string()),
  /** The popup request that the sign-in answers. */
  popup: z.nullable(z.string()),
  /** The session to whose identity the proven credential is linked; null for a sign-in. */
  linkTo: z.nullable(z.string()),
  expiresAt: z.number(),
});

/** One sign-in on its way. It lives in the browser, encrypted, in a cookie of its own. */
export type Attempt = z.infer<typeof sealedAttempt> & AttemptSecrets;

/** The name of an attempt's cookie ends in eight characters of its state's digest, so that the callback finds it. */
export function attemptId(state: string): string {
  return secretHash(state).slice(0, 8);
}

/** Begins an attempt: fresh state, PKCE verifier and nonce, 256 random bits each. */
export function createAttempt(
  deps: Deps,
  provider: Provider['id'],
  purpose: Pick<Attempt, 'returnTo' | 'popup' | 'linkTo'>,
): Attempt {
  return {
    provider,
    state: createSecret(deps.randomBytes),
    verifier: createSecret(deps.randomBytes),
    nonce: createSecret(deps.randomBytes),
    ...purpose,
    expiresAt: deps.now() + attemptTtlSeconds * 1000,
  };
}

export function sealAttempt(deps: Deps, attempt: Attempt): Promise<string> {
  return seal(keysOf(deps), JSON.stringify(attempt), 'attempt', deps.randomBytes);
}

/** Opens an attempt's cookie, or answers null when it is altered, of another key, or expired. */
export async function openAttempt(deps: Deps, sealed: string): Promise<Attempt | null> {
  const text = await open(keysOf(deps), sealed, 'attempt');
  const parsed = text === null ? null : sealedAttempt.safeParse(JSON.parse(text));
  return parsed?.success && parsed.data.expiresAt > deps.now() ? parsed.data : null;
}

/** What POST /v1/auth/login leaves for the navigation that follows: a path on the client to come back to. */
export function sealReturnTo(deps: Deps, returnTo: string): Promise<string> {
  return seal(keysOf(deps), returnTo, 'return-to', deps.randomBytes);
}

export function openReturnTo(deps: Deps, sealed: string): Promise<string | null> {
  return open(keysOf(deps), sealed, 'return-to');
}

/**
 * Uses up a one-time value. Of any number of requests exactly one gets true, by the table's primary key.
 * @param expiresAt until when the value could come back, epoch milliseconds
 */
export async function consumeOnce(deps: Deps, value: string, expiresAt: number): Promise<boolean> {
  const row = await first(
    deps.db,
    statement(sql`INSERT INTO used_once (hash, expires_at) VALUES (${secretHash(value)}, ${expiresAt})
      ON CONFLICT (hash) DO NOTHING RETURNING hash`),
  );
  return row !== null;
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'oauth-attempt');
}
