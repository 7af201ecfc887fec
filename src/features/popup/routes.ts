import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { readActor } from '../session/require-session.ts';
import {
  beatPopupEndpoint,
  cancelPopupEndpoint,
  pollPopupEndpoint,
  registerPopupEndpoint,
} from './endpoints.ts';
import { beatPopupRequest, cancelPopupRequest, createPopupRequest, pollPopupRequest } from './popup.ts';
import { reportSevering } from './severing.ts';

/** Popups, as their opener and their own pages see them: what is decided in one stands in a row, not in a message. */
export function popupRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Registers a login under the opener's origin. 403 without an Origin, 409 when the id is another's. */
  serve(routes, deps, registerPopupEndpoint, async (c, { body }) => {
    const { id, challenge, link = null } = body;
    const origin = c.req.header('Origin');
    if (origin === undefined) throw new AppError('origin_not_allowed', null, { reason: 'no origin' });
    const handle = link === null ? null : await requireHandle(c, deps);
    return sendJson(c, await createPopupRequest(deps, { id, challenge, origin, link, handle }));
  });

  /** How the request stands. 404 for another's verifier, too. */
  serve(routes, deps, pollPopupEndpoint, async (c, { body }) =>
    sendJson(c, await pollPopupRequest(deps, openerOf(c, body.verifier))),
  );

  /** The opener gives up. Answers how the request stands, because it may have been decided before. */
  serve(routes, deps, cancelPopupEndpoint, async (c, { body }) =>
    sendJson(c, await cancelPopupRequest(deps, openerOf(c, body.verifier))),
  );

  /** The popup's pages report: that they are there, that they leave, that they have no opener. */
  serve(routes, deps, beatPopupEndpoint, async (c, { body: beat, params: { id } }) => {
    await beatPopupRequest(deps, id, beat);
    const actor = beat.severed ? await readActor(c, deps) : null;
    if (actor !== null) await reportSevering(deps, id, actor);
    return c.body(null, 204);
  });

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
