import { startedAt } from '../../http/origin.ts';
import { routesOf } from '../../http/serve.ts';
import { setOauthCookie } from './cookie.ts';
import { idpEndpoints } from './endpoints.ts';
import { startLink } from './idp.ts';

const { getLinkUrl } = idpEndpoints;

/** Linking an account of a provider to the identity that is signed in. */
export const linkRoutes = routesOf(
  { getLinkUrl },
  {
    /**
     * Answers the path at which the browser starts the link. A cookie binds it to this session. 401, 403 without a
     * recent sign-in, 503 when the provider is not configured.
     */
    async getLinkUrl({ c, deps, actor: { sessionId }, body: { provider, returnTo: path } }) {
      const returnTo = startedAt(c, deps, path) ?? null;
      const { sealed, url } = await startLink(deps, { provider, sessionId, returnTo, page: null });
      setOauthCookie(c, deps, sealed);
      return { url };
    },
  },
);
