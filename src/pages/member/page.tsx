import type { Child } from 'hono/jsx';
import { pidOf } from '../../lib/id.ts';
import type { PageQuery, pageQuery } from '../../lib/page.ts';
import { accountPaths, appPath, developerPaths } from '../../lib/page-paths.ts';
import { Notice, Toast } from '../../ui/components/card.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { renderPage } from '../../ui/page.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { developerTexts } from '../messages/developer.ts';
import { errorAdvice } from '../messages/errors.ts';
import { PasskeyAgain } from '../passkey/ceremony.tsx';
import { accountScript } from '../scripts/account.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { passkeySignalScript } from '../scripts/passkey-signals.ts';
import { usePlaceName } from '../shared/continue-to.tsx';
import { parseInput } from '../shared/form.ts';
import { Holder } from '../shared/holder.tsx';
import { sessionPaths, signInFor } from '../shared/paths.ts';
import { type Back, readBack } from './back.ts';
import type { Member, Refusal } from './member.tsx';

/** The account's tabs, each a separate page. */
export const accountTabs = ['wallet', 'credentials', 'sessions', 'profile', 'apps', 'activity'] as const;

export type AccountTab = (typeof accountTabs)[number];

/** Values of `done` in the URL after a form, which identify the completed action. */
const doneKeys = [
  'linked',
  'unlinked',
  'passkeyAdded',
  'renamed',
  'ended',
  'othersEnded',
  'saved',
  'repeat',
  'passwordChanged',
  'emailLinked',
  'appCreated',
  'appSaved',
  'appDeleted',
  'secretMade',
  'secretRevoked',
  'webhookSaved',
  'webhookEnabled',
  'webhookDisabled',
  'webhookRotated',
  'webhookDeleted',
  'feeSaved',
  'swept',
  'redelivered',
  'grantSaved',
  'grantEnded',
  'walletOpened',
  'withdrawalHeld',
  'withdrawalCancelled',
  'refunded',
  'receiptMailed',
] as const;

export type Done = (typeof doneKeys)[number];

/** An app's topics, each a separate page. */
const topics = ['settings', 'secrets', 'webhook', 'fees', 'remove'] as const;

export type AppTopic = (typeof topics)[number];

/** A page for developers, about one app or none. */
export interface DeveloperPage {
  readonly app: { readonly id: string; readonly name: string; readonly type: string } | null;
  readonly topic: AppTopic;
}

interface ShellProps {
  readonly tab: AccountTab;
  /** Replaces the account's heading and tabs. */
  readonly developer?: DeveloperPage | undefined;
  readonly person?: { readonly name: string; readonly pid: string };
  readonly back?: Back | null;
  readonly done?: Done | null;
  /** The URL to reload, if the page is the response to a form. */
  readonly here?: string | undefined;
  /** The reason why the last action was rejected. */
  readonly problem?: Child;
  readonly children: Child;
}

/** The frame of every account page: the signed-in person, the tabs and the result of the last action. */
export function AccountShell(props: ShellProps) {
  const { tab, developer, person, back = null, done = null, here, problem, children } = props;
  const texts = useTexts(accountTexts);
  const isAccount = developer === undefined;
  return (
    <>
      <h1 tabindex={-1}>
        {isAccount ? texts.account : (developer.app?.name ?? useTexts(developerTexts).title)}
      </h1>
      {isAccount && person !== undefined && (
        <Holder {...person}>{back !== null && <BackLink back={back} />}</Holder>
      )}
      {isAccount ? (
        <nav class="tabs" aria-label={texts.tabs}>
          {accountTabs.map((name) => (
            <a href={accountPaths[name]} aria-current={name === tab ? 'page' : undefined}>
              {texts[name]}
            </a>
          ))}
        </nav>
      ) : (
        <DeveloperTabs {...developer} />
      )}
      <Step {...{ done, here, problem }}>{children}</Step>
    </>
  );
}

/** Only web apps have secrets. */
function DeveloperTabs({ app, topic }: DeveloperPage) {
  const texts = useTexts(developerTexts);
  if (app === null)
    return (
      <p>
        <a href={accountPaths.home}>{texts.account}</a>
      </p>
    );
  return (
    <>
      <p>
        <a href={developerPaths.home}>{texts.back}</a>
      </p>
      <nav class="tabs" aria-label={texts.tabs}>
        {topics
          .filter((name) => name !== 'secrets' || app.type === 'web')
          .map((name) => (
            <a href={appPath(app.id, name)} aria-current={name === topic ? 'page' : undefined}>
              {texts[name]}
            </a>
          ))}
      </nav>
    </>
  );
}

