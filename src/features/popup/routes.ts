import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { parseScopes } from '../../lib/scopes.ts';
import { readActor } from '../session/require-session.ts';
import { popupCallEndpoints } from './endpoints.ts';
import { cancelPopupRequest, pollPopupRequest, reportCutOpener } from './opener.ts';
import { createPopupRequest, type NewRequest, reportPopupPage } from './popup.ts';
import type { PopupAnswer, PopupInput } from './schema.ts';

type Register = (c: AppContext, deps: Deps, body: PopupInput) => Promise<PopupAnswer>;
type MayAsk = (deps: Deps, app: string | null, scopes: readonly string[]) => NewRequest['mayAsk'];

/**
 * The endpoints for popups, used by their opener and their own pages. The outcome is stored in a row, not sent as a
 * message.
 * @param mayAsk from the feature that owns the scopes of apps
 * @param registerApproval from the feature that owns approvals
 */
export const popupRoutes = (mayAsk: MayAsk, registerApproval: Register) =>
  routesOf(popupCallEndpoints, {
    /** Registers a request under the opener's origin. 403 without an Origin, 409 if the id is in use. */
    registerPopup: ({ c, deps, body }) =>
      body.kind === 'login' ? registerLogin(c, deps, body, mayAsk) : registerApproval(c, deps, body),

    /** The state of a request. Another verifier also gets a 404. */
    pollPopup: ({ c, deps, params, body }) => pollPopupRequest(deps, { ...params, ...body, ...originOf(c) }),

    /** Cancels a request for its opener. Returns the state, because the request may already be decided. */
    cancelPopup: ({ c, deps, params, body }) =>
      cancelPopupRequest(deps, { ...params, ...body, ...originOf(c) }),

    /** A popup page reports that it is open, leaving or closing, or has no opener. */
    async beatPopup({ c, deps, body: report, params: { id } }) {
      await reportPopupPage(deps, id, report);
      const actor = report.severed ? await readActor(c, deps) : null;
      if (actor !== null) await reportCutOpener(deps, id, actor);
    },
  });

async function registerLogin(
  c: AppContext,
  deps: Deps,
  body: PopupInput,
  mayAsk: MayAsk,
): Promise<PopupAnswer> {
  const { id, challenge, link = null, prompt = null } = body;
  const scopes = parseScopes(body.scope);
  const origin = c.req.header('Origin');
  if (origin === undefined) throw new AppError('origin_not_allowed', null, { reason: 'no origin' });
  const app = c.get('app') ?? null;
  if (app !== null && link !== null)
    throw new AppError('origin_not_allowed', null, { reason: 'an app links' });
  // This comes before any read of the session, so that the response does not reveal whether there is one.
  if (app !== null && prompt !== null && !c.get('isFirstPartyApp'))
    throw new AppError('origin_not_first_party');
  if (scopes !== null && (app === null || scopes.length === 0))
    throw new AppError('validation_failed', ['scope must name scopes that the app may ask for']);
  const handle = link === null && prompt === null ? null : await requireHandle(c, deps);
  const ask = mayAsk(deps, app, scopes ?? []);
  return createPopupRequest(deps, { id, challenge, origin, app, link, prompt, scopes, handle, mayAsk: ask });
}

/** Linking and signing in again need a signed-in person, who then has to complete the popup. */
async function requireHandle(c: AppContext, deps: Deps): Promise<string> {
  const actor = await readActor(c, deps);
  if (actor === null) throw new AppError('unauthenticated');
  return actor.handle;
}

function originOf(c: AppContext) {
  return { origin: c.req.header('Origin') ?? null };
}
