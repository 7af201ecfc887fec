import * as z from 'zod/mini';
import { boundedText } from '../../lib/text-schema.ts';

const longest = 2000;
const text = (name: string) => boundedText(name, longest);

/** The body of POST /v1/auth/authorize, sent by our own page. Its fields are the parameters of the request. */
export const authorizeInput = z.object({
  clientId: text('clientId'),
  redirectUri: text('redirectUri'),
  responseType: z.enum(['code'], 'responseType must be code'),
  /** Scopes with spaces between them. */
  scope: text('scope'),
  state: text('state'),
  codeChallenge: text('codeChallenge'),
  codeChallengeMethod: z.enum(['S256'], 'codeChallengeMethod must be S256'),
  nonce: z.optional(text('nonce')),
  resource: z.optional(text('resource')),
  decision: z.optional(z.enum(['allow', 'deny'], 'decision must be allow or deny')),
  /** The `proof` of the answer that asked for consent. Needed to allow. */
  proof: z.optional(text('proof')),
});

/** The answer of POST /v1/auth/authorize: where to go, or what to ask the person first. */
export const authorizeAnswer = z.union([
  z.object({ redirectTo: z.string() }),
  z.object({
    consentRequired: z.literal(true),
    app: z.object({ id: z.string(), name: z.string(), origin: z.string() }),
    scopes: z.array(z.string()),
    proof: z.string(),
  }),
]);

export type AuthorizeInput = z.infer<typeof authorizeInput>;
export type AuthorizeAnswer = z.infer<typeof authorizeAnswer>;

/** The query of GET /v1/auth/authorize, for the contract: the handler reads it itself, to answer by the rules of OAuth. */
export const authorizeQuery = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.string(),
  scope: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.string(),
  state: z.optional(z.string()),
  nonce: z.optional(z.string()),
  resource: z.optional(z.string()),
  prompt: z.optional(z.string()),
  max_age: z.optional(z.string()),
  login_hint: z.optional(z.string()),
  id_token_hint: z.optional(z.string()),
  ui_locales: z.optional(z.string()),
  response_mode: z.optional(z.string()),
});
