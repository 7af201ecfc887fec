import * as z from 'zod';

const tenYearsSeconds = 315_360_000;

/** The body of POST /dev/clock; a form sends its number as text. */
export const clockInput = z.object({
  advanceSeconds: z.coerce
    .number('advanceSeconds must be a number')
    .min(0, 'advanceSeconds must not be negative')
    .max(tenYearsSeconds, 'advanceSeconds must be at most ten years'),
});

/** The answer of GET and POST /dev/clock. */
export const clockState = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });

export type ClockState = z.infer<typeof clockState>;

/** People made lately, kept in a cookie of the user picker. */
export const recentPeople = z.array(z.object({ name: z.string(), email: z.string() })).max(5);

export type RecentPeople = z.infer<typeof recentPeople>;

const knob = z
  .string()
  .optional()
  .transform((value) => value !== undefined && !['', '0', 'false'].includes(value));

/** The user picker's form. `user` is a demo person's id or an address made lately; without it name and email count. */
export const pickerForm = z.object({
  user: z.string().max(254).default(''),
  name: z.string().max(64, 'name must be shorter than or equal to 64 characters').default(''),
  email: z.string().max(254).default(''),
  slow: z.coerce.number('slow must be a number of seconds').min(0).max(60).default(0),
  deny: knob,
  error: knob,
  unverified: knob,
  conflict: knob,
  coop: knob,
});

export type PickerForm = z.infer<typeof pickerForm>;
