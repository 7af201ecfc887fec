import type { ApiError, PopupClosing, PopupRejection, Result } from './errors.ts';
import type { PopupEnd, PopupFailure } from './popup-run.ts';
import type { PopupPhase } from './types.ts';

/** The request of a popup, as reported by the service. */
export interface RequestStatus {
  readonly status: string;
  readonly reason: 'terms_changed' | 'tampered' | null;
  readonly openerLost: boolean;
  readonly closed: boolean;
  readonly seversOpener: boolean;
  readonly expiresAt: string;
}

/** The state of a popup at one moment. */
export interface PopupState {
  /** Undefined until a window has opened. */
  phase?: PopupPhase;
  /** The request in progress. It is registration from the start, because nothing else can be sent before. */
  asking?: 'register' | 'poll' | 'redeem' | undefined;
  /** The page in the window according to its last message: ours, or a provider's. */
  page?: 'ready' | 'away';
  /** When the window first looked closed; `Infinity` while it is open. */
  closedAt: number;
  /** True if the service last reported the window's page as closed. */
  closed?: boolean;
  /** How often the session was rejected after an approval. */
  refusals: number;
  /** When the next poll is due; `Infinity` while the window is open and silent. */
  pollAt: number;
  /** The time when the popup ends without an outcome. */
  until: number;
  /** The reason for that end, unless it is a timeout. */
  closing?: PopupClosing;
  outcome?: PopupEnd;
}

/** An event, as the change it makes to a copy of the state. */
export type PopupEvent = (next: PopupState, now: number, isClosed: boolean) => void;

const pollEveryMs = 1_500;
/** A page that lost its opener reports within three seconds of being shown. */
const firstReportMs = 4_000;

/** Unlike `isApiError`, this function does not have to be imported from the main file. */
const isError = (answer: object): answer is ApiError => 'statusCode' in answer;
const isFailure = (answer: object): answer is PopupFailure => 'failed' in answer;

/** Rejections by the status of a request, and by the HTTP status of a failed registration. */
const rejections: Record<string, PopupRejection> = {
  denied: 'denied',
  invalid: 'tampered',
  expired: 'expired',
  lapsed: 'expired',
  0: 'origin',
  401: 'denied',
  403: 'origin',
  409: 'tampered',
};

export const initialState = (until: number): PopupState => ({
  asking: 'register',
  until,
  closedAt: Infinity,
  refusals: 0,
  pollAt: Infinity,
});

/**
 * The state after an event. An outcome settles the popup, and nothing changes after that.
 * @param isClosed whether the window looks closed
 */
export function reduce(state: PopupState, event: PopupEvent, now: number, isClosed: boolean): PopupState {
  const next = { ...state };
  if (!state.outcome) event(next, now, isClosed);
  if (next.outcome) next.phase = 'settled';
  return next;
}

export const begun: PopupEvent = (next) => {
  next.phase = 'open';
};

/**
 * Time has passed, or the page is visible again. At the timeout, a result that is being fetched is still used, because
 * a payment may already have been made.
 */
export const looked: PopupEvent = (next, now, isClosed) => {
  if (isClosed && now < next.closedAt) {
    next.closedAt = now;
    next.pollAt = now;
  }
  if (now >= next.until && next.asking !== 'redeem') next.outcome = { closed: next.closing ?? 'timeout' };
  else if (next.asking === 'register' && now - next.closedAt >= pollEveryMs)
    next.outcome = { closed: 'user' };
  else if (now >= next.pollAt) next.asking ??= 'poll';
};

/** The caller cancels. */
export const cancelled: PopupEvent = (next, now, isClosed) => {
  next.until = 0;
  next.closing = 'aborted';
  looked(next, now, isClosed);
};

/** The service may have an update. */
export const due: PopupEvent = (next, now, isClosed) => {
  next.pollAt = 0;
  looked(next, now, isClosed);
};

/** The popup has sent a message. */
export const heard =
  (message: unknown): PopupEvent =>
  (next, now, isClosed) => {
    if (message === 'decided' || message === 'closing') due(next, now, isClosed);
    else if (message === 'ready' || message === 'back' || message === 'away') {
      next.page = message === 'away' ? message : 'ready';
      next.phase = next.page;
    }
  };

export const registered =
  (answer: Result<object> | PopupFailure): PopupEvent =>
  (next) => {
    next.asking = undefined;
    if (isError(answer))
      next.outcome = { rejected: rejections[answer.statusCode] ?? 'malformed', cause: answer };
    else if (isFailure(answer)) next.outcome = answer;
    else if ('approved' in answer) next.asking = 'redeem';
  };

export const polled =
  (answer: Result<RequestStatus>): PopupEvent =>
  (next, now) => {
    next.asking = undefined;
    next.pollAt = now + pollEveryMs;
    if (isError(answer)) {
      if (answer.statusCode === 404) next.outcome = { rejected: 'expired', cause: answer };
      return;
    }
    const { status } = answer;
    const rejected = answer.reason ?? rejections[status];
    if (now < next.until && (status === 'approved' || status === 'redeemed')) next.asking = 'redeem';
    else if (rejected) next.outcome = { rejected };
    else if (now < next.closedAt) next.pollAt = Infinity;
    else if (answer.openerLost || (next.page === 'away' && answer.seversOpener)) next.phase = 'detached';
    else if (isGone(next, answer, now)) next.outcome = { closed: 'user' };
    next.closed = answer.closed;
  };

/** Returns whether a window that looks closed is closed; a window that lost its opener looks the same. */
const isGone = (
  { page, closed: wasClosed, closedAt }: PopupState,
  { status, closed }: RequestStatus,
  now: number,
): boolean | undefined =>
  status === 'cancelled' ||
  page === 'ready' ||
  (closed && !page
    ? wasClosed
    : now - closedAt >= (page || status === 'created' ? pollEveryMs : firstReportMs));

/** The popup's cookies may arrive shortly after the approval, so only the fourth 401 is final. */
export const redeemed =
  (answer: Result<object> | PopupFailure): PopupEvent =>
  (next) => {
    next.asking = undefined;
    if (!isError(answer)) {
      next.outcome = isFailure(answer) ? answer : { value: answer };
    } else if (answer.statusCode === 401) {
      next.refusals += 1;
      if (next.refusals > 3) next.outcome = { rejected: 'denied', cause: answer };
    }
  };
