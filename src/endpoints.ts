import { accountEndpoints } from './features/account/endpoints.ts';
import { adminEndpoints } from './features/admin/endpoints.ts';
import { appEndpoints } from './features/app/endpoints.ts';
import { claimEndpoints } from './features/claim/endpoints.ts';
import { credentialEndpoints } from './features/credential/endpoints.ts';
import { depositEndpoints } from './features/deposit/endpoints.ts';
import { emailEndpoints } from './features/email/endpoints.ts';
import { grantEndpoints } from './features/grant/endpoints.ts';
import { identityEndpoints } from './features/identity/endpoints.ts';
import { idpEndpoints, navigationEndpoints } from './features/idp/endpoints.ts';
import { ledgerEndpoints } from './features/ledger/endpoints.ts';
import { authorizeEndpoints, authorizePageEndpoints, oauthEndpoints } from './features/oauth/endpoints.ts';
import { passkeyEndpoints } from './features/passkey/endpoints.ts';
import { popupEndpoints } from './features/popup/endpoints.ts';
import { sessionEndpoints } from './features/session/endpoints.ts';
import { signingKeyEndpoints } from './features/signing-key/endpoints.ts';
import { transferEndpoints } from './features/transfer/endpoints.ts';
import { webhookEndpoints } from './features/webhook/endpoints.ts';
import { withdrawalEndpoints } from './features/withdrawal/endpoints.ts';
import type { Endpoint } from './http/endpoint.ts';
import { emailPageEndpoints } from './pages/shared/endpoints.ts';

/** Every endpoint that may have a limit, for RATE_LIMITS. */
export const endpoints: readonly Endpoint[] = [
  accountEndpoints,
  adminEndpoints,
  appEndpoints,
  authorizeEndpoints,
  authorizePageEndpoints,
  claimEndpoints,
  credentialEndpoints,
  depositEndpoints,
  emailEndpoints,
  grantEndpoints,
  identityEndpoints,
  idpEndpoints,
  navigationEndpoints,
  oauthEndpoints,
  ledgerEndpoints,
  passkeyEndpoints,
  popupEndpoints,
  sessionEndpoints,
  signingKeyEndpoints,
  transferEndpoints,
  webhookEndpoints,
  withdrawalEndpoints,
  emailPageEndpoints,
].flatMap((group) => Object.values<Endpoint>(group));
