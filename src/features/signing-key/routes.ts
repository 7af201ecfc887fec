import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { signingKeyEndpoints } from './endpoints.ts';
import { getPublicKeys } from './signing-key.ts';

/** The public keys, for back ends that verify `pid_access` themselves. */
export function signingKeyRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** JWK Set (RFC 7517 section 5). Caches keep it no longer than the next key is published ahead. */
  serve(routes, deps, signingKeyEndpoints.getKeys, async (c) => {
    c.header('Cache-Control', 'public, max-age=300');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    return sendJson(c, await getPublicKeys(deps, deps.now()));
  });

  return routes;
}
