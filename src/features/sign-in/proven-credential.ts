import type { SQL, Statement } from '../../db/database.ts';
import type { providerIds } from '../../lib/credential-kinds.ts';

/** A credential just proven by its owner. `provider` and `subject` identify the stored one. */
export type ProvenCredential = KnownCredential | ClaimableCredential;

/** Proven against a stored credential, which the sign-in checks again. */
export type KnownCredential = ProvenPassword | ProvenPasskey;

/** Proven without a stored credential, which may not exist yet and is then claimed or linked. */
export type ClaimableCredential = ProvenAccount | RegisteredPasskey;

export interface ProvenAccount {
  readonly provider: (typeof providerIds)[number];
  /** The provider's own identifier for the person. */
  readonly subject: string;
  /** The address from the provider, canonical, verified or not. */
  readonly shownEmail: string | null;
  /** The same address if it is verified; only then is it unique to one identity. */
  readonly verifiedEmail: string | null;
  readonly displayName: string | null;
  readonly locale: string | null;
}

/** The password matched this credential's hash. If the password has since changed, it does not sign anyone in. */
export interface ProvenPassword {
  readonly provider: 'email';
  /** The address. */
  readonly subject: string;
  readonly proof: {
    readonly credentialId: string;
    readonly passwordHash: string;
    /** The same password rehashed with the current parameters, if the stored hash uses others. */
    readonly rehash: string | null;
    /** Clears the wrong guess counter after the person is signed in. */
    readonly clearGuesses: (signedIn: SQL) => Statement;
  };
}

/** The assertion matched this credential's key. The counter must be ahead of the stored one, or both must be zero. */
export interface ProvenPasskey {
  readonly provider: 'passkey';
  /** The passkey's id. */
  readonly subject: string;
  readonly proof: {
    readonly credentialId: string;
    readonly signCount: number;
    readonly backedUp: boolean;
  };
}

export interface RegisteredPasskey {
  readonly provider: 'passkey';
  /** The passkey's id. */
  readonly subject: string;
  readonly registration: {
    readonly name: string | null;
    /** COSE_Key, base64url. */
    readonly publicKey: string;
    readonly signCount: number;
    /** A JSON array, as named by the authenticator. */
    readonly transports: string | null;
    readonly backedUp: boolean;
    /** The id by which the authenticator identifies the person. */
    readonly userId: string;
  };
}
