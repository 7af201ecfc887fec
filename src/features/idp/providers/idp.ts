import { oidcProvider } from './oidc.ts';

/** Any OpenID Connect provider, at IDP_ISSUER. */
export const idp = oidcProvider('idp', (deps) => deps.config.idp);
