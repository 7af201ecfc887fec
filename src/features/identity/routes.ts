import { routesOf } from '../../http/serve.ts';
import { identityEndpoints } from './endpoints.ts';
import { getPublicIdentity } from './identity.ts';

/** Public information about identities. */
export const identityRoutes = routesOf(identityEndpoints, {
  /** An identity by its PID, for anyone. A closed one is also a 404. */
  getIdentity: ({ deps, params }) => getPublicIdentity(deps, params.pid),
});