/** A page of a flow, such as sending money, without the account's navigation. */
export function Step({
  done = null,
  here,
  problem,
  children,
}: Pick<ShellProps, 'done' | 'here' | 'problem' | 'children'>) {
  const texts = useTexts(accountTexts);
  return (
    <>
      {done !== null && <Toast here={here}>{texts[done]}</Toast>}
      {problem !== undefined && (
        <div role="alert">
          <Notice kind="problem">{problem}</Notice>
        </div>
      )}
      {children}
    </>
  );
}

/** Shows an app's host next to its name, because the app chose the name itself. */
function BackLink({ back: { href, place } }: { back: Back }) {
  const name = usePlaceName(place) ?? place.host;
  const shown = place.app ? `${name} · ${place.host}` : name;
  return <LinkButton href={href} text={fill(useTexts(accountTexts).backTo, { place: shown })} />;
}

/** The sign-out form. */
export function AccountCorner() {
  const texts = useTexts(accountTexts);
  return (
    <form method="post" action={sessionPaths.signOut}>
      <Button look="link" text={texts.signOut} />
    </form>
  );
}

interface SignInAgainProps {
  readonly path: string;
  /** True if only a passkey is accepted. */
  readonly byPasskey?: boolean;
  /** False if the person is known to have none. */
  readonly hasPasskey?: boolean;
}

/** Offers to sign in again and return to a page, with a passkey or on the sign-in page. */
export function SignInAgain({ path, byPasskey = false, hasPasskey = true }: SignInAgainProps) {
  const texts = useTexts(accountTexts);
  const { not_fresh: why } = useTexts(errorAdvice);
  return (
    <>
      <p>
        <strong>{texts.freshTitle}</strong>
      </p>
      <p>{byPasskey ? texts.freshPasskey : why}</p>
      <div class="stack">
        {hasPasskey && <PasskeyAgain next={path} />}
        <LinkButton href={signInFor(path, 'login')} text={texts.freshAction} />
      </div>
    </>
  );
}

interface MemberPage {
  readonly tab: AccountTab;
  readonly developer?: DeveloperPage;
  readonly body: Child;
  readonly refusal?: Refusal | undefined;
  /** The name of the page, if it is more than a tab. */
  readonly name?: string;
  /** The page's URL, if it is the response to a form. */
  readonly here?: string | undefined;
  /** The action just completed, if it is not in the URL. */
  readonly done?: Done | undefined;
  /** The page's own script. */
  readonly script?: string;
  /** True for a step of a flow, which shows neither the account's header nor its tabs. */
  readonly isStep?: true;
}

export async function renderMember(member: Member, page: MemberPage): Promise<Response> {
  const { c, deps, actor, locale } = member;
  const { tab, developer, body, refusal, name, script = '', isStep = false } = page;
  const texts = accountTexts[locale];
  const here = page.here ?? (refusal && accountPaths[tab]);
  const options = {
    title: `${name ?? texts[tab]} · ${developer ? developerTexts[locale].title : texts.account}`,
    status: refusal?.status ?? 200,
    wide: !isStep,
    ...(tab === 'wallet' && { extraStyle: 'money' as const }),
    script:
      (tab === 'credentials' || refusal ? passkeyScript + passkeySignalScript : '') + accountScript + script,
    corner: !isStep && <AccountCorner />,
    ...(here === undefined ? {} : { here }),
  };
  const done = refusal ? null : (page.done ?? readDone(member));
  if (isStep)
    return renderPage(
      c,
      deps,
      options,
      <Step {...{ done, here: page.here, problem: refusal?.problem }}>{body}</Step>,
    );
  const shell = (
    <AccountShell
      {...{ tab, developer, done, here: page.here, problem: refusal?.problem, back: await readBack(c, deps) }}
      person={{ name: actor.displayName, pid: pidOf(actor.handle) }}
    >
      {body}
    </AccountShell>
  );
  return renderPage(c, deps, options, shell);
}

function readDone({ c }: Member): Done | null {
  if (c.req.query('linked') !== undefined) return 'linked';
  return doneKeys.find((key) => key === c.req.query('done')) ?? null;
}

interface ListQuery extends PageQuery {
  readonly isFirst: boolean;
}

/** The list page in the URL. Ten items fit on a phone. */
export function listQuery({ c }: Member, schema: ReturnType<typeof pageQuery>): ListQuery {
  const query = parseInput(schema, { ...c.req.query(), limit: '10' });
  return { ...query, isFirst: c.req.query('cursor') === undefined };
}
