import type { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { claimEndpoints } from '../features/claim/endpoints.ts';
import { emailEndpoints } from '../features/email/endpoints.ts';
import { idpEndpoints } from '../features/idp/endpoints.ts';
import { authorizeEndpoints, authorizePageEndpoints } from '../features/oauth/endpoints.ts';
import { popupEndpoints } from '../features/popup/endpoints.ts';
import type { AppEnv } from '../http/context.ts';
import type { Route } from '../http/lazy-routes.ts';
import {
  accountPaths as account,
  appPaths as app,
  confirmSendPath,
  depositPagePath,
  deskPath,
  grantPaths as grant,
  withdrawPaths,
} from '../lib/page-paths.ts';
import { emailPageEndpoints, pageEndpoints } from './shared/endpoints.ts';
import { sessionPaths } from './shared/paths.ts';

interface PageGroup {
  /** Every route of the group, because the app mounts them before the group is loaded. */
  readonly routes: readonly Route[];
  readonly load: () => Promise<Hono<AppEnv>>;
  /** Only for interface revisions in which newcomers claim. */
  readonly ofClaims?: true;
}

/** The hosted pages. Each group is loaded when one of its pages is first opened. */
export function pageGroups(deps: Deps): readonly PageGroup[] {
  return [
    {
      routes: [pageEndpoints.showSignIn],
      load: async () => (await import('./sign-in/sign-in-pages.tsx')).signInPages(deps),
    },
    {
      routes: [
        popupEndpoints.showPopup,
        popupEndpoints.showPopupClaim,
        popupEndpoints.finishPopup,
        popupEndpoints.decidePopup,
      ],
      load: async () => (await import('./popup/popup-pages.tsx')).popupPages(deps),
    },
    {
      routes: [popupEndpoints.showApproval],
      load: async () => (await import('./approval/approval-pages.tsx')).approvalPages(deps),
    },
    {
      routes: [idpEndpoints.getLinkUrl],
      load: async () => (await import('./account/link-pages.tsx')).linkPages(deps),
    },
    {
      routes: sessionRoutes,
      load: async () => (await import('./account/session-pages.ts')).sessionPages(deps),
    },
    {
      routes: accountRoutes,
      load: async () => (await import('./account/account-pages.tsx')).accountPages(deps),
    },
    {
      routes: [authorizePageEndpoints.showAuthorize, authorizeEndpoints.authorize],
      load: async () => (await import('./authorize/authorize-pages.tsx')).authorizePages(deps),
    },
    {
      routes: appRoutes,
      load: async () => (await import('./app/app-pages.tsx')).appPages(deps),
    },
    {
      routes: [get(deskPath), post(deskPath)],
      load: async () => (await import('./desk/desk-pages.tsx')).deskPages(deps),
    },
    {
      routes: walletRoutes,
      load: async () => (await import('./wallet/wallet-pages.tsx')).walletPages(deps),
    },
    {
      routes: emailRoutes,
      load: async () => {
        const [{ emailPages }, { showLogin }] = await Promise.all([
          import('./email/email-pages.ts'),
          import('./login.ts'),
        ]);
        return emailPages(deps, showLogin);
      },
    },
    {
      ofClaims: true,
      routes: [
        pageEndpoints.showClaim,
        claimEndpoints.previewClaim,
        claimEndpoints.claim,
        pageEndpoints.leaveClaim,
        pageEndpoints.showClaimed,
      ],
      load: async () => (await import('./claim/claim-pages.tsx')).claimPages(deps),
    },
    {
      ofClaims: true,
      routes: [pageEndpoints.showClaimLink, claimEndpoints.linkTicket],
      load: async () => (await import('./claim/link-pages.tsx')).claimLinkPages(deps),
    },
  ];
}

const get = (path: Route['path']): Route => ({ method: 'GET', path });
const post = (path: Route['path']): Route => ({ method: 'POST', path });

const sessionRoutes = Object.values(sessionPaths).map(post);

const accountRoutes = [
  ...[account.home, account.credentials, account.sessions, account.activity].map(get),
  ...[account.unlink, account.password, account.email, account.emailCode, account.profile].flatMap((path) => [
    get(path),
    post(path),
  ]),
  ...[account.rename, account.endSession, account.endOthers, account.stepUp, account.close].map(post),
];

const appRoutes = [
  get(account.apps),
  ...[
    ...[account.newApp, app.show, app.remove, app.revoke, app.removeWebhook],
    ...[grant.show, grant.end],
  ].flatMap((path) => [get(path), post(path)]),
  ...[app.rotate, app.resources, app.webhook, app.test, app.redeliver].map(post),
];

const walletRoutes = [
  ...[
    account.wallet,
    account.send,
    confirmSendPath,
    account.withdraw,
    withdrawPaths.confirm,
    account.topUp,
    depositPagePath,
  ].flatMap((path) => [get(path), post(path)]),
  post(withdrawPaths.cancel),
];

const emailRoutes = [
  ...Object.values(emailPageEndpoints),
  emailEndpoints.registerEmail,
  emailEndpoints.resendEmailCode,
  emailEndpoints.verifyEmail,
  emailEndpoints.signInWithPassword,
  emailEndpoints.forgotPassword,
  emailEndpoints.resetPassword,
];
