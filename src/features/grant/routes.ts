import { routesOf } from '../../http/serve.ts';
import { grantEndpoints } from './endpoints.ts';
import { limitGrant, listGrants, revokeGrant } from './grant.ts';

/** The permissions that a person has granted to apps. */
export const grantRoutes = routesOf(grantEndpoints, {
  /** The live grants, newest first. */
  listGrants: ({ deps, actor, query }) => listGrants(deps, actor.sessionId, query),

  /** Sets the given limits. 403 unless the sign-in is recent. */
  limitGrant: ({ deps, actor: { sessionId }, body: changes, params: { id } }) =>
    limitGrant(deps, { sessionId, id, changes }),

  /** Revokes a grant immediately. Safe to repeat. */
  revokeGrant: ({ deps, actor: { sessionId }, params: { id } }) => revokeGrant(deps, { sessionId, id }),
});
