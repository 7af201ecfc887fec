import * as z from 'zod/mini';

/** What the service says about itself. */
export const metricsVariables = {
  ACCESS_LOG: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  METRICS_TOKEN: z.optional(
    z
      .string()
      .check(z.regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 printable characters without spaces')),
  ),
};
