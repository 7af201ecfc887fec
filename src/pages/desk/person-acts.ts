import type { Deps } from '../../deps.ts';
import type { DeskActor } from '../../features/admin/desk.ts';
import { endSessionsOf, sendRecovery } from '../../features/admin/help.ts';
import { setIdentity } from '../../features/admin/identity-status.ts';
import { setWallet } from '../../features/admin/ledger-switch.ts';
import { reverseTransfer } from '../../features/admin/money.ts';
import type { PersonAct } from './ask.tsx';

interface About {
  readonly handle: string;
  readonly id: string;
  readonly reason: string;
}

type Act = (deps: Deps, actor: Exclude<DeskActor, 'operator'>, about: About) => Promise<unknown>;

/** The change that each form on a person's page makes; loaded with the first form. */
export const personActs: Readonly<Record<PersonAct, Act>> = {
  end: (deps, actor, about) => endSessionsOf(deps, actor, about),
  endAll: (deps, actor, { handle, reason }) => endSessionsOf(deps, actor, { handle, reason }),
  recovery: (deps, actor, about) => sendRecovery(deps, actor, about),
  suspend: (deps, actor, about) => setIdentity(deps, actor, { ...about, status: 'suspended' }),
  activate: (deps, actor, about) => setIdentity(deps, actor, { ...about, status: 'active' }),
  verify: (deps, actor, about) => setIdentity(deps, actor, { ...about, level: 'verified' }),
  unverify: (deps, actor, about) => setIdentity(deps, actor, { ...about, level: 'unverified' }),
  freeze: (deps, actor, about) => setWallet(deps, actor, { ...about, status: 'frozen' }),
  unfreeze: (deps, actor, about) => setWallet(deps, actor, { ...about, status: 'active' }),
  reverse: (deps, actor, about) => reverseTransfer(deps, actor, about),
};
