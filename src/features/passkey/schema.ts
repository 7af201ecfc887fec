import * as z from 'zod/mini';
import { fromBase64url } from '../../lib/encoding.ts';
import { popupIdPattern } from '../../lib/id.ts';
import { passkeyName } from '../credential/schema.ts';

/** Bytes as in WebAuthn JSON: canonical base64url. */
const bytes = (name: string, most: number) => {
  const message = `${name} must be base64url`;
  return z
    .string(message)
    .check(z.maxLength(most, `${name} must be shorter than or equal to ${most} characters`))
    .check(z.refine((text) => text !== '' && fromBase64url(text) !== null, message));
};

const credentialId = (name: string) => bytes(name, 1023);

const common = {
  id: credentialId('id'),
  rawId: credentialId('rawId'),
  type: z.literal('public-key', 'type must be public-key'),
};

/** The result of `navigator.credentials.get`, from `toJSON` (WebAuthn level 3, AuthenticationResponseJSON). */
export const assertionInput = z.object({
  ...common,
  response: z.object(
    {
      clientDataJSON: bytes('response.clientDataJSON', 4096),
      authenticatorData: bytes('response.authenticatorData', 4096),
      signature: bytes('response.signature', 8192),
      userHandle: z.optional(z.nullable(bytes('response.userHandle', 86))),
    },
    'response must be an object',
  ),
  /** The popup request that this sign-in approves. */
  popup: z.optional(
    z.string('popup must be a string').check(z.regex(popupIdPattern, 'popup must be 16 bytes in base64url')),
  ),
});

/** The result of `navigator.credentials.create`, from `toJSON` (RegistrationResponseJSON). */
export const registrationInput = z.object({
  ...common,
  response: z.object(
    {
      clientDataJSON: bytes('response.clientDataJSON', 4096),
      attestationObject: bytes('response.attestationObject', 12_000),
      transports: z.optional(
        z
          .array(
            z
              .string('response.transports must be names')
              .check(z.regex(/^[a-z-]{1,20}$/, 'response.transports must be names')),
            'response.transports must be an array',
          )
          .check(z.maxLength(8, 'response.transports must be at most 8 names')),
      ),
    },
    'response must be an object',
  ),
  /** The name chosen by the person; defaults to the device's name. */
  name: z.optional(passkeyName),
});

/** `again` makes the signed-in person use one of their own passkeys. */
export const loginOptionsInput = z.object({ again: z.optional(z.boolean('again must be a boolean')) });

const descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.optional(z.array(z.string())),
});

/** PublicKeyCredentialRequestOptionsJSON. */
export const loginOptions = z.object({
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  allowCredentials: z.array(descriptor),
  userVerification: z.literal('required'),
});

/** PublicKeyCredentialCreationOptionsJSON. */
export const registrationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  timeout: z.int(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

/** The result of a first credential: a claim ticket or, in interface revision `direct`, a session. */
export const registrationOutcome = z.object({ claim: z.boolean() });

/** Facts about the person for authenticators (WebAuthn level 3, section 5.1.10, signal methods). */
export const passkeySignals = z.object({
  rpId: z.string(),
  users: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      displayName: z.string(),
      credentialIds: z.array(z.string()),
    }),
  ),
});

/** `/.well-known/webauthn`: other origins that may use passkeys of this domain. */
export const relatedOrigins = z.object({ origins: z.array(z.string()) });

export type AssertionInput = z.infer<typeof assertionInput>;
export type RegistrationInput = z.infer<typeof registrationInput>;
export type LoginOptions = z.infer<typeof loginOptions>;
export type RegistrationOptions = z.infer<typeof registrationOptions>;
export type PasskeySignals = z.infer<typeof passkeySignals>;
