import type { Core } from './context.ts';
import type { ApiError, Result } from './errors.ts';
import type { PopupSteps } from './popup-run.ts';
import type { Credential, ProviderId, Session } from './types.ts';

/** The result of an approved popup has not arrived yet, so the request is repeated a few times. */
const notYet: ApiError = { statusCode: 401, message: 'The popup changed nothing' };

/** The steps of `auth.reauthenticate`. This file imports only types, so it loads in one request. */
export function againSteps(core: Core): PopupSteps {
  let before: Session | undefined;
  return {
    body: { prompt: 'login' },
    // The page may know no session, or an old one. The request is bound to the session known to the service.
    async send(path, request) {
      const known = before ?? (await core.readSession());
      if ('statusCode' in known) return known;
      before = known;
      return core.call(path, request);
    },
    async redeem() {
      const answer = await core.redeem();
      if ('statusCode' in answer) return answer;
      return 'session' in answer && isAgain(before, answer.session) ? answer.session : notYet;
    },
  };
}

/** Returns whether the same person has signed in again. Times have whole seconds, so a new session is also accepted. */
function isAgain(before: Session | undefined, { pid, session: { id, authenticatedAt } }: Session): boolean {
  const old = before?.session;
  return pid === before?.pid && (id !== old?.id || authenticatedAt !== old.authenticatedAt);
}

/** The steps of `credentials.linkWithPopup`. */
export function linkSteps(
  { call, store }: Core,
  provider: ProviderId,
  list: () => Promise<Result<Credential[]>>,
): PopupSteps {
  return {
    body: { link: provider },
    send: call,
    async redeem() {
      const all = await list();
      if ('statusCode' in all) return all;
      const linked = all.filter((one) => one.provider === provider).pop();
      if (linked) store.emit('credentials_changed', undefined);
      return linked ?? notYet;
    },
  };
}
