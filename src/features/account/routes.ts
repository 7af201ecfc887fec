import { clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { sendStream } from '../../http/stream.ts';
import { clearSessionCookies, setAccessCookie } from '../session/cookies.ts';
import { listActivity } from './activity.ts';
import { closeAccount } from './close.ts';
import { accountEndpoints } from './endpoints.ts';
import { getMe, updateProfile } from './me.ts';

/** The signed-in person's own identity. */
export const accountRoutes = routesOf(accountEndpoints, {
  /** The signed-in person's identity and profile. */
  getMe: ({ deps, actor }) => getMe(deps, actor.sessionId),

  /** Changes the profile, returns it, and sets an access token that reflects the change. */
  async updateMe({ c, deps, actor, body }) {
    const { me, access } = await updateProfile(deps, actor, body);
    setAccessCookie(c, deps, access, deps.now());
    return me;
  },

  /**
   * Permanently closes the identity; the body repeats the handle. 400 for a different handle, 403 unless the sign-in is
   * recent, 409 while the identity holds something of value.
   */
  async closeMe({ c, deps, actor: { sessionId }, body }) {
    await closeAccount(deps, { sessionId, typed: body.handle, client: clientInfo(c) });
    clearSessionCookies(c, deps);
  },

  /** All data about the person, streamed as a file. */
  async exportMe({ c, deps, actor }) {
    // Loaded with the first export, because few people request one.
    const { streamExport } = await import('./export.ts');
    const pieces = await streamExport(deps, actor);
    c.header('Content-Disposition', `attachment; filename="peridot-${actor.handle}.json"`);
    return sendStream(c, deps, 'application/json; charset=utf-8', pieces);
  },

  /** The signed-in person's sign-ins, revoked sessions and credential changes, newest first. */
  listActivity: ({ deps, actor, query }) => listActivity(deps, actor.sessionId, query),
});
