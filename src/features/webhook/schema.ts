import * as z from 'zod/mini';
import { pageSchema } from '../../lib/page.ts';

/** Events that an app can subscribe to. */
export const eventTypes = [
  'app.secret_rotated',
  'deposit.credited',
  'deposit.expired',
  'deposit.failed',
  'deposit.pending',
  'deposit.review',
  'deposit.reversed',
  'deposit.second_payment',
  'grant.created',
  'grant.revoked',
  'transfer.completed',
  'transfer.held',
  'transfer.captured',
  'transfer.released',
  'transfer.refunded',
  'transfer.reversed',
  'wallet.debt',
] as const;

const maxUrlLength = 500;
const maxOverlapSeconds = 604_800;
const urlText = 'url must be a public https URL';
const overlapText = `overlapSeconds must be a whole number from 0 to ${maxOverlapSeconds}`;

/** The body of POST /v1/apps/:id/webhook. Absent fields stay unchanged. */
export const webhookInput = z.object({
  /** Also checked by the handler, because the settings determine which addresses are public. */
  url: z.string(urlText).check(z.maxLength(maxUrlLength, urlText)),
  events: z.optional(
    z.array(z.enum(['*', ...eventTypes])).check(
      z.refine((types) => types.length > 0, 'must not be empty'),
      z.refine((types) => new Set(types).size === types.length, 'must not repeat an entry'),
    ),
  ),
  enabled: z.optional(z.boolean()),
  rotateSecret: z.optional(z.boolean()),
  /** The overlap in seconds during which the previous secret also signs. */
  overlapSeconds: z._default(
    z.int(overlapText).check(z.minimum(0, overlapText), z.maximum(maxOverlapSeconds, overlapText)),
    86_400,
  ),
});

export type WebhookInput = z.infer<typeof webhookInput>;

const time = z.iso.datetime();

/** An app's endpoint. `secret` is present only if new. */
export const webhook = z.object({
  url: z.string(),
  events: z.array(z.string()),
  status: z.enum(['active', 'disabled']),
  /** The time since which every delivery has failed; after three days the endpoint is disabled. */
  failingSince: z.nullable(time),
  updatedAt: time,
  secret: z.optional(z.string()),
});

export type Webhook = z.infer<typeof webhook>;

const attempt = z.object({
  at: time,
  /** The HTTP status; null without a response. */
  status: z.nullable(z.int()),
  /** Null without a response. */
  durationMs: z.nullable(z.int()),
  error: z.nullable(z.string()),
});

export type Attempt = z.infer<typeof attempt>;

/** The response to POST /v1/apps/:id/webhook/test. */
export const testResult = z.pick(attempt, { status: true, durationMs: true, error: true });

export type TestResult = z.infer<typeof testResult>;

/** An event of the last 30 days, and its delivery. `state` is `none` if no endpoint subscribed to it. */
export const event = z.object({
  id: z.string(),
  type: z.string(),
  at: time,
  data: z.record(z.string(), z.unknown()),
  state: z.enum(['delivered', 'waiting', 'failed', 'none']),
  nextAt: z.nullable(time),
  attempts: z.array(attempt),
});

export type ListedEvent = z.infer<typeof event>;

/** The response to GET /v1/apps/:id/events. */
export const eventPage = pageSchema(event);
