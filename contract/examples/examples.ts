import { accountExamples } from './account.ts';
import { activityExamples } from './activity.ts';
import { adminExamples } from './admin.ts';
import { appExamples } from './app.ts';
import { claimExamples } from './claim.ts';
import { credentialExamples } from './credential.ts';
import { depositExamples } from './deposit.ts';
import { emailExamples } from './email.ts';
import type { Examples } from './example.ts';
import { grantExamples } from './grant.ts';
import { identityExamples } from './identity.ts';
import { idpExamples } from './idp.ts';
import { ledgerExamples } from './ledger.ts';
import { oauthExamples } from './oauth.ts';
import { passkeyExamples } from './passkey.ts';
import { popupExamples } from './popup.ts';
import { serviceExamples } from './service.ts';
import { sessionExamples } from './session.ts';
import { signingKeyExamples } from './signing-key.ts';
import { transferExamples } from './transfer.ts';
import { webhookExamples } from './webhook.ts';
import { withdrawalExamples } from './withdrawal.ts';

/** Every example of the contract, by the operation's id. */
export const examples: Examples = {
  ...accountExamples,
  ...activityExamples,
  ...adminExamples,
  ...appExamples,
  ...claimExamples,
  ...credentialExamples,
  ...emailExamples,
  ...grantExamples,
  ...identityExamples,
  ...idpExamples,
  ...oauthExamples,
  ...ledgerExamples,
  ...passkeyExamples,
  ...popupExamples,
  ...serviceExamples,
  ...sessionExamples,
  ...signingKeyExamples,
  ...transferExamples,
  ...depositExamples,
  ...webhookExamples,
  ...withdrawalExamples,
};
