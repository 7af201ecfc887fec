import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { sendJson } from '../../http/answer.ts';
import { jsonBody, validBody } from '../../http/body.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { requireOwnOrigin } from '../../http/origin.ts';
import { rateLimit, rateLimitByPopup } from '../../http/rate-limit.ts';
import { readActor } from '../session/require-session.ts';
import { beatPopupRequest, cancelPopupRequest, createPopupRequest, pollPopupRequest } from './popup.ts';
import { beatInput, popupInput, verifierInput } from './schema.ts';
import { reportSevering } from './severing.ts';

/** Popups, as their opener and their own pages see them: what is decided in one stands in a row, not in a message. */
export function popupRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Registers a login under the opener's origin. 403 without an Origin, 409 when the id is another's. */
  routes.post(
    '/v1/popup/requests',
    rateLimit(deps, 'POST /v1/popup/requests'),
    jsonBody(),
    validBody(popupInput),
    async (c) => {
      const { id, challenge, link = null } = c.req.valid('json');
      const origin = c.req.header('Origin');
      if (origin === undefined) throw new AppError('origin_not_allowed', null, { reason: 'no origin' });
      const handle = link === null ? null : await requireHandle(c, deps);
      return sendJson(c, await createPopupRequest(deps, { id, challenge, origin, link, handle }));
    },
  );

  /** How the request stands. 404 for another's verifier, too. */
  routes.post(
    '/v1/popup/requests/:id/poll',
    rateLimitByPopup(deps, 'POST /v1/popup/requests/:id/poll'),
    jsonBody(),
    validBody(verifierInput),
    async (c) => sendJson(c, await pollPopupRequest(deps, openerOf(c, c.req.valid('json').verifier))),
  );

  /** The opener gives up. Answers how the request stands, because it may have been decided before. */
  routes.post(
    '/v1/popup/requests/:id/cancel',
    rateLimitByPopup(deps, 'POST /v1/popup/requests/:id/cancel'),
    jsonBody(),
    validBody(verifierInput),
    async (c) => sendJson(c, await cancelPopupRequest(deps, openerOf(c, c.req.valid('json').verifier))),
  );

  /** The popup's pages report: that they are there, that they leave, that they have no opener. */
  routes.post(
    '/popup/requests/:id/beat',
    requireOwnOrigin(deps),
    rateLimitByPopup(deps, 'POST /popup/requests/:id/beat'),
    jsonBody(),
    validBody(beatInput),
    async (c) => {
      const beat = c.req.valid('json');
      const id = c.req.param('id');
      await beatPopupRequest(deps, id, beat);
      const actor = beat.severed ? await readActor(c, deps) : null;
      if (actor !== null) await reportSevering(deps, id, actor);
      return c.body(null, 204);
    },
  );

  return routes;
}

/** Who links must be signed in: the popup then links for this person, or not at all. */
async function requireHandle(c: AppContext, deps: Deps): Promise<string> {
  const actor = await readActor(c, deps);
  if (actor === null) throw new AppError('unauthenticated');
  return actor.handle;
}

function openerOf(c: AppContext, verifier: string) {
  return { id: c.req.param('id') ?? '', verifier, origin: c.req.header('Origin') ?? null };
}
