import type { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import type { RouteName } from '../http/lazy-routes.ts';

interface PageGroup {
  /** Every route of the group, because the app has to know them before it is loaded. */
  readonly routes: readonly RouteName[];
  readonly load: () => Promise<Hono<AppEnv>>;
  /** Only where newcomers claim. */
  readonly ofClaims?: true;
}

/** The hosted pages, each group loaded when one of them is first opened: programs ask for none. */
export function pageGroups(deps: Deps): readonly PageGroup[] {
  return [
    {
      routes: ['GET /signin'],
      load: async () => (await import('./sign-in/sign-in-pages.tsx')).signInPages(deps),
    },
    {
      routes: [
        'GET /popup/login',
        'GET /popup/claim',
        'GET /popup/done',
        'POST /popup/requests/:id/decision',
      ],
      load: async () => (await import('./popup/popup-pages.tsx')).popupPages(deps),
    },
    {
      routes: ['POST /v1/credentials/link'],
      load: async () => (await import('./account/link-pages.tsx')).linkPages(deps),
    },
    {
      routes: ['POST /v1/auth/refresh/continue', 'POST /v1/auth/logout/leave'],
      load: async () => (await import('./account/session-pages.ts')).sessionPages(deps),
    },
    {
      routes: [
        'GET /account',
        'GET /account/credentials',
        'GET /account/credentials/unlink',
        'POST /account/credentials/unlink',
        'POST /account/credentials/rename',
        'GET /account/password',
        'POST /account/password',
        'GET /account/email',
        'POST /account/email',
        'GET /account/email/code',
        'POST /account/email/code',
        'GET /account/sessions',
        'POST /account/sessions/end',
        'POST /account/sessions/others',
        'GET /account/profile',
        'POST /account/profile',
        'POST /account/profile/close',
        'GET /account/activity',
      ],
      load: async () => (await import('./account/account-pages.tsx')).accountPages(deps),
    },
    {
      routes: [
        'GET /v1/auth/email/register',
        'POST /v1/auth/email/register',
        'POST /v1/auth/email/resend',
        'GET /v1/auth/email/verify',
        'POST /v1/auth/email/verify',
        'GET /v1/auth/email/login',
        'POST /v1/auth/email/login',
        'GET /v1/auth/email/forgot',
        'POST /v1/auth/email/forgot',
        'GET /v1/auth/email/reset',
        'POST /v1/auth/email/reset',
      ],
      load: async () => (await import('./email/email-pages.ts')).emailPages(deps),
    },
    {
      ofClaims: true,
      routes: ['GET /claim', 'GET /v1/auth/claim', 'POST /v1/auth/claim', 'POST /v1/auth/claim/leave'],
      load: async () => (await import('./claim/claim-pages.tsx')).claimPages(deps),
    },
    {
      ofClaims: true,
      routes: ['GET /v1/auth/claim/link', 'POST /v1/auth/claim/link'],
      load: async () => (await import('./claim/link-pages.tsx')).claimLinkPages(deps),
    },
  ];
}
