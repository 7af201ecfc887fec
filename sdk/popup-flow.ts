import type { Core } from './context.ts';
import type { ApiError, Result } from './errors.ts';
import type { PopupEnd, PopupFailure, PopupRun, PopupSteps } from './popup-run.ts';
import {
  begun,
  cancelled,
  due,
  heard,
  initialState,
  looked,
  type PopupEvent,
  polled,
  type RequestStatus,
  redeemed,
  reduce,
  registered,
} from './popup-state.ts';
import type { PopupKind } from './types.ts';

/** Encodes bytes as base64url. */
type ToText = (bytes: Uint8Array) => string;

const path = '/v1/popup/requests';

/** Longer than the page shows the approval. */
const shownMs = 1_500;

/** The texts for the reasons why a popup ended. They are here because all these reasons originate in this file. */
const texts: Record<string, string> = {
  user: 'you closed the window',
  timeout: 'the time is over',
  expired: 'the time is over',
  aborted: 'the page cancelled it',
  denied: 'you declined',
  malformed: 'it is not valid',
  tampered: 'it was changed',
  terms_changed: 'its terms have changed',
  origin: 'this page may not ask for it',
};

/**
 * Runs a popup to its end: the timer, listeners and requests around `reduce`. Loaded after the window has opened; it
 * imports no value from the main file, so it loads in one request.
 */
export function runPopup(core: Core, steps: PopupSteps, run: PopupRun, toText: ToText): void {
  const { id, kind } = run;
  const verifier = steps.known ?? toText(crypto.getRandomValues(new Uint8Array(32)));
  let state = initialState(run.until);

  function dispatch(event: PopupEvent): void {
    const before = state;
    state = reduce(before, event, Date.now(), !!run.window?.closed);
    const { phase, asking } = state;
    if (asking && !before.asking) void ask();
    if (phase && phase !== before.phase) {
      if (state.outcome) stop(state.outcome);
      core.store.emit('popup', { kind, phase });
    }
  }

  /** A cancellation has to outlive the page, and a poll may. */
  const send = <R extends object>(action: string) =>
    core.send<R>(`${path}/${id}/${action}`, { method: 'POST', body: { verifier }, keepalive: true });
  async function ask(): Promise<void> {
    const answer = await send<RequestStatus>('poll');
    dispatch(polled(answer));
    await redeem(answer);
  }
  async function redeem(answer?: object): Promise<void> {
    if (state.asking === 'redeem') dispatch(redeemed(await steps.redeem(id, verifier, answer)));
  }

  function stop(outcome: NonNullable<typeof state.outcome>): void {
    if ('closed' in outcome) {
      run.window?.postMessage({ pid: 1, c: id, t: 'cancel' }, core.popupOrigin);
      if (state.asking !== 'register') void send('cancel');
    }
    if ('value' in outcome && state.page === 'ready') closeLater(run);
    run.end(inWords(outcome, kind));
  }

  /** Accepts messages from the popup only. In Chromium a message from a closed page has no source. */
  function hear({ origin, source, data }: MessageEvent): void {
    const isPopup = origin === core.popupOrigin && (source ?? run.window) === run.window;
    if (isPopup && data?.pid === 1 && data.c === id) dispatch(heard(data.t));
  }

  /** Registers the request. Its window is already open. @throws TypeError when the service cannot be reached */
  async function register(): Promise<Result<object> | PopupFailure> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const body = { id, kind, challenge: toText(new Uint8Array(digest)), ...steps.body };
    for (let tries = 1; ; tries += 1) {
      const answer = await steps.send(path, { method: 'POST', body });
      const { statusCode = 200 } = answer as Partial<ApiError>;
      if ((statusCode > 0 && statusCode < 500 && statusCode !== 429) || tries > 3 || state.outcome) {
        // A browser hides the 403 for a page that is not allowed. If the service cannot be reached, this throws.
        if (!statusCode) await fetch(core.baseUrl, { mode: 'no-cors' });
        return answer;
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }

  async function begin(): Promise<void> {
    const answer = await register();
    dispatch(registered(answer));
    // The person may have decided before this file was loaded.
    if (steps.known) dispatch(due);
    await redeem();
    if (state.outcome && 'id' in answer) void send('cancel');
  }

  run.begin = () => {
    if (!run.window) return run.block();
    dispatch(begun);
    begin().catch(() => dispatch(registered({ statusCode: 503, message: 'malformed' })));
  };
  run.cancel = () => dispatch(cancelled);
  watch(() => dispatch(looked), hear, run.ender);
  run.begin();
}

/** The page of an approved popup shows the approval, and then closes itself. */
function closeLater(run: PopupRun): void {
  const { window: shown } = run;
  run.window = null;
  setTimeout(() => shown?.close(), shownMs);
}

function inWords(end: PopupEnd, kind: PopupKind): PopupEnd {
  const reason = 'closed' in end ? end.closed : 'rejected' in end ? end.rejected : '';
  const text = reason === 'denied' && kind === 'approval' ? `${texts[reason]} the payment` : texts[reason];
  return text ? { ...end, text } : end;
}

/** Calls back whenever the state may have changed, until the popup ends. */
function watch(look: () => void, hear: (event: MessageEvent) => void, ender: AbortController): void {
  const timer = setInterval(look, 400);
  ender.signal.addEventListener('abort', () => clearInterval(timer));
  window.addEventListener('message', hear, ender);
  window.addEventListener('pageshow', look, ender);
  window.addEventListener('online', look, ender);
  document.addEventListener('visibilitychange', look, ender);
}
