import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { listCases, resolveReport, takeReport } from '../../src/features/admin/reports.ts';
import { reportQuery } from '../../src/features/reconcile/schema.ts';
import { parseInput } from '../../src/pages/shared/form.ts';
import { type Command, CommandError, needsYes, toText } from './command.ts';

export const reconcileCommands: Record<string, Command> = {
  'reconcile import': {
    usage: 'reconcile import FILE [--source NAME] [--map JSON] [--from DAY --to DAY]',
    does: "shows what a provider's report or a bank statement would post; posts it with --yes",
    names: 1,
    options: ['source', 'map', 'from', 'to'],
    async run({ deps }, { names: [path = ''], yes, options }) {
      const query = parseInput(reportQuery, { source: 'midtrans', ...options });
      if (!(await stat(path).catch(() => null))?.isFile())
        throw new CommandError(`The file ${path} does not exist.`);
      const report = await takeReport(deps, 'operator', { ...query, file: createReadStream(path) });
      if (!yes || report.status !== 'read') {
        const end = report.status === 'read' ? needsYes : `The report is already ${report.status}.`;
        return { text: `${toText(report)}\n\n${end}`, data: report };
      }
      const decision = { id: report.id, decision: 'accept', reason: `reconcile import ${path}` } as const;
      let posted = await resolveReport(deps, 'operator', decision);
      // Each call posts a bounded part; nothing is posted while the ledger is frozen, and the scheduled job continues later.
      for (let calls = 0; posted.status === 'accepted' && calls < 20; calls += 1)
        posted = await resolveReport(deps, 'operator', decision);
      const { data: cases } = await listCases(deps, 'operator', { limit: 100 });
      const text = `${toText(posted)}\n\nOpen cases: ${cases.length === 100 ? 'at least ' : ''}${cases.length}`;
      return { text, data: posted };
    },
  },
};
