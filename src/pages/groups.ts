import type { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { claimEndpoints } from '../features/claim/endpoints.ts';
import { emailEndpoints } from '../features/email/endpoints.ts';
import { idpEndpoints } from '../features/idp/endpoints.ts';
import {
  authorizeEndpoints,
  authorizePageEndpoints,
  logoutPageEndpoints,
} from '../features/oauth/endpoints.ts';
import { popupEndpoints } from '../features/popup/endpoints.ts';
import { sessionEndpoints } from '../features/session/endpoints.ts';
import type { AppEnv } from '../http/context.ts';
import type { Route } from '../http/lazy-routes.ts';
import {
  accountPaths as account,
  appPaths as app,
  confirmSendPath,
  depositPagePath,
  deskPaths as desk,
  deskPath,
  developerPaths,
  devicePath,
  grantPaths as grant,
  movedPaths,
  movementPaths as movement,
  withdrawPaths,
} from '../lib/page-paths.ts';
import { emailPageEndpoints, pageEndpoints } from './shared/endpoints.ts';
import { sessionPaths } from './shared/paths.ts';

interface PageGroup {
  /** All routes of the group, because the app mounts them before the group is loaded. */
  readonly routes: readonly Route[];
  readonly load: () => Promise<Hono<AppEnv>>;
  /** Only for interface revisions in which newcomers claim. */
  readonly ofClaims?: true;
}

/** The hosted pages. Each group is loaded when one of its pages is first opened. */
export function pageGroups(deps: Deps): readonly PageGroup[] {
  return [
    group([pageEndpoints.showSignIn], async () =>
      (await import('./sign-in/sign-in-pages.tsx')).signInPages(deps),
    ),
    group([showPopup, showPopupClaim, finishPopup, decidePopup], async () =>
      (await import('./popup/popup-pages.tsx')).popupPages(deps),
    ),
    group([showApproval], async () => (await import('./approval/approval-pages.tsx')).approvalPages(deps)),
    group([idpEndpoints.getLinkUrl], async () => (await import('./account/link-pages.tsx')).linkPages(deps)),
    group(sessionRoutes, async () => (await import('./account/session-pages.ts')).sessionPages(deps)),
    group(accountRoutes, async () => (await import('./account/account-pages.tsx')).accountPages(deps)),
    group(authorizeRoutes, async () =>
      (await import('./authorize/authorize-pages.tsx')).authorizePages(deps),
    ),
    group(Object.values(logoutPageEndpoints), async () =>
      (await import('./logout/logout-pages.tsx')).logoutPages(deps),
    ),
    group(both(devicePath), async () => (await import('./device/device-pages.tsx')).devicePages(deps)),
    group(appRoutes, async () => (await import('./app/app-pages.tsx')).appPages(deps)),
    group(both(deskPath), async () => (await import('./desk/desk-pages.tsx')).deskPages(deps)),
    group([get(desk.audit)], async () => (await import('./desk/audit-pages.tsx')).auditPages(deps)),
    group([get(desk.people)], async () => (await import('./desk/search-pages.tsx')).searchPages(deps)),
    group([...both(desk.person), get(desk.personAudit)], async () =>
      (await import('./desk/person-pages.tsx')).personPages(deps),
    ),
    group(both(desk.transaction), async () =>
      (await import('./desk/transaction-pages.tsx')).transactionPages(deps),
    ),
    group(walletRoutes, async () => (await import('./wallet/wallet-pages.tsx')).walletPages(deps)),
    group(emailRoutes, async () => {
      const [pages, { showLogin }] = await Promise.all([
        import('./email/email-pages.ts'),
        import('./login.ts'),
      ]);
      return pages.emailPages(deps, showLogin);
    }),
    {
      ofClaims: true,
      ...group([showClaim, previewClaim, claim, leaveClaim, showClaimed], async () =>
        (await import('./claim/claim-pages.tsx')).claimPages(deps),
      ),
    },
    {
      ofClaims: true,
      ...group([pageEndpoints.showClaimLink, claimEndpoints.linkTicket], async () =>
        (await import('./claim/link-pages.tsx')).claimLinkPages(deps),
      ),
    },
  ];
}

const { showPopup, showPopupClaim, finishPopup, decidePopup, showApproval } = popupEndpoints;
const { showClaim, leaveClaim, showClaimed } = pageEndpoints;
const { previewClaim, claim } = claimEndpoints;

const group = (routes: PageGroup['routes'], load: PageGroup['load']): PageGroup => ({ routes, load });
const get = (path: Route['path']): Route => ({ method: 'GET', path });
const post = (path: Route['path']): Route => ({ method: 'POST', path });
const both = (...paths: Route['path'][]) => paths.flatMap((path) => [get(path), post(path)]);

const authorizeRoutes = [
  authorizePageEndpoints.showAuthorize,
  authorizeEndpoints.authorize,
  pageEndpoints.showLogo,
];

const sessionRoutes = [...Object.values(sessionPaths).map(post), get(sessionEndpoints.continueSession.path)];

const accountRoutes = [
  ...[account.home, account.credentials, account.sessions, account.activity].map(get),
  ...both(account.unlink, account.password, account.email, account.emailCode, account.profile),
  ...[account.rename, account.endSession, account.endOthers, account.stepUp, account.close].map(post),
];

const appRoutes = [
  ...[account.apps, developerPaths.home, ...Object.values(movedPaths)].map(get),
  ...both(developerPaths.register, app.settings, app.secrets, app.revoke, app.webhook, app.removeWebhook),
  ...both(app.fees, app.remove, grant.show, grant.end),
  ...[app.resources, app.test, app.redeliver, app.sweep].map(post),
];

const walletRoutes = [
  ...both(account.wallet, account.send, confirmSendPath, account.withdraw, withdrawPaths.confirm),
  ...both(account.topUp, depositPagePath, movement.show, movement.refund),
  get(account.request),
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
