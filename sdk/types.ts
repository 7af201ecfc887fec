import type { ApiError } from './errors.ts';

/** The signed-in person and their session. Times are ISO 8601 UTC. */
export interface Session {
  /** The permanent identity, `<handle>@pid`. */
  pid: string;
  handle: string;
  profile: { displayName: string; locale: string | null };
  session: { id: string; provider: string; authenticatedAt: string; expiresAt: string };
  roles: string[];
  /** The primary verified address as of the last renewal. Present only if the service has `SESSION_EMAIL=on`. */
  email?: string | null | undefined;
}

/** A newcomer: signed in at a provider, but without a PID yet. */
export interface ClaimPreview {
  /** The id of the claim ticket. `POST /v1/auth/claim/link` requires it, so that only the account shown is linked. */
  id: string;
  provider: string;
  email: string | null;
  displayName: string | null;
  suggestedHandle: string | null;
  /** The time at which the ticket expires; signing in again issues a new one. */
  expiresAt: string;
}

/** The result of a sign-in. */
export type LoginOutcome =
  | { type: 'signed_in'; session: Session }
  | { type: 'claim_required'; claim: ClaimPreview };

/** A handle's availability, with suggestions if it is taken. `pid` is null for an invalid handle. */
export interface HandleCheck {
  handle: string;
  pid: string | null;
  available: boolean;
  reason: 'invalid' | 'reserved' | 'taken' | null;
  suggestions: string[];
}

/** A credential: one of the person's ways to sign in. */
export interface Credential {
  id: string;
  /** `idp`, `google`, `github`, `email` or `passkey`. */
  provider: string;
  email: string | null;
  linkedAt: string;
  lastLoginAt: string;
  /** Passkeys only: the name chosen by the person. */
  name?: string | null | undefined;
  /** Passkeys only: the time of the last sign-in. */
  lastUsedAt?: string | undefined;
  /** Passkeys only: true if it is synced to other devices. */
  backedUp?: boolean | undefined;
}

/** One of the person's sessions. */
export interface SessionInfo {
  id: string;
  provider: string;
  device: string | null;
  country: string | null;
  createdAt: string;
  lastUsedAt: string;
  current: boolean;
}

/** The person's identity, read from the database. */
export interface Me {
  pid: string;
  handle: string;
  createdAt: string;
  profile: { displayName: string; locale: string | null };
  /** The primary verified address: that of the first linked credential with an address. */
  email: string | null;
  /** Approving a payment above this amount needs a new sign-in. Null disables this. */
  stepUpAmount: number | null;
  /** Null until the person opens a wallet. */
  wallet: WalletSummary | null;
}

/** An account's balance, in minor units. */
export interface Balance {
  asset: string;
  /** Decimals of the asset: 0 for rupiah. */
  scale: number;
  available: number;
  /** Reserved for money that is not final yet. */
  held: number;
  balance: number;
  /** Money that the provider reversed after it was spent. Incoming money settles this debt first. */
  debt: number;
}

/** A wallet's state and balance. */
export interface WalletSummary {
  status: 'active' | 'frozen' | 'closed';
  balances: Balance[];
  /** Null while the operator has set none. */
  limits: WalletLimits | null;
}

/** Wallet limits in whole rupiah, including fees; an unset limit is null. Days and months are in Jakarta time. */
export interface WalletLimits {
  level: 'unverified' | 'verified';
  /** The maximum cost of one payment. */
  payment: number | null;
  /** The maximum that the wallet may hold, and that may leave it per day and per month. */
  held: { most: number; left: number } | null;
  day: { most: number; left: number } | null;
  month: { most: number; left: number } | null;
}

/** Null if the operator has set none. */
export interface ActivityEntry {
  type: string;
  at: string;
  provider: string | null;
  /** The app's name, for app events. */
  app: string | null;
  /** For a payment or a withdrawal, in rupiah. */
  amount: number | null;
  /** The payer's or payee's PID, or a withdrawal's bank account. */
  party: string | null;
  reason: string | null;
  device: string | null;
  country: string | null;
}

/** All data that the service stores about the person, except secrets and their digests. It may contain more fields. */
export interface AccountExport {
  exportedAt: string;
  /** Always true. It is the last member, so a response without it is truncated. */
  complete: boolean;
  identity: {
    pid: string;
    handle: string;
    status: string;
    createdAt: string;
    level: 'unverified' | 'verified';
  };
  profile: { displayName: string; locale: string | null; updatedAt: string };
  emails: { email: string; verifiedAt: string }[];
  credentials: {
    id: string;
    provider: string;
    providerUserId: string;
    email: string | null;
    name: string | null;
    linkedAt: string;
    lastLoginAt: string;
  }[];
  sessions: {
    id: string;
    provider: string;
    createdAt: string;
    lastUsedAt: string;
    expiresAt: string;
    endedAt: string | null;
    endedBecause: string | null;
    userAgent: string | null;
    address: string | null;
    country: string | null;
  }[];
  activity: ActivityEntry[];
}

