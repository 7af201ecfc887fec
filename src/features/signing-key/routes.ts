import { routesOf } from '../../http/serve.ts';
import { signingKeyEndpoints } from './endpoints.ts';
import { getPublicKeys } from './signing-key.ts';

/** The public keys, for back ends that verify `pid_access` themselves. */
export const signingKeyRoutes = routesOf(signingKeyEndpoints, {
  /** A JWK Set (RFC 7517 section 5). Caches keep it for less time than a new key is published in advance. */
  getKeys({ c, deps }) {
    c.header('Cache-Control', 'public, max-age=300');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    return getPublicKeys(deps, deps.now());
  },
});
