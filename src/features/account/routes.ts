import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { clearSessionCookies, setAccessCookie } from '../session/cookies.ts';
import { listActivity } from './activity.ts';
import { closeAccount } from './close.ts';
import { accountEndpoints } from './endpoints.ts';
import { getMe, updateProfile } from './me.ts';

/** What a person may see and do about their own identity. */
export function accountRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** The signed-in person's identity and profile. */
  serve(routes, deps, accountEndpoints.getMe, async (c, { actor }) =>
    sendJson(c, await getMe(deps, actor.sessionId)),
  );

  /** Changes the profile, answers the new one, and sets an access token that shows it. */
  serve(routes, deps, accountEndpoints.updateMe, async (c, { actor, body }) => {
    const { me, access } = await updateProfile(deps, actor, body);
    setAccessCookie(c, deps, access, deps.now());
    return sendJson(c, me);
  });

  /**
   * Closes the identity for good; the body repeats the handle. 400 for another one, 403 unless the sign-in is
   * recent, 409 while the identity holds something of value.
   */
  serve(routes, deps, accountEndpoints.closeMe, async (c, { actor, body }) => {
    await closeAccount(deps, { sessionId: actor.sessionId, typed: body.handle });
    clearSessionCookies(c, deps);
    return c.body(null, 204);
  });

  /** Everything held about the person, as a file. */
  serve(routes, deps, accountEndpoints.exportMe, async (c, { actor }) => {
    // Loaded with the first export: hardly anybody asks for one.
    const { exportAccount } = await import('./export.ts');
    const held = await exportAccount(deps, actor.sessionId);
    c.header('Content-Disposition', `attachment; filename="peridot-${held.identity.handle}.json"`);
    return sendJson(c, held);
  });

  /** Sign-ins, ended sessions, and changes of credentials of the signed-in person, the newest first. */
  serve(routes, deps, accountEndpoints.listActivity, async (c, { actor, query }) =>
    sendJson(c, await listActivity(deps, actor.sessionId, query)),
  );

  return routes;
}
