import type { TargetVariables } from './target.ts';

/** A deployed service's settings, but without a provider: no test here may call one outside. */
export const production: TargetVariables = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example.com',
  CLIENT_SUCCESS_URL: 'https://app.example.com/welcome',
  ALLOWED_ORIGINS: 'https://spa.example.com, https://other.example.com:8443',
  IDP_ISSUER: '',
  MAIL_TRANSPORT: 'outbox',
};
