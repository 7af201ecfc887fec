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
import {
  authorizeEndpoints,
  authorizePageEndpoints,
  logoutPageEndpoints,
  oauthEndpoints,
} from './features/oauth/endpoints.ts';
import { passkeyEndpoints } from './features/passkey/endpoints.ts';
import { popupCallEndpoints, popupEndpoints } from './features/popup/endpoints.ts';
import { sessionEndpoints } from './features/session/endpoints.ts';
import { signingKeyEndpoints } from './features/signing-key/endpoints.ts';
import { transferEndpoints } from './features/transfer/endpoints.ts';
import { webhookEndpoints } from './features/webhook/endpoints.ts';
import { withdrawalEndpoints } from './features/withdrawal/endpoints.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { RouteGroup } from './http/lazy-routes.ts';
import { memoize } from './lib/memoize.ts';
import { emailPageEndpoints } from './pages/shared/endpoints.ts';

const registering = memoize(() => import('./features/approval/register.ts'));

/**
 * Every group of endpoints. The handlers of a group are loaded on its first request; groups without handlers belong to
 * the app or to pages.
 */
export const groups: readonly RouteGroup[] = [
  [sessionEndpoints],
  [signingKeyEndpoints],
  [authorizePageEndpoints],
  [logoutPageEndpoints],
  [popupEndpoints],
  [emailPageEndpoints],
  [
    { ...idpEndpoints, ...navigationEndpoints },
    async () => (await import('./features/idp/routes.ts')).idpRoutes,
  ],
  [claimEndpoints, async () => (await import('./features/claim/routes.ts')).claimRoutes],
  [
    popupCallEndpoints,
    async () => {
      const { mayAsk } = await import('./features/app/scopes.ts');
      return (await import('./features/popup/routes.ts')).popupRoutes(mayAsk, async (...call) =>
        (await registering()).registerApproval(...call),
      );
    },
  ],
  [credentialEndpoints, async () => (await import('./features/credential/routes.ts')).credentialRoutes],
  [emailEndpoints, async () => (await import('./features/email/routes.ts')).emailRoutes],
  [passkeyEndpoints, async () => (await import('./features/passkey/routes.ts')).passkeyRoutes],
  [appEndpoints, async () => (await import('./features/app/routes.ts')).appRoutes],
  [grantEndpoints, async () => (await import('./features/grant/routes.ts')).grantRoutes],
  [webhookEndpoints, async () => (await import('./features/webhook/routes.ts')).webhookRoutes],
  [authorizeEndpoints, async () => (await import('./features/oauth/authorize/routes.ts')).authorizeRoutes],
  [oauthEndpoints, async () => (await import('./features/oauth/token/routes.ts')).oauthRoutes],
  [ledgerEndpoints, async () => (await import('./features/ledger/routes.ts')).ledgerRoutes],
  [transferEndpoints, async () => (await import('./features/transfer/routes.ts')).transferRoutes],
  [withdrawalEndpoints, async () => (await import('./features/withdrawal/routes.ts')).withdrawalRoutes],
  [depositEndpoints, async () => (await import('./features/deposit/routes.ts')).depositRoutes],
  [identityEndpoints, async () => (await import('./features/identity/routes.ts')).identityRoutes],
  [accountEndpoints, async () => (await import('./features/account/routes.ts')).accountRoutes],
  [adminEndpoints, async () => (await import('./features/admin/routes.ts')).adminRoutes],
];

/** Every endpoint that may have a limit, for RATE_LIMITS. */
export const endpoints: readonly Endpoint[] = [
  ...new Set(groups.flatMap(([group]) => Object.values<Endpoint>(group))),
];
