import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { accountEndpoints } from '../../features/account/endpoints.ts';
import { credentialEndpoints } from '../../features/credential/endpoints.ts';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import { sessionEndpoints } from '../../features/session/endpoints.ts';
import type { AppEnv } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { accountPaths as paths } from '../../lib/page-paths.ts';
import { redirectKeepingView } from '../../ui/page.tsx';
import { keepBack } from '../member/back.ts';
import { type Answer, forMembers } from '../member/member.tsx';
import type { AccountTab } from '../member/page.tsx';
import { close, endOne, endOthers, rename, saveProfile, saveStepUp, unlink } from './actions.tsx';
import { change, finishLink, showChange, showLink, showLinkCode, startLink } from './email.tsx';
import { showActivity, showCredentials, showProfile, showSessions, showUnlink } from './views.tsx';

/**
 * `/account`: what people see and change about their identity. Every tab is a page and every action a form, so it all
 * works without script. Each counts under the limit of the API's route.
 */
export function accountPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  const on = (tab: AccountTab) => (endpoint: Endpoint, answer: Answer) =>
    forMembers(deps, endpoint, () => paths[tab], answer);
  const [credentials, sessions, profile] = [on('credentials'), on('sessions'), on('profile')];

  pages.get(paths.home, (c) => {
    keepBack(c, deps);
    return redirectKeepingView(c, deps, paths.credentials);
  });
  pages.get(paths.credentials, credentials(credentialEndpoints.listCredentials, showCredentials));
  pages.get(paths.unlink, credentials(credentialEndpoints.listCredentials, showUnlink));
  pages.post(paths.unlink, credentials(credentialEndpoints.unlinkCredential, unlink));
  pages.post(paths.rename, credentials(credentialEndpoints.renamePasskey, rename));
  pages.get(paths.password, credentials(credentialEndpoints.listCredentials, showChange));
  pages.post(paths.password, credentials(emailEndpoints.changePassword, change));
  pages.get(paths.email, credentials(credentialEndpoints.listCredentials, showLink));
  pages.post(paths.email, credentials(emailEndpoints.linkEmail, startLink));
  pages.get(paths.emailCode, credentials(credentialEndpoints.listCredentials, showLinkCode));
  pages.post(paths.emailCode, credentials(emailEndpoints.verifyLinkedEmail, finishLink));
  pages.get(paths.sessions, sessions(sessionEndpoints.listSessions, showSessions));
  pages.post(paths.endSession, sessions(sessionEndpoints.endSession, endOne));
  pages.post(paths.endOthers, sessions(sessionEndpoints.endOtherSessions, endOthers));
  pages.get(paths.profile, profile(accountEndpoints.getMe, showProfile));
  pages.post(paths.profile, profile(accountEndpoints.updateMe, saveProfile));
  pages.post(paths.stepUp, profile(accountEndpoints.updateMe, saveStepUp));
  pages.post(paths.close, profile(accountEndpoints.closeMe, close));
  pages.get(paths.activity, on('activity')(accountEndpoints.listActivity, showActivity));

  return pages;
}
