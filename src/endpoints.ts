import * as account from './features/account/endpoints.ts';
import * as activity from './features/activity/endpoints.ts';
import * as admin from './features/admin/endpoints.ts';
import * as claim from './features/claim/endpoints.ts';
import * as credential from './features/credential/endpoints.ts';
import * as email from './features/email/endpoints.ts';
import * as identity from './features/identity/endpoints.ts';
import {
  beginLinkEndpoint,
  finishSignInEndpoint,
  listProvidersEndpoint,
  logInEndpoint,
  startSignInEndpoint,
} from './features/idp/endpoints.ts';
import * as passkey from './features/passkey/endpoints.ts';
import * as popup from './features/popup/endpoints.ts';
import * as session from './features/session/endpoints.ts';
import * as signingKey from './features/signing-key/endpoints.ts';
import type { Endpoint } from './http/endpoint.ts';
import { providerIds } from './lib/credential-kinds.ts';
import { emailPageEndpoint } from './pages/shared/endpoints.ts';

/** Every endpoint that has a limit, for RATE_LIMITS. */
export const endpoints: readonly Endpoint[] = [
  ...[logInEndpoint, listProvidersEndpoint, beginLinkEndpoint],
  ...providerIds.flatMap((id) => [startSignInEndpoint(id), finishSignInEndpoint(id)]),
  ...Object.values(account),
  ...Object.values(activity),
  ...Object.values(admin),
  ...Object.values(claim),
  ...Object.values(credential),
  ...Object.values(email),
  ...Object.values(identity),
  ...Object.values(passkey),
  ...Object.values(popup),
  ...Object.values(session),
  ...Object.values(signingKey),
  ...(['register', 'verify', 'login', 'forgot', 'reset'] as const).map(emailPageEndpoint),
];
