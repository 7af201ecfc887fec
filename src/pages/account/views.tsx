import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { listActivity } from '../../features/account/activity.ts';
import { accountEndpoints } from '../../features/account/endpoints.ts';
import { getMe } from '../../features/account/me.ts';
import { listCredentials } from '../../features/credential/credential.ts';
import { listProviders } from '../../features/idp/list.ts';
import { sessionPageQuery } from '../../features/session/schema.ts';
import { listSessions } from '../../features/session/session-list.ts';
import type { AppContext } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { pidOf } from '../../lib/id.ts';
import type { PageQuery, pageQuery } from '../../lib/page.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Notice } from '../../ui/components/card.tsx';
import { renderPage } from '../../ui/page.tsx';
import { accountTexts } from '../messages/account.ts';
import { PasskeySection } from '../passkey/account.tsx';
import { accountScript } from '../scripts/account.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { passkeySignalScript } from '../scripts/passkey-signals.ts';
import { parseInput } from '../shared/parse-input.ts';
import { ActivityPanel } from './activity.tsx';
import { SignInAgain } from './again.tsx';
import { readBack } from './back.ts';
import { CredentialsPanel, UnlinkCard } from './credentials.tsx';
import { EmailSection } from './email-cards.tsx';
import { mayInvitePasskey } from './invitation.ts';
import type { Answer, Member, Refusal } from './member.tsx';
import { ProfilePanel } from './profile.tsx';
import { SessionsPanel } from './sessions.tsx';
import { AccountCorner, AccountShell, type AccountTab, type Done, doneKeys } from './shell.tsx';

export const showCredentials: Answer = async (c, deps, member, refusal) => {
  const credentials = await listCredentials(deps, member.actor.handle);
  const linked = new Set(credentials.map(({ provider }) => provider));
  const linkable = listProviders(deps).data.filter(({ id, configured }) => configured && !linked.has(id));
  const mayInvite = !linked.has('passkey') && mayInvitePasskey(c, deps, member.actor);
  const body = (
    <CredentialsPanel {...{ credentials, linkable, names: member.names, mayInvite }}>
      <EmailSection hasPassword={linked.has('email')} />
      <PasskeySection />
      <div id="sign-in-again" hidden>
        <Notice kind="problem">
          <SignInAgain path={accountPaths.credentials} />
        </Notice>
      </div>
    </CredentialsPanel>
  );
  return renderAccount(c, deps, member, { tab: 'credentials', body, refusal });
};

export const showSessions: Answer = async (c, deps, member, refusal) => {
  const page = await listSessions(deps, member.actor.sessionId, readPage(c, sessionPageQuery));
  const isFirst = c.req.query('cursor') === undefined;
  const body = <SessionsPanel {...{ page, isFirst, names: member.names }} />;
  return renderAccount(c, deps, member, { tab: 'sessions', body, refusal });
};

export async function showUnlink(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const credentials = await listCredentials(deps, member.actor.handle);
  const chosen = credentials.find(({ id }) => id === c.req.query('id'));
  if (!chosen || credentials.length === 1) return c.redirect(accountPaths.credentials, 303);
  const body = <UnlinkCard id={chosen.id} provider={chosen.provider} names={member.names} />;
  return renderAccount(c, deps, member, { tab: 'credentials', body });
}

export async function showActivity(c: AppContext, deps: Deps, member: Member): Promise<Response> {
  const page = await listActivity(
    deps,
    member.actor.sessionId,
    readPage(c, accountEndpoints.listActivity.query),
  );
  const isFirst = c.req.query('cursor') === undefined;
  const body = <ActivityPanel {...{ page, isFirst, names: member.names }} />;
  return renderAccount(c, deps, member, { tab: 'activity', body });
}

/** What was typed into the forms of the profile, with its problems. */
export interface ProfileRefusal extends Refusal {
  readonly typedName?: string;
  readonly nameProblems?: readonly string[];
  readonly typedStepUp?: string;
  readonly stepUpProblems?: readonly string[];
  readonly closeProblems?: readonly string[];
}

export const showProfile: Answer<ProfileRefusal> = async (c, deps, member, refusal) => {
  const me = await getMe(deps, member.actor.sessionId);
  const body = <ProfilePanel me={me} {...refusal} />;
  return renderAccount(c, deps, member, { tab: 'profile', body, refusal });
};

interface AccountView {
  readonly tab: AccountTab;
  readonly body: Child;
  readonly refusal?: Refusal | undefined;
  /** The page's own name, where it is more than a tab. */
  readonly name?: string;
  /** The page's address, where it is the answer to a form. */
  readonly here?: string | undefined;
  /** What has just been done, where no address says it. */
  readonly done?: Done | undefined;
}

export async function renderAccount(
  c: AppContext,
  deps: Deps,
  { actor }: Member,
  view: AccountView,
): Promise<Response> {
  const { tab, body, refusal, name } = view;
  const texts = accountTexts[localeOf(c)];
  const title = `${name ?? texts[tab]} · ${texts.account}`;
  const done = refusal ? null : (view.done ?? readDone(c));
  const here = view.here ?? (refusal && accountPaths[tab]);
  const options = {
    title,
    status: refusal?.status ?? 200,
    wide: true,
    script: (tab === 'credentials' || refusal ? passkeyScript + passkeySignalScript : '') + accountScript,
    corner: <AccountCorner />,
    ...(here === undefined ? {} : { here }),
  };
  const page = (
    <AccountShell
      {...{ tab, done, here: view.here, problem: refusal?.problem, back: await readBack(c, deps) }}
      person={{ name: actor.displayName, pid: pidOf(actor.handle) }}
    >
      {body}
    </AccountShell>
  );
  return renderPage(c, deps, options, page);
}

function readDone(c: AppContext): Done | null {
  if (c.req.query('linked') !== undefined) return 'linked';
  return doneKeys.find((key) => key === c.req.query('done')) ?? null;
}

/** Ten items fit a phone. */
export function readPage(c: AppContext, schema: ReturnType<typeof pageQuery>): PageQuery {
  return parseInput(schema, { ...c.req.query(), limit: '10' });
}
