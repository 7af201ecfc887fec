import { accountApi, activityApi } from '../features/account/api.ts';
import { adminApi } from '../features/admin/api.ts';
import { appApi } from '../features/app/api.ts';
import { claimApi } from '../features/claim/api.ts';
import { credentialApi } from '../features/credential/api.ts';
import { depositApi } from '../features/deposit/api.ts';
import { emailApi } from '../features/email/api.ts';
import { grantApi } from '../features/grant/api.ts';
import { identityApi } from '../features/identity/api.ts';
import { idpApi } from '../features/idp/api.ts';
import { ledgerApi } from '../features/ledger/api.ts';
import { oauthApi } from '../features/oauth/api.ts';
import { passkeyApi } from '../features/passkey/api.ts';
import { popupApi } from '../features/popup/api.ts';
import { sessionApi } from '../features/session/api.ts';
import { signingKeyApi } from '../features/signing-key/api.ts';
import { transferApi } from '../features/transfer/api.ts';
import { webhookApi } from '../features/webhook/api.ts';
import { withdrawalApi } from '../features/withdrawal/api.ts';
import type { FeatureApi } from '../http/operation.ts';
import { pagesApi, serviceApi } from './service.ts';

/**
 * Everything the service answers in production, in the order of the document. The Worker never imports this:
 * `npm run openapi` and the tests do.
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
  signingKeyApi,
  pagesApi,
  serviceApi,
];
