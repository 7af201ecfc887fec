import type { AppTokens, TokenPopupOptions } from './auth-types.ts';
import type { Core } from './context.ts';
import type { ApiError, Result } from './errors.ts';
import type { PopupFailure, PopupSteps } from './popup-run.ts';

/** A BroadcastChannel reaches every page on one origin, regardless of COOP. */
const channelName = 'pid_popup';
/** An approval can be redeemed for 30 seconds. */
const patienceMs = 25_000;

const notReturned: ApiError = {
  statusCode: 0,
  message: 'The popup could not return to this page',
  code: 'popup_not_returned',
};

/**
 * The steps of `auth.tokensWithPopup`. The popup sends its result to this page, or to another page on the same origin.
 * This file imports only types, so it loads in one request.
 */
export function tokenSteps(core: Core, { scope, redeem = true }: TokenPopupOptions): PopupSteps {
  const { popup: run, popupOrigin } = core;
  const channel = new BroadcastChannel(channelName);
  const handedOver = new Promise<unknown>((resolve) => {
    const take = (data?: { c?: unknown; result?: unknown }) => {
      if (data?.c === run?.id && data?.result) resolve(data.result);
    };
    channel.onmessage = ({ data }) => take(data);
    const hear = ({ origin, source, data }: MessageEvent) => {
      if (origin === popupOrigin && (source ?? run?.window) === run?.window) take(data);
    };
    window.addEventListener('message', hear, run?.ender);
  });
  run?.ender.signal.addEventListener('abort', () => channel.close());
  return {
    body: { scope },
    send: core.send,
    async redeem(id, verifier) {
      const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
      const result = await Promise.race([handedOver, late]);
      if (!result) return { failed: notReturned };
      const code = `${id}.${verifier}.${result}`;
      return redeem ? exchange(core, code) : { code };
    },
  };
}

/** Sends no cookies, which this endpoint ignores, and uses a form, which needs no preflight. */
async function exchange(
  { options, baseUrl }: Core,
  subject: string,
): Promise<Result<AppTokens> | PopupFailure> {
  const body = new URLSearchParams({
    client_id: options.appId ?? '',
    subject_token: subject,
    subject_token_type: 'urn:pid:token-type:popup-request',
  });
  try {
    const response = await (options.fetch ?? fetch)(`${baseUrl}/v1/auth/exchange`, { method: 'POST', body });
    const answer = await response.json();
    return response.ok || response.status >= 429 ? answer : { failed: answer };
  } catch {
    return { statusCode: 0, message: 'Network error' };
  }
}

/** Removes the popup's result from the page's address, passes it on, and closes the window. */
export function passOn(): void {
  const [given, c, result] = /^#pid_popup=([\w-]{22})\.([\w.-]+)$/.exec(location.hash) ?? [];
  if (!given) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ c, result });
  channel.close();
  window.close();
}
