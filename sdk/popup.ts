import type { Core } from './context.ts';
import {
  PopupBlockedError,
  PopupClosedError,
  PopupRejectedError,
  PopupUnavailableError,
  toError,
} from './errors.ts';
import { isBrowser } from './hint.ts';
import type { TransferInput } from './money-types.ts';
import type { PopupEnd, PopupJob, PopupRun } from './popup-run.ts';
import type { ApprovalRequest, PopupApi, PopupCall, PreparedPopup } from './popup-types.ts';
import { base64url, canOpen, openWindow, type Prepared, popupAddress, randomText } from './popup-window.ts';

export const isSupported = (core: Core): boolean => !unavailable(core) && canOpen();

export function createPopup(core: Core): PopupApi {
  return {
    isSupported: () => isSupported(core),
    prepare() {
      const opened = unavailable(core) ? null : openWindow(core, randomText(16));
      const prepared: PreparedPopup & Prepared = { opened, close: () => opened?.close() };
      return prepared;
    },
    get active() {
      return core.popup;
    },
    approve: (input, call) => askApproval(core, input, call),
  };
}

/** Requests the person's approval of an inquiry, or of a transfer, which is then carried out. */
export function askApproval<T extends object>(
  core: Core,
  input: (ApprovalRequest | TransferInput) & { requestId?: string },
  call?: PopupCall,
): Promise<T> {
  const steps = () => import('./money.ts').then((file) => file.approvalSteps(core, input));
  return openPopup(core, { kind: 'approval', key: {}, id: input.requestId, steps }, call);
}

/**
 * Opens a popup and resolves with its result. Nothing is awaited before the window is open, because a click permits
 * popups only briefly, in Safari only synchronously. The code that runs the popup is loaded afterwards. Until then its
 * pages can have nothing to report, unless a back end has registered the request, in which case the service is polled
 * immediately.
 */
export function openPopup<T extends object>(core: Core, job: PopupJob, call: PopupCall = {}): Promise<T> {
  const prepared = call.window as (PreparedPopup & Prepared) | undefined;
  const active = core.popup;
  const refusal =
    unavailable(core) ||
    (call.signal?.aborted && new PopupClosedError('aborted')) ||
    (active && active.key !== job.key && new PopupBlockedError('busy', 'another'));
  if (refusal || active) prepared?.close();
  if (refusal) return Promise.reject(refusal);
  if (active) {
    active.focus();
    return active.promise as Promise<T>;
  }
  const run = createRun(core, job, prepared);
  if (!run.window && !core.options.popup?.onBlocked)
    return Promise.reject(new PopupBlockedError('browser', 'the browser: allow popups for this site'));
  core.popup = run;
  call.signal?.addEventListener('abort', () => run.cancel(), run.ender);
  const late = new Promise<never>((_, fail) => {
    AbortSignal.timeout(core.options.timeoutMs ?? 10_000).onabort = fail;
  });
  Promise.race([Promise.all([import('./popup-flow.ts'), job.steps()]), late]).then(
    ([{ runPopup }, steps]) => {
      if (core.popup === run) runPopup(core, steps, run, base64url);
    },
    () => run.end({ closed: 'network' }),
  );
  return run.promise as Promise<T>;
}

function createRun(
  core: Core,
  { kind, key, id = randomText(16) }: PopupJob,
  prepared: Prepared | undefined,
): PopupRun {
  const limitMs = core.options.popup?.[`${kind}TimeoutMs`] ?? (kind === 'login' ? 300_000 : 120_000);
  const address = popupAddress(core, kind, id);
  let settle: (value: unknown) => void;
  const promise = new Promise((resolve) => {
    settle = resolve;
  });
  const run: PopupRun = {
    kind,
    key,
    id,
    promise,
    until: Date.now() + limitMs,
    window: usable(prepared ? prepared.opened : openWindow(core, id, address)),
    ender: new AbortController(),
    block: () => core.options.popup?.onBlocked?.(run.retry),
    retry() {
      if (run.window || core.popup !== run) return;
      run.window = usable(openWindow(core, id, address));
      run.begin();
    },
    begin() {},
    // A second click shows the window, even if the browser blocked it at first.
    focus: () => (run.window ? run.window.focus() : run.retry()),
    cancel: () => run.end({ closed: 'aborted' }),
    end(end) {
      if (core.popup !== run) return;
      core.popup = null;
      run.ender.abort();
      run.window?.close();
      settle('value' in end ? end.value : Promise.reject(errorOf(end)));
    },
  };
  if (prepared) run.window?.location.replace(address);
  return run;
}

/** Some blockers return a window that is already closed. */
const usable = (opened: Window | null) => (opened?.closed ? null : opened);

function errorOf(end: Exclude<PopupEnd, { value: unknown }>): Error {
  if ('closed' in end) return new PopupClosedError(end.closed, end.text);
  return 'failed' in end ? toError(end.failed) : new PopupRejectedError(end.rejected, end.cause, end.text);
}

function unavailable({ options, isCrossSite }: Core): PopupUnavailableError | null {
  if (!isBrowser() || options.ssr) return new PopupUnavailableError('no_window');
  if (!options.popupBaseUrl) return new PopupUnavailableError('no_base_url');
  return isCrossSite ? new PopupUnavailableError('not_same_site') : null;
}
