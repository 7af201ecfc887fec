import * as z from 'zod/mini';
import type { Deps } from '../../../deps.ts';
import { createId } from '../../../lib/id.ts';
import { createSecret, decrypt, deriveKeys, encrypt } from '../../../lib/secret.ts';
import { createAppSecret } from '../app-session-secret.ts';
import type { Parameters } from './parameters.ts';

/** A request waits this long for its person, in seconds. */
export const waitingSeconds = 600;

const waitingRequest = z.object({
  /** Names its cookie. */
  id: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.nullable(z.string()),
  scopes: z.array(z.string()),
  nonce: z.nullable(z.string()),
  codeChallenge: z.string(),
  resource: z.nullable(z.string()),
  prompts: z.object({ none: z.boolean(), login: z.boolean(), consent: z.boolean() }),
  maxAge: z.nullable(z.number()),
  loginHint: z.nullable(z.string()),
  /** The handle in the app's ID token, if it sent one. */
  hinted: z.nullable(z.string()),
  /** The app's name, for the sign-in page. */
  appName: z.string(),
  /** When it arrived. A sign-in since then is a new one. */
  askedAt: z.number(),
  /**
   * The code and the app session, made in advance: a form sent twice gets the same response, and a batch that is retried
   * after a lost response finds its own work.
   */
  code: z.string(),
  appSessionId: z.string(),
});

/**
 * An app's pending authorization request. While its person signs in, chooses a PID or decides, it waits
 * in their browser, encrypted, in a separate cookie.
 */
export type WaitingRequest = z.infer<typeof waitingRequest>;

interface Asked extends Omit<Parameters, 'idTokenHint'> {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly appName: string;
  readonly hinted: string | null;
}

export function createWaitingRequest(deps: Deps, asked: Asked, now: number): WaitingRequest {
  const { scopes, ...rest } = asked;
  const sessionId = createId('aps', now, deps.randomBytes);
  return {
    ...rest,
    scopes: [...scopes],
    id: createSecret(deps.randomBytes).slice(0, 8),
    askedAt: now,
    code: createAppSecret(deps, 'code', { sessionId, appId: asked.clientId, person: null }).value,
    appSessionId: sessionId,
  };
}

export function encryptWaitingRequest(deps: Deps, request: WaitingRequest): Promise<string> {
  return encrypt(keysOf(deps), JSON.stringify(request), 'authorize', deps.randomBytes);
}

/** Decrypts a request's cookie; null if it is altered, expired, or not a request. */
export async function decryptWaitingRequest(deps: Deps, sealed: string): Promise<WaitingRequest | null> {
  const text = await decrypt(keysOf(deps), sealed, 'authorize');
  const parsed = text === null ? null : waitingRequest.safeParse(JSON.parse(text));
  if (!parsed?.success) return null;
  return parsed.data.askedAt + waitingSeconds * 1000 > deps.now() ? parsed.data : null;
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'oauth-request');
}