/** One of the service's external identity providers. */
export interface Provider {
  id: LoginProvider;
  /** The display name, for a button; null if the service has none. */
  name: string | null;
  kind: 'oidc' | 'oauth2';
  /** True if people can sign in with this provider. */
  configured: boolean;
}

/** The maximum balance of the wallet, and the maximum outflow per day and per month. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** The external identity providers. */
export type LoginProvider = 'idp' | 'google' | 'github';

/** A credential's kind. The type is open, because a service may support further kinds. */
export type ProviderId = LoginProvider | 'email' | 'passkey' | (string & {});

/**
 * The session as the page knows it. The object stays the same until something changes.
 *
 * `claim` is a newcomer who still has to choose a handle. `unreachable` means that the state is unknown: being offline,
 * a rate limit or a failing service is never treated as signed out, and the last known session stays available.
 */
export type SessionSnapshot =
  | { readonly status: 'loading'; readonly session: null }
  | { readonly status: 'anonymous'; readonly session: null }
  | { readonly status: 'claim'; readonly session: null; readonly claim: ClaimPreview }
  | { readonly status: 'authenticated'; readonly session: Session }
  | { readonly status: 'unreachable'; readonly session: Session | null; readonly error: ApiError };

/** A popup's purpose. */
export type PopupKind = 'login' | 'approval';

/** The phase of a popup. `detached`: COOP has severed the popup from this page, so the service is polled instead. */
export type PopupPhase = 'open' | 'ready' | 'away' | 'detached' | 'settled';

/** The events of `client.on`. */
export interface PidEvents {
  /** Every new snapshot. */
  session: SessionSnapshot;
  /** A person signed in while this page was open. */
  signed_in: Session;
  /** This page's session has ended. */
  signed_out: { reason: 'logout' | 'expired' | 'other_tab' };
  /** The cookies were renewed, by this tab or by another tab or app. */
  refreshed: { by: 'this_tab' | 'other' };
  /** A newcomer signed in and has no PID yet. */
  claim_required: ClaimPreview;
  /** This client has linked, changed or unlinked a credential. */
  credentials_changed: undefined;
  /** This client has opened the wallet, synced a deposit or confirmed a transfer. */
  wallet_changed: undefined;
  popup: { kind: PopupKind; phase: PopupPhase };
}

/** An entry for `ClientOptions.logger`. */
export interface LogEvent {
  level: 'warn' | 'info';
  code: string;
  message: string;
}

/** Options for `createClient`. */
export interface ClientOptions {
  /** The address of the service, such as `https://id.example.com`. */
  baseUrl: string;
  /** The address of its popup pages, usually the same. Without it, popups reject with PopupUnavailableError. */
  popupBaseUrl?: string;
  /** The id of a registered app, sent as `X-App-Id`. Pages on the operator's origins need none. */
  appId?: string;
  /** The language of the hosted pages. Defaults to the browser's. */
  locale?: 'en' | 'id' | (string & {});
  /** The timeout of one request in milliseconds. Defaults to 10,000. */
  timeoutMs?: number;
  refresh?: {
    /** True to renew cookies automatically. Defaults to true. */
    auto?: boolean;
    /** The time before its expiry at which an access token is renewed, in milliseconds. Defaults to 30,000. */
    skewMs?: number;
    /** True to share a lock and notifications between the tabs of this origin. Defaults to true. */
    crossTab?: boolean;
  };
  popup?: {
    /**
     * The time limit for a login popup, in milliseconds. Defaults to 300,000: the service expires a request after five
     * minutes.
     */
    loginTimeoutMs?: number;
    /** The time limit for an approval popup. Defaults to 120,000: the service expires a request after two minutes. */
    approvalTimeoutMs?: number;
    size?: { width: number; height: number };
    theme?: 'auto' | 'light' | 'dark';
    /**
     * Called if the browser blocks the popup, instead of a rejection, so that the app can show a button that calls
     * `retry`.
     */
    onBlocked?: (retry: () => void) => void;
  };
  /**
   * The session with which the server rendered this page, or null if nobody was signed in. The first snapshot shows it
   * without a request. With null, the first subscriber reads the session only if the browser may still be able to renew
   * one.
   */
  initialSession?: Session | null;
  /** On a server: the Cookie header of the request to render. The client then never renews the session. */
  ssr?: { cookie?: string };
  /** Replaces `fetch`, for example in tests. */
  fetch?: typeof globalThis.fetch;
  /** Receives the warnings that otherwise go to the console. */
  logger?: (event: LogEvent) => void;
}
