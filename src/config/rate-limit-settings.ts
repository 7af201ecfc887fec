import * as z from 'zod/mini';
import { readText } from '../lib/text-schema.ts';

const limitTable = z.record(z.string(), z.number().check(z.int(), z.positive()));

/** RATE_LIMITS: on, off, or requests per minute by route. */
export const rateLimits = readText(
  z.string(),
  (text): 'on' | 'off' | Record<string, number> | null => {
    if (text === 'on' || text === 'off') return text;
    try {
      return limitTable.parse(JSON.parse(text));
    } catch {
      return null;
    }
  },
  'must be on, off, or JSON such as {"POST /v1/auth/refresh": 40, "*": 600} (requests a minute)',
);
