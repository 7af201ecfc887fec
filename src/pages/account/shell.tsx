import type { Child } from 'hono/jsx';
import { accountPaths } from '../../lib/page-paths.ts';
import { Notice, Toast } from '../../ui/components/card.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { usePlaceName } from '../shared/continue-to.tsx';
import { Holder } from '../shared/holder.tsx';
import { sessionPaths } from '../shared/paths.ts';
import type { Back } from './back.ts';

/** The tabs of the account, each a page of its own. */
export const accountTabs = ['credentials', 'sessions', 'profile', 'wallet', 'apps', 'activity'] as const;

export type AccountTab = (typeof accountTabs)[number];

/** Values of `done` in the address after a form: what has just happened. */
export const doneKeys = [
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
  'redelivered',
  'grantSaved',
  'grantEnded',
  'walletOpened',
  'moneySent',
  'withdrawalHeld',
  'withdrawalCancelled',
] as const;

export type Done = (typeof doneKeys)[number];

interface ShellProps {
  readonly tab: AccountTab;
  /** Who is signed in. */
  readonly person?: { readonly name: string; readonly pid: string };
  readonly back?: Back | null;
  readonly done?: Done | null;
  /** The address to reload, where the page is the answer to a form. */
  readonly here?: string | undefined;
  /** Why the last action was refused. */
  readonly problem?: Child;
  readonly children: Child;
}

/** The frame of every account page: who is signed in, the tabs and the outcome of the last action. */
export function AccountShell(props: ShellProps) {
  const { tab, person, back = null, done = null, here, problem, children } = props;
  const texts = useTexts(accountTexts);
  return (
    <>
      <h1 tabindex={-1}>{texts.account}</h1>
      {person !== undefined && <Holder {...person}>{back !== null && <BackLink back={back} />}</Holder>}
      <nav class="tabs" aria-label={texts.tabs}>
        {accountTabs.map((name) => (
          <a href={accountPaths[name]} aria-current={name === tab ? 'page' : undefined}>
            {texts[name]}
          </a>
        ))}
      </nav>
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

/** Names the host of an app beside its name, which the app chose itself. */
function BackLink({ back: { href, place } }: { back: Back }) {
  const name = usePlaceName(place) ?? place.host;
  const shown = place.app ? `${name} · ${place.host}` : name;
  return <LinkButton href={href} text={fill(useTexts(accountTexts).backTo, { place: shown })} />;
}

/** The way out. */
export function AccountCorner() {
  const texts = useTexts(accountTexts);
  return (
    <form method="post" action={sessionPaths.signOut}>
      <Button look="link" text={texts.signOut} />
    </form>
  );
}
