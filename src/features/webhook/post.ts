import type { Deps } from '../../deps.ts';
import { signWebhook } from '../../lib/secret.ts';
import { mayCall } from '../app/address.ts';
import { secretDecrypter } from './secret.ts';

const timeoutMs = 15_000;

interface Receiver {
  readonly app_id: string;
  readonly url: string;
  readonly secret_enc: string;
  readonly previous_enc: string | null;
  readonly previous_until: number | null;
}

interface Message {
  readonly id: string;
  readonly body: string;
}

/** The result of a call; `error` is null on success. */
export interface PostResult {
  readonly status: number | null;
  /** Null without a response, because it would distinguish a private name from an unknown one. */
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly retryAfter: string | null;
}

/**
 * Sends a signed message (Standard Webhooks) once. A redirect is treated as a failure, and any failure is an `error`.
 */
export async function post(
  deps: Deps,
  receiver: Receiver,
  { id, body }: Message,
  decryptSecret = secretDecrypter(deps),
): Promise<PostResult> {
  const now = deps.now();
  const secrets = await decryptSecrets(decryptSecret, receiver, now);
  if (secrets === null) {
    deps.log.error('webhook.unreadable_secret', { app: receiver.app_id });
    return { status: null, durationMs: null, error: 'the signing secret cannot be read', retryAfter: null };
  }
  return sendSigned(deps, { url: receiver.url, secrets }, { id, body });
}

/** The same with decrypted secrets. */
export async function sendSigned(
  deps: Deps,
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  { id, body }: Message,
): Promise<PostResult> {
  const timestamp = String(Math.floor(deps.now() / 1000));
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signWebhook(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
  return send(deps, { url, headers, body });
}

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts once to an untrusted URL. */
export async function send(deps: Deps, { url, headers, body }: Request): Promise<PostResult> {
  const startedAt = deps.now();
  const ended = (status: number | null, error: string | null, retryAfter: string | null = null) => ({
    status,
    durationMs: status === null ? null : Math.max(0, deps.now() - startedAt),
    error,
    retryAfter,
  });
  if (!mayCall(deps, url)) return ended(null, 'the address is not public');
  try {
    const call = { url, headers: { ...headers, 'User-Agent': 'Peridot' }, body, timeoutMs };
    const { status, retryAfter } = await deps.callOut(call);
    const isTaken = status >= 200 && status < 300;
    return ended(status, isTaken ? null : `the receiver answered ${status}`, retryAfter);
  } catch (error) {
    return ended(null, error instanceof Error ? error.message.slice(0, 200) : 'no answer');
  }
}

/** The valid signing secrets: the current one, and the previous one until its overlap ends. */
async function decryptSecrets(
  decryptSecret: ReturnType<typeof secretDecrypter>,
  receiver: Receiver,
  now: number,
): Promise<string[] | null> {
  const { app_id: app, secret_enc: current, previous_enc: previous, previous_until: until } = receiver;
  const secret = await decryptSecret(app, current);
  if (secret === null) return null;
  const former = previous !== null && (until ?? 0) > now ? await decryptSecret(app, previous) : null;
  return former === null ? [secret] : [secret, former];
}
