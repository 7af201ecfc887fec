import type { Deps } from '../../../deps.ts';
import type { ProviderId } from '../../../lib/credential-kinds.ts';
import type { ProvenAccount } from '../../sign-in/proven-credential.ts';

/** Secrets that bind the end of a sign-in attempt to its start. */
export interface AttemptSecrets {
  readonly state: string;
  /** PKCE verifier (RFC 7636). */
  readonly verifier: string;
  /** Echoed in the ID token (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
}

/** Options for the request to the provider. */
export interface Ask {
  /**
   * Requests an account chooser, even if only one account is signed in: the person, not the browser, decides which
   * account is linked.
   */
  readonly choosesAccount: boolean;
  /** Makes the person authenticate again, even if they have a session at the provider. */
  readonly asksAgain: boolean;
}

/** The part of a callback query that a provider checks. */
export interface CallbackAnswer {
  readonly code: string;
  /** The issuer in the response (RFC 9207). */
  readonly iss: string | undefined;
}

/** An external sign-in, in a separate file. The rules around it are the same for all. */
export interface Provider {
  readonly id: ProviderId;
  /** Returns the URL to send the browser to. @throws AppError provider_not_configured, provider_failed */
  authorizationUrl(deps: Deps, secrets: AttemptSecrets, ask: Ask): Promise<URL>;
  /** Exchanges the code and returns the signed-in account. @throws AppError provider_not_configured, provider_failed */
  authenticate(deps: Deps, secrets: AttemptSecrets, answer: CallbackAnswer): Promise<ProvenAccount>;
}

/** The redirect URI, always derived from BASE_URL, never from the request. */
export function callbackUrl(deps: Deps, id: Provider['id']): string {
  return `${deps.config.origin}/v1/auth/${id}/callback`;
}
