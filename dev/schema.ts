import * as z from 'zod/mini';
import { boundedText } from '../src/lib/text-schema.ts';

const tenYearsSeconds = 315_360_000;

/** The body of POST /dev/clock; a form sends its number as text. */
export const clockInput = z.object({
  advanceSeconds: z.coerce
    .number('advanceSeconds must be a number')
    .check(
      z.minimum(0, 'advanceSeconds must not be negative'),
      z.maximum(tenYearsSeconds, 'advanceSeconds must be at most ten years'),
    ),
});

/** The body of POST /dev/money: adds sandbox money to a wallet, opening it if necessary. */
export const moneyInput = z.object({
  to: z.string('to must be a string'),
  amount: z.int('amount must be a positive integer').check(z.minimum(1), z.maximum(1_000_000_000_000)),
  /** True if only the first such request for a person adds money. */
  once: z._default(z.boolean('once must be true or false'), false),
});

export type MoneyInput = z.infer<typeof moneyInput>;

/** The body of POST /dev/shop: the demo shop's pages, its own page first, and its webhook address. */
export const shopInput = z.object({
  origins: z.array(z.string()).check(z.minLength(1), z.maxLength(10)),
  webhook: z.string(),
});

export type ShopInput = z.infer<typeof shopInput>;

/** The response to POST /dev/shop: the data needed by the demo shop's back end. */
export const shop = z.object({
  appId: z.string(),
  secret: z.string(),
  webhookSecret: z.string(),
  /** The person whom the shop's customers pay. */
  payee: z.string(),
});

export type Shop = z.infer<typeof shop>;

/** The response to GET and POST /dev/clock. */
export const clockState = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });

export type ClockState = z.infer<typeof clockState>;

/** Recently created people, stored in one of the picker's cookies. */
export const recentPeople = z.array(z.object({ name: z.string(), email: z.string() })).check(z.maxLength(5));

export type RecentPeople = z.infer<typeof recentPeople>;

const knob = z.pipe(
  z.optional(z.string()),
  z.transform((value) => value !== undefined && !['', '0', 'false'].includes(value)),
);

const shortText = z._default(
  z.string().check(z.maxLength(254, 'Too big: expected string to have <=254 characters')),
  '',
);

/** The picker's form. `user` is a demo person's id or a recent address; without it, `name` and `email` are used. */
export const pickerForm = z.object({
  user: shortText,
  name: z._default(boundedText('name', 64), ''),
  email: shortText,
  slow: z._default(z.coerce.number('slow must be a number of seconds').check(z.minimum(0), z.maximum(60)), 0),
  deny: knob,
  error: knob,
  unverified: knob,
  conflict: knob,
  coop: knob,
});

export type PickerForm = z.infer<typeof pickerForm>;
