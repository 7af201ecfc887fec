import { routesOf } from '../../http/serve.ts';
import { grantEndpoints } from './endpoints.ts';
import { limitGrant, listGrants, revokeGrant } from './grant.ts';

/** A person's permissions for apps. */
export const grantRoutes = routesOf(grantEndpoints, {
  /** The grants that have not ended, the newest first. */
  listGrants: ({ deps, actor, query }) => listGrants(deps, actor.sessionId, query),

  /** Sets the limits that are given. 403 unless the sign-in is recent. */
  limitGrant: ({ deps, actor: { sessionId }, body: changes, params: { id } }) =>
    limitGrant(deps, { sessionId, id, changes }),

  /** Ends a grant at once. Safe to repeat. */
  revokeGrant: ({ deps, actor: { sessionId }, params: { id } }) => revokeGrant(deps, { sessionId, id }),
});
