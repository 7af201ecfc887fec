import type { Deps } from '../../deps.ts';
import { listActivity } from '../../features/account/activity.ts';
import { accountEndpoints } from '../../features/account/endpoints.ts';
import { getMe } from '../../features/account/me.ts';
import { listCredentials } from '../../features/credential/credential.ts';
import { listProviders } from '../../features/idp/list.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { sessionPageQuery } from '../../features/session/schema.ts';
import { listSessions } from '../../features/session/session-list.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { secretHash } from '../../lib/secret.ts';
import { Notice } from '../../ui/components/card.tsx';
import type { Answer } from '../member/member.tsx';
import { listQuery, renderMember, SignInAgain } from '../member/page.tsx';
import { PasskeySection } from '../passkey/account.tsx';
import { ActivityPanel } from './activity.tsx';
import { CredentialsPanel, UnlinkCard } from './credentials.tsx';
import { EmailSection } from './email.tsx';
import { ProfilePanel } from './profile.tsx';
import { SessionsPanel } from './sessions.tsx';

export const showCredentials: Answer = async (member, refusal) => {
  const { c, deps, actor, names } = member;
  const credentials = await listCredentials(deps, actor.handle);
  const linked = new Set(credentials.map(({ provider }) => provider));
  const linkable = listProviders(deps).data.filter(({ id, configured }) => configured && !linked.has(id));
  const mayInvite = !linked.has('passkey') && mayInvitePasskey(c, deps, actor);
  const body = (
    <CredentialsPanel {...{ credentials, linkable, names, mayInvite }}>
      <EmailSection hasPassword={linked.has('email')} />
      <PasskeySection />
      <div id="sign-in-again" hidden>
        <Notice kind="problem">
          <SignInAgain path={accountPaths.credentials} />
        </Notice>
      </div>
    </CredentialsPanel>
  );
  return renderMember(member, { tab: 'credentials', body, refusal });
};

export const showSessions: Answer = async (member, refusal) => {
  const { deps, sessionId, names } = member;
  const query = listQuery(member, sessionPageQuery);
  const page = await listSessions(deps, sessionId, query);
  const body = <SessionsPanel {...{ page, isFirst: query.isFirst, names }} />;
  return renderMember(member, { tab: 'sessions', body, refusal });
};

export const showUnlink: Answer = async (member) => {
  const { c, deps, actor, names } = member;
  const credentials = await listCredentials(deps, actor.handle);
  const chosen = credentials.find(({ id }) => id === c.req.query('id'));
  if (!chosen || credentials.length === 1) return c.redirect(accountPaths.credentials, 303);
  const body = <UnlinkCard id={chosen.id} provider={chosen.provider} names={names} />;
  return renderMember(member, { tab: 'credentials', body });
};

export const showActivity: Answer = async (member) => {
  const query = listQuery(member, accountEndpoints.listActivity.query);
  const page = await listActivity(member.deps, member.sessionId, query);
  const body = <ActivityPanel {...{ page, isFirst: query.isFirst, names: member.names }} />;
  return renderMember(member, { tab: 'activity', body });
};

export const showProfile: Answer = async (member, refusal) => {
  const me = await getMe(member.deps, member.sessionId);
  const body = <ProfilePanel me={me} typed={refusal?.typed} problems={refusal?.problems} />;
  return renderMember(member, { tab: 'profile', body, refusal });
};

const cookieName = 'pid_invited';
const maxAgeSeconds = 31_536_000;

/**
 * Returns whether to invite someone without a passkey to add one: after a sign-in with a password, until they decline.
 * The cookie stores who last declined in this browser.
 */
export function mayInvitePasskey(
  c: AppContext,
  { config }: Deps,
  { provider, handle }: AccessClaims,
): boolean {
  const value = secretHash(handle).slice(0, 8);
  const [declined] = cookieValues(c.req.header('Cookie'), cookieName);
  if (provider !== 'email' || declined === value) return false;
  if (c.req.query('passkey') !== 'later') return true;
  const secure = config.production;
  const cookie = { name: cookieName, value, path: accountPaths.home, maxAgeSeconds, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
  return false;
}
