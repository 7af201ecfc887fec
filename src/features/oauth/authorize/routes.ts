import { clientInfo } from '../../../http/context.ts';
import { routesOf } from '../../../http/serve.ts';
import { authorizeEndpoints } from '../endpoints.ts';
import { authorizeByApi } from './api-decision.ts';

/** The authorization endpoint for our own page. Apps send browsers to the page at the same path. */
export const authorizeRoutes = routesOf(authorizeEndpoints, {
  /**
   * Returns the redirect target, or the question for the person. 404 if there is no such app, 403 while it is
   * suspended.
   */
  authorize: ({ c, deps, actor: { sessionId }, body }) =>
    authorizeByApi(deps, { sessionId, client: clientInfo(c), address: c.env.address }, body),
});
