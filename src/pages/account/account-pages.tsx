import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import type { LimitName } from '../../http/rate-limit.ts';
import { redirectKeepingView } from '../../ui/page.tsx';
import { close, endOne, endOthers, rename, saveProfile, unlink } from './actions.tsx';
import { change, finishLink, showChange, showLink, showLinkCode, startLink } from './email-actions.tsx';
import { forMembers, type Member } from './member.tsx';
import type { AccountTab } from './shell.tsx';
import { showActivity, showCredentials, showProfile, showSessions, showUnlink } from './views.tsx';

type Answer = (c: AppContext, deps: Deps, member: Member) => Promise<Response>;

/**
 * `/account`: what people see and do about their own identity. Every tab is a page and every action a form, so all
 * of it works without script. Each counts under the limit of the API route that does the same.
 */
export function accountPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  const member = (limit: LimitName, tab: AccountTab, answer: Answer) =>
    forMembers(deps, limit, tab, (c, who) => answer(c, deps, who));

  pages.get('/account', (c) => redirectKeepingView(c, deps, '/account/credentials'));
  pages.get('/account/credentials', member('GET /v1/credentials', 'credentials', showCredentials));
  pages.get('/account/credentials/unlink', member('GET /v1/credentials', 'credentials', showUnlink));
  pages.post('/account/credentials/unlink', member('DELETE /v1/credentials/:id', 'credentials', unlink));
  pages.post('/account/credentials/rename', member('PATCH /v1/credentials/:id', 'credentials', rename));
  pages.get('/account/password', member('GET /v1/credentials', 'credentials', showChange));
  pages.post('/account/password', member('PUT /v1/credentials/email/password', 'credentials', change));
  pages.get('/account/email', member('GET /v1/credentials', 'credentials', showLink));
  pages.post('/account/email', member('POST /v1/credentials/email', 'credentials', startLink));
  pages.get('/account/email/code', member('GET /v1/credentials', 'credentials', showLinkCode));
  pages.post('/account/email/code', member('POST /v1/credentials/email/verify', 'credentials', finishLink));
  pages.get('/account/sessions', member('GET /v1/sessions', 'sessions', showSessions));
  pages.post('/account/sessions/end', member('DELETE /v1/sessions/:id', 'sessions', endOne));
  pages.post('/account/sessions/others', member('DELETE /v1/sessions', 'sessions', endOthers));
  pages.get('/account/profile', member('GET /v1/me', 'profile', showProfile));
  pages.post('/account/profile', member('PATCH /v1/me', 'profile', saveProfile));
  pages.post('/account/profile/close', member('DELETE /v1/me', 'profile', close));
  pages.get('/account/activity', member('GET /v1/me/activity', 'activity', showActivity));

  return pages;
}
