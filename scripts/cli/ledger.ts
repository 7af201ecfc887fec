import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import { changeMode, checkLedger } from '../../src/features/ledger/check.ts';
import { type Command, toTable } from './command.ts';

function switchTo(
  mode: 'frozen' | 'disabled' | 'open',
  named: { readonly usage: string; readonly does: string },
): Command {
  return {
    ...named,
    names: 1,
    async run({ deps }, { names: [reason = ''] }) {
      const changed = await changeMode(deps, { mode, reason, actor: 'operator' });
      return {
        text: `The ledger ${changed ? 'is' : 'was'} ${mode}${changed ? '' : ' already'}.`,
        data: { changed },
      };
    },
  };
}

export const ledgerCommands: Record<string, Command> = {
  'ledger check': {
    usage: 'ledger check',
    does: 'checks every movement of money from the beginning; freezes the ledger if anything is wrong',
    names: 0,
    async run({ deps }) {
      const data = await checkLedger(deps, { of: 'everything', invariants: moneyInvariants });
      if (data.length === 0) return { text: 'Every invariant holds.', data };
      process.exitCode = 1;
      return { text: `${toTable(data.map((one) => ({ ...one })))}\nThe ledger is frozen.`, data };
    },
  },
  'ledger freeze': switchTo('frozen', {
    usage: 'ledger freeze REASON',
    does: 'stops all movements of money; reads continue',
  }),
  'ledger disable': switchTo('disabled', {
    usage: 'ledger disable REASON',
    does: 'stops all movements of money, and reports that the service has no ledger',
  }),
  'ledger thaw': switchTo('open', { usage: 'ledger thaw REASON', does: 'resumes movements of money' }),
};
