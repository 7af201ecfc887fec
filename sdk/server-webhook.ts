import { decode, readHeader, type ServerRequest } from './server-request.ts';

/** Options for `verifyWebhook`. */
export interface WebhookOptions {
  /** The maximum age of a delivery, and how far its time may be ahead, in seconds. Defaults to 300. */
  toleranceSeconds?: number;
  /** Replaces `Date.now` in tests. */
  now?: () => number;
}

/** An app's event. Its `id` stays the same across repeated deliveries. */
export interface WebhookEvent<Data = unknown> {
  id: string;
  type: string;
  timestamp: string;
  data: Data;
}

/**
 * Verifies a delivery of the app's webhook (Standard Webhooks) and returns its event, or null if it is forged, altered
 * or too old. Deliveries may be repeated, so store the event's `id`.
 * @param body the raw body of the request
 * @param secret the webhook's secret, `whsec_…`
 * @throws DOMException if the secret is malformed
 */
export async function verifyWebhook<Data = unknown>(
  request: ServerRequest,
  body: string,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: WebhookOptions = {},
): Promise<WebhookEvent<Data> | null> {
  const header = (name: string) => readHeader(request, `webhook-${name}`) ?? '';
  const [id, time] = [header('id'), header('timestamp')];
  if (!(Math.abs(now() / 1000 - Number(time)) <= toleranceSeconds)) return null;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', decode(secret.slice(6)), hmac, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`);
  for (const [, signature = ''] of header('signature').matchAll(/(?:^| )v1,([\w+/]{43}=)/g))
    if (await crypto.subtle.verify('HMAC', key, decode(signature), signed))
      return { ...JSON.parse(body), id };
  return null;
}
