import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import { changeMode, checkLedger } from '../../src/features/ledger/check.ts';
import { type Command, toTable } from './command.ts';

export const ledgerCommands: Record<string, Command> = {
  'ledger check': {
    usage: 'ledger check',
    does: 'checks every movement of money from the first on, and freezes the ledger if anything is wrong',
    names: 0,
    async run({ deps }) {
      const data = await checkLedger(deps, { of: 'everything', invariants: moneyInvariants });
      if (data.length === 0) return { text: 'Every invariant holds.', data };
      process.exitCode = 1;
      return { text: `${toTable(data.map((one) => ({ ...one })))}\nThe ledger is frozen.`, data };
    },
  },
  'ledger freeze': {
    usage: 'ledger freeze REASON',
    does: 'stops every movement of money; reads go on',
    names: 1,
    async run({ deps }, { names: [reason = ''] }) {
      const changed = await changeMode(deps, { mode: 'frozen', reason, actor: 'operator' });
      return {
        text: changed ? 'The ledger is frozen.' : 'The ledger was frozen already.',
        data: { changed },
      };
    },
  },
  'ledger thaw': {
    usage: 'ledger thaw REASON',
    does: 'lets money move again',
    names: 1,
    async run({ deps }, { names: [reason = ''] }) {
      const changed = await changeMode(deps, { mode: 'open', reason, actor: 'operator' });
      return { text: changed ? 'The ledger is open.' : 'The ledger was open already.', data: { changed } };
    },
  },
};
