import * as z from 'zod/mini';
import { fromBase64 } from '../lib/encoding.ts';
import { readText } from '../lib/text-schema.ts';

/** The keys from our examples, which are public. */
const exampleKeys = new Set(['A'.repeat(43), `${'A'.repeat(43)}=`]);

export const secretKey = readText(
  z
    .string('must be set: base64 of at least 32 random bytes (`openssl rand -base64 32`)')
    .check(z.refine((text) => !exampleKeys.has(text), 'must not be the example value')),
  (text) => {
    const bytes = fromBase64(text);
    return bytes !== null && bytes.length >= 32 ? bytes : null;
  },
  'must be base64 of at least 32 random bytes',
);
