import type { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { claimEndpoint, linkTicketEndpoint, previewClaimEndpoint } from '../features/claim/endpoints.ts';
import {
  forgotPasswordEndpoint,
  loginWithPasswordEndpoint,
  registerEmailEndpoint,
  resendEmailCodeEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../features/email/endpoints.ts';
import { beginLinkEndpoint } from '../features/idp/endpoints.ts';
import {
  decidePopupEndpoint,
  finishPopupEndpoint,
  showPopupClaimEndpoint,
  showPopupEndpoint,
} from '../features/popup/endpoints.ts';
import type { AppEnv } from '../http/context.ts';
import type { Route } from '../http/lazy-routes.ts';
import {
  emailPageEndpoint,
  leaveClaimEndpoint,
  showAccountEndpoint,
  showClaimEndpoint,
  showClaimLinkEndpoint,
  showSignInEndpoint,
} from './shared/endpoints.ts';

interface PageGroup {
  /** Every route of the group, because the app has to know them before it is loaded. */
  readonly routes: readonly Route[];
  readonly load: () => Promise<Hono<AppEnv>>;
  /** Only where newcomers claim. */
  readonly ofClaims?: true;
}

/** The hosted pages, each group loaded when one of them is first opened: programs ask for none. */
export function pageGroups(deps: Deps): readonly PageGroup[] {
  return [
    {
      routes: [showSignInEndpoint],
      load: async () => (await import('./sign-in/sign-in-pages.tsx')).signInPages(deps),
    },
    {
      routes: [showPopupEndpoint, showPopupClaimEndpoint, finishPopupEndpoint, decidePopupEndpoint],
      load: async () => (await import('./popup/popup-pages.tsx')).popupPages(deps),
    },
    {
      routes: [beginLinkEndpoint],
      load: async () => (await import('./account/link-pages.tsx')).linkPages(deps),
    },
    {
      routes: [
        { method: 'POST', path: '/v1/auth/refresh/continue' },
        { method: 'POST', path: '/v1/auth/logout/leave' },
      ],
      load: async () => (await import('./account/session-pages.ts')).sessionPages(deps),
    },
    {
      routes: [
        showAccountEndpoint,
        { method: 'GET', path: '/account/credentials' },
        { method: 'GET', path: '/account/credentials/unlink' },
        { method: 'POST', path: '/account/credentials/unlink' },
        { method: 'POST', path: '/account/credentials/rename' },
        { method: 'GET', path: '/account/password' },
        { method: 'POST', path: '/account/password' },
        { method: 'GET', path: '/account/email' },
        { method: 'POST', path: '/account/email' },
        { method: 'GET', path: '/account/email/code' },
        { method: 'POST', path: '/account/email/code' },
        { method: 'GET', path: '/account/sessions' },
        { method: 'POST', path: '/account/sessions/end' },
        { method: 'POST', path: '/account/sessions/others' },
        { method: 'GET', path: '/account/profile' },
        { method: 'POST', path: '/account/profile' },
        { method: 'POST', path: '/account/profile/close' },
        { method: 'GET', path: '/account/activity' },
      ],
      load: async () => (await import('./account/account-pages.tsx')).accountPages(deps),
    },
    {
      routes: [
        emailPageEndpoint('register'),
        registerEmailEndpoint,
        resendEmailCodeEndpoint,
        emailPageEndpoint('verify'),
        verifyEmailEndpoint,
        emailPageEndpoint('login'),
        loginWithPasswordEndpoint,
        emailPageEndpoint('forgot'),
        forgotPasswordEndpoint,
        emailPageEndpoint('reset'),
        resetPasswordEndpoint,
      ],
      load: async () => (await import('./email/email-pages.ts')).emailPages(deps),
    },
    {
      ofClaims: true,
      routes: [showClaimEndpoint, previewClaimEndpoint, claimEndpoint, leaveClaimEndpoint],
      load: async () => (await import('./claim/claim-pages.tsx')).claimPages(deps),
    },
    {
      ofClaims: true,
      routes: [showClaimLinkEndpoint, linkTicketEndpoint],
      load: async () => (await import('./claim/link-pages.tsx')).claimLinkPages(deps),
    },
  ];
}
