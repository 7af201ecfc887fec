import type { Child } from 'hono/jsx';
import type { Back } from '../src/pages/member/back.ts';
import {
  AccountCorner,
  AccountShell,
  type AccountTab,
  type DeveloperPage,
  type Done,
  Step,
} from '../src/pages/member/page.tsx';
import { accountScript } from '../src/pages/scripts/account.ts';
import { PopupFrame } from '../src/pages/shared/popup-frame.tsx';
import type { PageOptions } from '../src/ui/page.tsx';

/** A page's state, rendered from sample props by its own components. */
export interface PageState {
  readonly options?: Partial<PageOptions>;
  body(now: number): Child;
}

export interface AccountParts {
  readonly done?: Done;
  readonly problem?: Child;
  readonly back?: Back;
  readonly developer?: DeveloperPage;
  readonly script?: string;
}

/** The state of an account tab. */
export function accountState(
  tab: AccountTab,
  panel: (now: number) => Child,
  { script = accountScript, ...shell }: AccountParts = {},
): PageState {
  return {
    options: {
      wide: true,
      script,
      corner: <AccountCorner />,
      ...(tab === 'wallet' && { extraStyle: 'money' }),
    },
    body: (now) => (
      <AccountShell tab={tab} person={{ name: 'Ayu Lestari', pid: 'ayu.lestari@pid' }} {...shell}>
        {panel(now)}
      </AccountShell>
    ),
  };
}

/** States of pages in a popup that waits for the person. */
export function inPopup(states: Readonly<Record<string, PageState>>): Record<string, PageState> {
  return Object.fromEntries(
    Object.entries(states).map(([name, { body, ...state }]) => [
      name,
      {
        ...state,
        body: (now: number) => (
          <PopupFrame popup="mYx0Zk3nQ7uWb1VhT5sLrA" phase="choose">
            {body(now)}
          </PopupFrame>
        ),
      },
    ]),
  );
}

/** A state of a flow of the account. */
export function stepState(card: (now: number) => Child, script = ''): PageState {
  return {
    options: { script: accountScript + script, extraStyle: 'money' },
    body: (now) => <Step>{card(now)}</Step>,
  };
}
