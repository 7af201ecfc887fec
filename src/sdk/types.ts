import type { ApiError } from './errors.ts';

/** Who is signed in, and how. Times are ISO 8601 UTC. */
export interface Session {
  /** The permanent identity, `<handle>@pid`. */
  pid: string;
  handle: string;
  profile: { displayName: string; locale: string | null };
  session: { id: string; provider: string; authenticatedAt: string; expiresAt: string };
  roles: string[];
}

/** Who continues as a newcomer: signed in at a provider, without a PID. */
export interface ClaimPreview {
  provider: string;
  email: string | null;
  displayName: string | null;
  suggestedHandle: string | null;
  /** When the ticket ends; signing in again gives a fresh one. */
  expiresAt: string;
}

/** What a sign-in led to. */
export type LoginOutcome =
  | { type: 'signed_in'; session: Session }
  | { type: 'claim_required'; claim: ClaimPreview };

/** Whether a handle can be claimed, and others when not. `pid` is null for what can be no handle. */
export interface HandleCheck {
  handle: string;
  pid: string | null;
  available: boolean;
  reason: 'invalid' | 'reserved' | 'taken' | null;
  suggestions: string[];
}

/** One way in: what signs a person in. */
export interface Credential {
  id: string;
  /** `idp`, `google`, `github`, `email` or `passkey`. */
  provider: string;
  email: string | null;
  linkedAt: string;
  lastLoginAt: string;
  /** Of a passkey: what its owner calls it. */
  name?: string | null | undefined;
  /** Of a passkey: when it last signed in. */
  lastUsedAt?: string | undefined;
  /** Of a passkey: whether it is synced to other devices. */
  backedUp?: boolean | undefined;
}

/** A place where the person is signed in. */
export interface SessionInfo {
  id: string;
  provider: string;
  device: string | null;
  country: string | null;
  createdAt: string;
  lastUsedAt: string;
  current: boolean;
}

/** One page of a list; pass `nextCursor` on for the next one, null on the last. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** The kinds of external sign-in. */
export type LoginProvider = 'idp' | 'google' | 'github';

/** A credential's kind; open, because a service may know more. */
export type ProviderId = LoginProvider | 'email' | 'passkey' | (string & {});

/**
 * What this page knows of the session. The object stays the same until something changes.
 *
 * `claim` is a newcomer who still has to pick a handle. `unreachable` means that nobody knows: offline, a rate limit
 * or a failing service never count as signed out, and the last known session stays readable.
 */
export type SessionSnapshot =
  | { readonly status: 'loading'; readonly session: null }
  | { readonly status: 'anonymous'; readonly session: null }
  | { readonly status: 'claim'; readonly session: null; readonly claim: ClaimPreview }
  | { readonly status: 'authenticated'; readonly session: Session }
  | { readonly status: 'unreachable'; readonly session: Session | null; readonly error: ApiError };

/** What a popup is for. */
export type PopupKind = 'login' | 'approval';

/** Where a popup stands. `detached`: the browser has cut it off (COOP), so the service is asked instead. */
export type PopupPhase = 'open' | 'ready' | 'away' | 'detached' | 'settled';

/** The events of `client.on`. */
export interface PidEvents {
  /** Every new snapshot. */
  session: SessionSnapshot;
  /** Somebody signed in while this page was open. */
  signed_in: Session;
  /** The session of this page ended. */
  signed_out: { reason: 'logout' | 'expired' | 'other_tab' };
  /** The cookies were renewed, by this tab or by somebody else. */
  refreshed: { by: 'this_tab' | 'other' };
  /** A sign-in came back without a PID. */
  claim_required: ClaimPreview;
  popup: { kind: PopupKind; phase: PopupPhase };
}

/** One line for `ClientOptions.logger`. */
export interface LogEvent {
  level: 'warn' | 'info';
  code: string;
  message: string;
}

/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the service is: `https://id.example.com`. */
  baseUrl: string;
  /** Where its popup pages are, usually the same; without it popups throw PopupUnavailableError. */
  popupBaseUrl?: string;
  /** A registered app's id, sent as `X-App-Id`. First-party pages need none. */
  appId?: string;
  /** The language of the hosted pages; the browser's unless given. */
  locale?: 'en' | 'id' | (string & {});
  /** How long one request may take, in milliseconds; 10,000 unless given. */
  timeoutMs?: number;
  refresh?: {
    /** Whether cookies are renewed by themselves; true unless given. */
    auto?: boolean;
    /** How long before its end an access token is renewed, in milliseconds; 30,000 unless given. */
    skewMs?: number;
    /** Whether tabs of this origin take turns and tell each other; true unless given. */
    crossTab?: boolean;
  };
  popup?: {
    /** 300,000 unless given: the service forgets a request after five minutes. */
    loginTimeoutMs?: number;
    size?: { width: number; height: number };
    theme?: 'auto' | 'light' | 'dark';
    /** Draws a button that calls `retry`, instead of a rejection, when the browser blocks the popup. */
    onBlocked?: (retry: () => void) => void;
  };
  /** On a server: the Cookie header of the request being rendered. Such a client never renews anything. */
  ssr?: { cookie?: string };
  /** Replaces `fetch`, for instance by a test's app. */
  fetch?: typeof globalThis.fetch;
  /** Gets warnings instead of the console. */
  logger?: (event: LogEvent) => void;
}
