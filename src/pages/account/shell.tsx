import type { Child } from 'hono/jsx';
import { accountPaths } from '../../lib/page-paths.ts';
import { Button } from '../../ui/components/button.tsx';
import { Notice, Toast } from '../../ui/components/notice.tsx';
import { Person } from '../../ui/components/person.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { sessionPaths } from '../shared/paths.ts';

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
  readonly done?: Done | null;
  /** The address to reload, where the page is the answer to a form. */
  readonly here?: string | undefined;
  /** Why the last action was refused. */
  readonly problem?: Child;
  readonly children: Child;
}

/** The frame of every account page: the tabs and the outcome of the last action. */
export function AccountShell({ tab, person, done = null, here, problem, children }: ShellProps) {
  const texts = useTexts(accountTexts);
  return (
    <>
      <h1 tabindex={-1}>{texts.account}</h1>
      {person !== undefined && (
        <div class="person">
          <Person name={person.name} detail={person.pid} />
        </div>
      )}
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

/** Who is signed in, and the way out. */
export function AccountCorner({ pid }: { pid: string }) {
  const texts = useTexts(accountTexts);
  return (
    <form method="post" action={sessionPaths.signOut} class="row">
      <span class="quiet">{pid}</span>
      <Button look="link" text={texts.signOut} />
    </form>
  );
}
