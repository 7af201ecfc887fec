import * as z from 'zod/mini';
import type { Deps } from '../../../deps.ts';
import { createId } from '../../../lib/id.ts';
import { createSecret, decrypt, deriveKeys, encrypt } from '../../../lib/secret.ts';
import { createAppSecret } from '../app-session-secret.ts';
import type { Parameters } from './parameters.ts';

/** The lifetime of a waiting request, in seconds. */
export const waitingSeconds = 600;

const waitingRequest = z.object({
  /** Part of the name of its cookie. */
  id: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.nullable(z.string()),
  scopes: z.array(z.string()),
  nonce: z.nullable(z.string()),
  codeChallenge: z.nullable(z.string()),
  /** Absent in requests that have been waiting since before an upgrade. */
  dpopJkt: z._default(z.nullable(z.string()), null),
  resource: z.nullable(z.string()),
  prompts: z.object({
    none: z.boolean(),
    login: z.boolean(),
    consent: z.boolean(),
    create: z._default(z.boolean(), false),
  }),
  needsPasskey: z._default(z.boolean(), false),
  maxAge: z.nullable(z.number()),
  loginHint: z.nullable(z.string()),
  /** The handle in the app's ID token or in `claims`, if any. */
  hinted: z.nullable(z.string()),
  /** The app's name, for the sign-in page. */
  appName: z.string(),
  /** The time of arrival. A later sign-in is a new one. */
  askedAt: z.number(),
  /**
   * The code and the app session, made in advance: a form sent twice gets the same response, and a batch retried after
   * a lost response recognises its own rows.
   */
  code: z.string(),
  appSessionId: z.string(),
});

/**
 * An app's pending authorization request. While the person signs in, chooses a PID or decides, the request waits in
 * their browser, encrypted, in a separate cookie.
 */
export type WaitingRequest = z.infer<typeof waitingRequest>;

interface Asked extends Omit<Parameters, 'idTokenHint' | 'named'> {
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

/** Decrypts the cookie of a request; null if it is altered, expired, or not a request. */
export async function decryptWaitingRequest(deps: Deps, sealed: string): Promise<WaitingRequest | null> {
  const text = await decrypt(keysOf(deps), sealed, 'authorize');
  const parsed = text === null ? null : waitingRequest.safeParse(JSON.parse(text));
  if (!parsed?.success) return null;
  return parsed.data.askedAt + waitingSeconds * 1000 > deps.now() ? parsed.data : null;
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'oauth-request');
}
