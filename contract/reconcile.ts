import * as reconcile from '../src/features/reconcile/schema.ts';
import { answer, type Operation } from './operation.ts';

const desk = ['admin_only', 'not_fresh'] as const;
const aDay = { day: { description: 'A date in Jakarta.', example: '2026-11-19' } };

/** The reconciliation schemas, by their names in the contract. */
export const reconcileSchemas = {
  ...{ Report: reconcile.report, ReportPage: reconcile.reportPage, ReportDecision: reconcile.reportDecision },
  ...{ Case: reconcile.reconciliationCase, CasePage: reconcile.casePage, DayBooks: reconcile.dayBooks },
};

/** Reconciliation at the admin desk, by endpoint name. */
export const reconcileOperations = {
  importReport: {
    summary: "Read a provider's report or a bank's statement",
    description:
      'The body is the file, of at most 100 MiB and 1,000,000 lines; `map` names its columns, as JSON, where they are not those of ' +
      'Midtrans. The answer says what each line would do. Nothing moves until the report is accepted. A line that cannot be read ' +
      'is answered with its number and the reason, and nothing of the file is kept. `from` and `to` are the days in Jakarta that the ' +
      'report covers, where they are more than those of its lines. The same file again answers the same report.',
    fileType: 'text/csv',
    answers: [answer(200, 'What its lines would do.', { schema: reconcile.report })],
    errors: [...desk, 'body_too_large'],
  },
  listReports: {
    summary: 'List reports of providers and the bank',
    answers: [answer(200, 'One page, the newest first.', { schema: reconcile.reportPage })],
    errors: desk,
  },
  resolveReport: {
    summary: 'Accept or discard a report',
    description:
      'An accepted report posts the fees of payments that agree, and arrivals at the bank; each line that differs becomes a case. ' +
      'It is `accepted` while lines wait, as under a frozen ledger: the scheduled work goes on, and so does a repeat.',
    params: { id: { description: "The report's id.", example: '$report' } },
    answers: [answer(200, 'As it is now.', { schema: reconcile.report })],
    errors: [...desk, 'report_not_found', 'moved_on'],
  },
  listCases: {
    summary: 'List unexplained differences between provider, bank and ledger',
    answers: [answer(200, 'One page, the oldest day first.', { schema: reconcile.casePage })],
    errors: desk,
  },
  resolveCase: {
    summary: 'Resolve a difference with an explanation',
    description: 'Moves no money; use an adjustment for that.',
    params: { id: { description: "The case's id.", example: '$case' } },
    answers: [answer(200, 'As it is now.', { schema: reconcile.reconciliationCase })],
    errors: [...desk, 'case_not_found', 'moved_on'],
  },
  getDay: {
    summary: 'The trial balance of a day',
    description:
      'What each account of the operator, all wallets and all apps had, what moved, and what they have, in credits less debits. It sums ' +
      'up from the day after the last that was closed; debits and credits are equal, and the balances sum to nothing.',
    params: aDay,
    answers: [answer(200, 'As it is now.', { schema: reconcile.dayBooks })],
    errors: [...desk, 'validation_failed'],
  },
  closeDay: {
    summary: 'Close a day on which provider, bank and ledger agree',
    description: 'If the day cannot be closed, the error lists what is missing. A closed day never changes.',
    params: aDay,
    answers: [answer(200, 'It is closed.', { schema: reconcile.dayBooks })],
    errors: [...desk, 'day_open', 'moved_on'],
  },
  getJournal: {
    summary: 'The journal of a month',
    description:
      'Every leg, as CSV or as one JSON object a line (`jsonl`). The last line has their number and the SHA-256 of all bytes before it: ' +
      'a journal that was cut off lacks it.',
    answers: [answer(200, 'The journal.', { fileTypes: ['text/csv', 'application/jsonl'] })],
    errors: desk,
  },
} as const satisfies Readonly<Record<string, Omit<Operation, 'endpoint' | 'id'>>>;
