import type { Core } from './context.ts';
import type { Result } from './errors.ts';
import type { PopupJob, PopupRun } from './popup-run.ts';
import {
  begun,
  ended,
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

/** Encodes bytes as base64url. */
type ToText = (bytes: Uint8Array) => string;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs a popup to its end: the timer, listeners and requests around `reduce`. Loaded once the window is open; it
 * imports no value of the main file, so it loads in one request.
 */
export function runPopup(core: Core, job: PopupJob<object>, run: PopupRun, toText: ToText): void {
  const { id, kind, ender } = run;
  const verifier = toText(crypto.getRandomValues(new Uint8Array(32)));
  let state = initialState(run.until);

  function dispatch(event: PopupEvent): void {
    const before = state;
    state = reduce(before, event, Date.now(), !!run.window?.closed);
    const { phase, asking } = state;
    if (asking && !before.asking) void ask();
    if (!phase || phase === before.phase) return;
    if (state.outcome) stop(state.outcome);
    core.store.emit('popup', { kind, phase });
  }

  const send = <R extends object>(action: string, keepalive = false) =>
    core.send<R>(`/v1/popup/requests/${id}/${action}`, { method: 'POST', body: { verifier }, keepalive });
  async function ask(): Promise<void> {
    dispatch(polled(await send<RequestStatus>('poll')));
    if (state.asking === 'redeem') dispatch(redeemed(await job.redeem()));
  }

  function stop(outcome: NonNullable<typeof state.outcome>): void {
    if ('closed' in outcome) {
      run.window?.postMessage({ pid: 1, c: id, t: 'cancel' }, core.popupOrigin);
      if (state.asking !== 'register') void send('cancel', true);
    }
    run.end(outcome);
  }

  /** Any window may post messages here. Only the popup's count, and they only say when to ask the service. */
  function hear({ origin, source, data }: MessageEvent): void {
    if (
      origin === core.popupOrigin &&
      run.window &&
      source === run.window &&
      data?.pid === 1 &&
      data.c === id
    )
      dispatch(heard(data.t));
  }

  run.begin = () => {
    if (!run.window) return core.options.popup?.onBlocked?.(run.retry);
    dispatch(begun);
    register(core, job, { id, verifier, isOver: () => ender.signal.aborted }, toText).then(
      (answer) => {
        if (state.outcome && !('statusCode' in answer)) void send('cancel', true);
        dispatch(registered(answer));
      },
      () => dispatch(ended({ rejected: 'malformed' })),
    );
  };
  run.cancel = () => dispatch(ended({ closed: 'aborted' }));
  watch(() => dispatch(looked), hear, ender);
  run.begin();
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

interface Request {
  readonly id: string;
  readonly verifier: string;
  readonly isOver: () => boolean;
}

/**
 * Registers the request. Its window is open already; the page in it waits.
 * @throws TypeError when the service cannot be reached
 */
async function register(
  core: Core,
  job: PopupJob<object>,
  { id, verifier, isOver }: Request,
  toText: ToText,
): Promise<Result<object>> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const body = { id, kind: job.kind, challenge: toText(new Uint8Array(digest)), ...job.body };
  for (let tries = 1; !isOver(); tries += 1) {
    const answer = await job.send<object>('/v1/popup/requests', { method: 'POST', body });
    const status = 'statusCode' in answer ? answer.statusCode : 200;
    if ((status > 0 && status < 500 && status !== 429) || tries === 4) {
      // A browser hides a 403 from a page that is not allowed. When the service cannot be reached, this throws.
      if (!status) await fetch(core.baseUrl, { mode: 'no-cors' });
      return answer;
    }
    await sleep(1_000);
  }
  return { statusCode: 0, message: 'The popup has ended' };
}
