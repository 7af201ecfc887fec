import { clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { sendStream } from '../../http/stream.ts';
import { clearSessionCookies, setAccessCookie } from '../session/cookies.ts';
import { listActivity } from './activity.ts';
import { closeAccount } from './close.ts';
import { accountEndpoints } from './endpoints.ts';
import { getMe, updateProfile } from './me.ts';

/** A person reads and changes their own identity here. */
export const accountRoutes = routesOf(accountEndpoints, {
  /** The signed-in person's identity and profile. */
  getMe: ({ deps, actor }) => getMe(deps, actor.sessionId),

  /** Changes the profile, answers the new one, and sets an access token that shows it. */
  async updateMe({ c, deps, actor, body }) {
    const { me, access } = await updateProfile(deps, actor, body);
    setAccessCookie(c, deps, access, deps.now());
    return me;
  },

  /**
   * Closes the identity for good; the body repeats the handle. 400 for another one, 403 unless the sign-in is
   * recent, 409 while the identity holds something of value.
   */
  async closeMe({ c, deps, actor: { sessionId }, body }) {
    await closeAccount(deps, { sessionId, typed: body.handle, client: clientInfo(c) });
    clearSessionCookies(c, deps);
  },

  /** Everything held about the person, as a file that is sent as it is read. */
  async exportMe({ c, deps, actor }) {
    // Loaded with the first export: few people ask for one.
    const { openExport } = await import('./export.ts');
    const pieces = await openExport(deps, actor);
    c.header('Content-Disposition', `attachment; filename="peridot-${actor.handle}.json"`);
    return sendStream(c, deps, 'application/json; charset=utf-8', pieces);
  },

  /** Sign-ins, ended sessions, and changes of credentials of the signed-in person, the newest first. */
  listActivity: ({ deps, actor, query }) => listActivity(deps, actor.sessionId, query),
});
