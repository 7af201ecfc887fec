import { oidcProvider } from './oidc.ts';

/**
 * Google, an OpenID Connect provider. Its ID tokens name it as `https://accounts.google.com` or `accounts.google.com`
 * (developers.google.com/identity/openid-connect/openid-connect, "Validating an ID token").
 */
export const google = oidcProvider('google', (deps) => deps.config.google, {
  letsChooseAccount: true,
  omitsScheme: true,
});
