import * as z from 'zod/mini';
import { canonicalEmail } from '../../lib/email.ts';
import { popupIdPattern } from '../../lib/id.ts';
import { readText } from '../../lib/text-schema.ts';

/** The length in characters. */
export const maxPasswordLength = 256;
/** The length in UTF-16 units, at most two per character: a limit for the body, before characters are counted. */
const maxPasswordUnits = 2 * maxPasswordLength;

/** An address in canonical form. */
const email = readText(z.string('email must be a string'), canonicalEmail, 'email must be an email address');

const password = z
  .string('password must be a string')
  .check(
    z.minLength(1, 'password must not be empty'),
    z.maxLength(maxPasswordUnits, `password must be at most ${maxPasswordLength} characters long`),
  );

/** Six digits; spaces and hyphens between them are ignored. */
const code = readText(
  z.string('code must be a string'),
  (text) => /^\d{6}$/.exec(text.replace(/[\s-]/g, ''))?.[0] ?? null,
  'code must be the six digits from the email',
);

/**
 * The code from a password reset email: eight letters and digits, in either case. Six digits from another email are
 * wrong but well-formed.
 */
const longCode = readText(
  z.string('code must be a string'),
  (text) => /^[0-9A-Z]{6,8}$/.exec(text.replace(/[\s-]/g, '').toUpperCase())?.[0] ?? null,
  'code must be the eight characters from the email',
);

/** The popup request that the sign-in approves. */
const popup = z.optional(
  z
    .string('popup must be a string')
    .check(z.regex(popupIdPattern, 'popup must be the id of a popup request')),
);

/** The body of POST /v1/auth/email/register and of POST /v1/credentials/email. */
export const registerInput = z.object({ email, password });

/** The body of POST /v1/auth/email/login. */
export const passwordLoginInput = z.object({ email, password, popup });

/** The body of POST /v1/auth/email/verify. */
export const verifyInput = z.object({ email, code, popup });

/** The body of POST /v1/auth/email/resend and /forgot. */
export const addressInput = z.object({ email });

/** The body of POST /v1/auth/email/reset. */
export const resetInput = z.object({ email, code: longCode, password });

/** The body of POST /v1/credentials/email/verify. */
export const linkCodeInput = z.object({ email, code });

/** The body of PUT /v1/credentials/email/password. */
export const newPasswordInput = z.object({ password });

/** The response to POST /v1/auth/email/verify: a claim ticket was created. */
export const verified = z.object({ claim: z.literal(true) });
