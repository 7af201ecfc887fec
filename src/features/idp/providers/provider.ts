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

/** Options of the request to the provider. */
export interface Ask {
  /** To choose the account, even if only one is signed in: the person decides what is linked, not the browser. */
  readonly choosesAccount: boolean;
  /** To prove again who they are, although the provider has a session of theirs. */
  readonly asksAgain: boolean;
}

/** The part of a callback's query that a provider checks. */
export interface CallbackAnswer {
  readonly code: string;
  /** The issuer the answer claims to be from (RFC 9207). */
  readonly iss: string | undefined;
}

/** An external sign-in: one file each. The rules around it are the same for all. */
export interface Provider {
  readonly id: ProviderId;
  /** Returns the address to send the browser to. @throws AppError provider_not_configured, provider_failed */
  authorizationUrl(deps: Deps, secrets: AttemptSecrets, ask: Ask): Promise<URL>;
  /** Exchanges the code and proves who came. @throws AppError provider_not_configured, provider_failed */
  authenticate(deps: Deps, secrets: AttemptSecrets, answer: CallbackAnswer): Promise<ProvenAccount>;
}

/** The redirect URI. It is always made from BASE_URL, never from the request. */
export function callbackUrl(deps: Deps, id: Provider['id']): string {
  return `${deps.config.origin}/v1/auth/${id}/callback`;
}
