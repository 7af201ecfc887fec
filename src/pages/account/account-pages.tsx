import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import {
  closeMeEndpoint,
  getMeEndpoint,
  listActivityEndpoint,
  updateMeEndpoint,
} from '../../features/account/endpoints.ts';
import {
  listCredentialsEndpoint,
  renamePasskeyEndpoint,
  unlinkCredentialEndpoint,
} from '../../features/credential/endpoints.ts';
import {
  changePasswordEndpoint,
  linkEmailEndpoint,
  verifyLinkedEmailEndpoint,
} from '../../features/email/endpoints.ts';
import {
  endOtherSessionsEndpoint,
  endSessionEndpoint,
  listSessionsEndpoint,
} from '../../features/session/endpoints.ts';
import type { AppEnv } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { accountPaths as paths } from '../../lib/page-paths.ts';
import { redirectKeepingView } from '../../ui/page.tsx';
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
  const on = (tab: AccountTab) => (endpoint: Endpoint, answer: Answer) =>
    forMembers(deps, endpoint, tab, answer);
  const [credentials, sessions, profile] = [on('credentials'), on('sessions'), on('profile')];

  pages.get(paths.home, (c) => redirectKeepingView(c, deps, paths.credentials));
  pages.get(paths.credentials, credentials(listCredentialsEndpoint, showCredentials));
  pages.get(paths.unlink, credentials(listCredentialsEndpoint, showUnlink));
  pages.post(paths.unlink, credentials(unlinkCredentialEndpoint, unlink));
  pages.post(paths.rename, credentials(renamePasskeyEndpoint, rename));
  pages.get(paths.password, credentials(listCredentialsEndpoint, showChange));
  pages.post(paths.password, credentials(changePasswordEndpoint, change));
  pages.get(paths.email, credentials(listCredentialsEndpoint, showLink));
  pages.post(paths.email, credentials(linkEmailEndpoint, startLink));
  pages.get(paths.emailCode, credentials(listCredentialsEndpoint, showLinkCode));
  pages.post(paths.emailCode, credentials(verifyLinkedEmailEndpoint, finishLink));
  pages.get(paths.sessions, sessions(listSessionsEndpoint, showSessions));
  pages.post(paths.endSession, sessions(endSessionEndpoint, endOne));
  pages.post(paths.endOthers, sessions(endOtherSessionsEndpoint, endOthers));
  pages.get(paths.profile, profile(getMeEndpoint, showProfile));
  pages.post(paths.profile, profile(updateMeEndpoint, saveProfile));
  pages.post(paths.close, profile(closeMeEndpoint, close));
  pages.get(paths.activity, on('activity')(listActivityEndpoint, showActivity));

  return pages;
}
