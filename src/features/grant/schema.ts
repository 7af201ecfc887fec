import * as z from 'zod/mini';
import { handleOf } from '../../lib/id.ts';
import { pageSchema } from '../../lib/page.ts';

const mostMoney = 1_000_000_000_000;
const maxPayees = 50;

const limit = (most: number) => {
  const text = `must be a whole number from 1 to ${most}`;
  return z.optional(z.nullable(z.int(text).check(z.minimum(1, text), z.maximum(most, text))));
};

const fee = (most: number) => {
  const text = `must be a whole number from 0 to ${most}`;
  return z.optional(z.int(text).check(z.minimum(0, text), z.maximum(most, text)));
};

const pid = z.string('must be a PID').check(z.refine((text) => handleOf(text) !== null, 'must be a PID'));

/**
 * Limits on the money that an app may move without an approval. Null removes a limit, and an absent one stays
 * unchanged.
 */
const limitChanges = z
  .object({
    perTransfer: limit(mostMoney),
    perPeriod: limit(mostMoney),
    periodDays: limit(365),
    total: limit(mostMoney),
    maxUses: limit(1_000_000),
    payees: z.optional(
      z.nullable(
        z.array(pid).check(
          z.refine((entries) => entries.length <= maxPayees, `must have at most ${maxPayees} entries`),
          z.refine((entries) => new Set(entries).size === entries.length, 'must not repeat an entry'),
        ),
      ),
    ),
    /** The app's maximum fee per payment: hundredths of a percent of the amount, and minor units. */
    feeBps: fee(10_000),
    feeFixed: fee(1_000_000_000),
  })
  .check(
    z.refine(
      ({ perPeriod, periodDays }) =>
        (perPeriod === undefined) === (periodDays === undefined) &&
        (perPeriod === null) === (periodDays === null),
      { message: 'must be given with periodDays', path: ['perPeriod'] },
    ),
  );

/** The body of PATCH /v1/grants/:id. */
export const grantChanges = z.object({
  limits: z.optional(limitChanges),
  /** The end of the whole grant. */
  expiresAt: z.optional(z.nullable(z.iso.datetime('must be an ISO 8601 time'))),
});

export type GrantChanges = z.infer<typeof grantChanges>;

const time = z.iso.datetime();

/** An app's permissions for the person. Amounts are minor units, times ISO 8601 UTC. */
export const grant = z.object({
  id: z.string(),
  app: z.object({ id: z.string(), name: z.string() }),
  scopes: z.array(z.string()),
  /**
   * The resources that its access tokens may be for, in addition to those at the app's own origins. A list has the newest
   * that fit in 4,000 characters, and the same of `hosts`.
   */
  resources: z.array(z.string()),
  /** The hosts where the person has given the app permissions. An unchecked app gets responses at no other host. */
  hosts: z.array(z.string()),
  /**
   * The amounts that the app may move without an approval; none while `perTransfer`, `perPeriod` and `total` are null.
   */
  limits: z.object({
    perTransfer: z.nullable(z.int()),
    perPeriod: z.nullable(z.int()),
    periodDays: z.nullable(z.int()),
    total: z.nullable(z.int()),
    maxUses: z.nullable(z.int()),
    payees: z.nullable(z.array(z.string())),
    feeBps: z.int(),
    feeFixed: z.int(),
  }),
  spent: z.object({ period: z.int(), total: z.int(), uses: z.int() }),
  expiresAt: z.nullable(time),
  lastUsedAt: z.nullable(time),
  createdAt: time,
});

export type Grant = z.infer<typeof grant>;

/** The response to GET /v1/grants. */
export const grantPage = pageSchema(grant);
