import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { jsonBody, validBody } from '../../http/body.ts';
import type { AppEnv } from '../../http/context.ts';
import { clearSessionCookies, setAccessCookie } from '../session/cookies.ts';
import { requireSession } from '../session/require-session.ts';
import { closeAccount } from './close.ts';
import { exportAccount } from './export.ts';
import { getMe, updateProfile } from './me.ts';
import { closeInput, profileInput } from './schema.ts';

/** What a person may see and do about their own identity. */
export function accountRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** The signed-in person's identity and profile. */
  routes.get('/v1/me', requireSession(deps, 'GET /v1/me'), async (c) =>
    sendJson(c, await getMe(deps, c.get('actor').sessionId)),
  );

  /** Changes the profile, answers the new one, and sets an access token that shows it. */
  routes.patch(
    '/v1/me',
    requireSession(deps, 'PATCH /v1/me'),
    jsonBody(),
    validBody(profileInput),
    async (c) => {
      const { me, access } = await updateProfile(deps, c.get('actor'), c.req.valid('json'));
      setAccessCookie(c, deps, access, deps.now());
      return sendJson(c, me);
    },
  );

  /**
   * Closes the identity for good; the body repeats the handle. 400 for another one, 403 unless signed in
   * lately, 409 while something of value hangs on it.
   */
  routes.delete(
    '/v1/me',
    requireSession(deps, 'DELETE /v1/me'),
    jsonBody(),
    validBody(closeInput),
    async (c) => {
      await closeAccount(deps, { sessionId: c.get('actor').sessionId, typed: c.req.valid('json').handle });
      clearSessionCookies(c, deps);
      return c.body(null, 204);
    },
  );

  /** Everything held about the person, as a file. */
  routes.get('/v1/me/export', requireSession(deps, 'GET /v1/me/export'), async (c) => {
    const held = await exportAccount(deps, c.get('actor').sessionId);
    c.header('Content-Disposition', `attachment; filename="peridot-${held.identity.handle}.json"`);
    return sendJson(c, held);
  });

  return routes;
}
