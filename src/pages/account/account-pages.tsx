import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import type { AppEnv } from '../../http/context.ts';
import type { LimitName } from '../../http/rate-limit.ts';
import { redirectKeepingView } from '../../ui/page.tsx';
import { accountPaths as paths } from '../shared/paths.ts';
import { close, endOne, endOthers, rename, saveProfile, unlink } from './actions.tsx';
import { change, finishLink, showChange, showLink, showLinkCode, startLink } from './email-actions.tsx';
import { type Answer, forMembers } from './member.tsx';
import type { AccountTab } from './shell.tsx';
import { showActivity, showCredentials, showProfile, showSessions, showUnlink } from './views.tsx';

/**
 * `/account`: what people see and change about their identity. Every tab is a page and every action a form, so it all
 * works without script. Each counts under the limit of the API's route.
 */
export function accountPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  const on = (tab: AccountTab) => (limit: LimitName, answer: Answer) => forMembers(deps, limit, tab, answer);
  const [credentials, sessions, profile] = [on('credentials'), on('sessions'), on('profile')];

  pages.get(paths.home, (c) => redirectKeepingView(c, deps, paths.credentials));
  pages.get(paths.credentials, credentials('GET /v1/credentials', showCredentials));
  pages.get(paths.unlink, credentials('GET /v1/credentials', showUnlink));
  pages.post(paths.unlink, credentials('DELETE /v1/credentials/:id', unlink));
  pages.post(paths.rename, credentials('PATCH /v1/credentials/:id', rename));
  pages.get(paths.password, credentials('GET /v1/credentials', showChange));
  pages.post(paths.password, credentials('PUT /v1/credentials/email/password', change));
  pages.get(paths.email, credentials('GET /v1/credentials', showLink));
  pages.post(paths.email, credentials('POST /v1/credentials/email', startLink));
  pages.get(paths.emailCode, credentials('GET /v1/credentials', showLinkCode));
  pages.post(paths.emailCode, credentials('POST /v1/credentials/email/verify', finishLink));
  pages.get(paths.sessions, sessions('GET /v1/sessions', showSessions));
  pages.post(paths.endSession, sessions('DELETE /v1/sessions/:id', endOne));
  pages.post(paths.endOthers, sessions('DELETE /v1/sessions', endOthers));
  pages.get(paths.profile, profile('GET /v1/me', showProfile));
  pages.post(paths.profile, profile('PATCH /v1/me', saveProfile));
  pages.post(paths.close, profile('DELETE /v1/me', close));
  pages.get(paths.activity, on('activity')('GET /v1/me/activity', showActivity));

  return pages;
}
