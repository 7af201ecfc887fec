import type { TargetVariables } from './target.ts';

/** Settings as a deployed service has them, but without a provider: nothing here may ask one outside. */
export const production: TargetVariables = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example.com',
  CLIENT_SUCCESS_URL: 'https://app.example.com/welcome',
  ALLOWED_ORIGINS: 'https://spa.example.com, https://other.example.com:8443',
  IDP_ISSUER: '',
  MAIL_TRANSPORT: 'outbox',
};
