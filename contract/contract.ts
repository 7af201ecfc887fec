import { accountApi, activityApi } from './account.ts';
import { adminApi } from './admin.ts';
import { appApi } from './app.ts';
import { claimApi } from './claim.ts';
import { credentialApi } from './credential.ts';
import { depositApi } from './deposit.ts';
import { emailApi } from './email.ts';
import { grantApi } from './grant.ts';
import { identityApi } from './identity.ts';
import { idpApi } from './idp.ts';
import { ledgerApi } from './ledger.ts';
import { oauthApi } from './oauth.ts';
import type { FeatureApi } from './operation.ts';
import { passkeyApi } from './passkey.ts';
import { popupApi } from './popup.ts';
import { pagesApi, serviceApi } from './service.ts';
import { sessionApi } from './session.ts';
import { signingKeyApi } from './signing-key.ts';
import { supportApi } from './support.ts';
import { transferApi } from './transfer.ts';
import { webhookApi } from './webhook.ts';
import { withdrawalApi } from './withdrawal.ts';

/**
 * All production endpoints, in the document's order. Only `npm run openapi` and the tests import this module, never the
 * Worker.
 */
export const contract: readonly FeatureApi[] = [
  idpApi,
  claimApi,
  sessionApi,
  popupApi,
  emailApi,
  credentialApi,
  passkeyApi,
  accountApi,
  activityApi,
  appApi,
  webhookApi,
  grantApi,
  oauthApi,
  ledgerApi,
  transferApi,
  withdrawalApi,
  depositApi,
  identityApi,
  adminApi,
  supportApi,
  signingKeyApi,
  pagesApi,
  serviceApi,
];
