import { oidcProvider } from '../oidc.ts';

/** Google, an OpenID Connect provider. */
export const google = oidcProvider('google', (deps) => deps.config.google);
