import * as z from 'zod/mini';

/** Settings of the metrics and the access log. */
export const metricsVariables = {
  ACCESS_LOG: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
  METRICS_TOKEN: z.optional(
    z
      .string()
      .check(z.regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 printable characters without spaces')),
  ),
};
