import type { Deps } from '../../../deps.ts';
import type { ProviderId } from '../../../lib/credential-kinds.ts';
import type { ProvenCredential } from '../../sign-in/sign-in.ts';

/** What one sign-in attempt binds together: made at its start, checked at its end. */
export interface AttemptSecrets {
  readonly state: string;
  /** PKCE verifier (RFC 7636). */
  readonly verifier: string;
  /** Echoed in the ID token (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
}

/** What the person is to do at the provider. */
export interface Ask {
  /** To choose the account, also where only one is signed in: what is linked is not left to what the browser remembers. */
  readonly choosesAccount: boolean;
}

/** The query of a callback, as far as a provider has to check it. */
export interface CallbackAnswer {
  readonly code: string;
  /** The issuer the answer claims to be from (RFC 9207). */
  readonly iss: string | undefined;
}

/** An external sign-in. One file for each; the rules around it are the same for all. */
export interface Provider {
  readonly id: ProviderId;
  readonly kind: 'oidc' | 'oauth2';
  /** What people call it, or null when it is not configured. */
  name(deps: Deps): string | null;
  /** Where to send the browser. @throws AppError provider_not_configured, provider_failed */
  authorizationUrl(deps: Deps, secrets: AttemptSecrets, ask: Ask): Promise<URL>;
  /** Exchanges the code and proves who came. @throws AppError provider_not_configured, provider_failed */
  authenticate(deps: Deps, secrets: AttemptSecrets, answer: CallbackAnswer): Promise<ProvenCredential>;
}

/** The address at which providers send the browser back; always made from BASE_URL, never from the request. */
export function callbackUrl(deps: Deps, id: Provider['id']): string {
  return `${deps.config.origin}/v1/auth/${id}/callback`;
}
