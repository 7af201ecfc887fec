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
    summary: "Import a provider's report or a bank statement",
    description:
      'The body is the file, at most 100 MiB and 1,000,000 lines; `map` defines its columns, as JSON, if they ' +
      'differ from those of Midtrans. The response contains the effect of each line. No money moves until the ' +
      'report is accepted. For an unreadable line, the response contains its number and the reason, and none ' +
      'of the file is kept. `from` and `to` are the days in Jakarta covered by the report, if they exceed ' +
      'those of its lines. Importing the same file again returns the same report.',
    fileType: 'text/csv',
    answers: [answer(200, 'The effects of its lines.', { schema: reconcile.report })],
    errors: [...desk, 'body_too_large'],
  },
  listReports: {
    summary: 'List reports of providers and the bank',
    answers: [answer(200, 'One page, newest first.', { schema: reconcile.reportPage })],
    errors: desk,
  },
  resolveReport: {
    summary: 'Accept or discard a report',
    description:
      'An accepted report posts the fees of matching payments and the arrivals at the bank; each differing ' +
      'line becomes a case. The status is `accepted` while lines are pending, for example while the ledger is ' +
      'frozen: the scheduled job or a repeated request continues.',
    params: { id: { description: "The report's id.", example: '$report' } },
    answers: [answer(200, 'The current state.', { schema: reconcile.report })],
    errors: [...desk, 'report_not_found', 'moved_on'],
  },
  listCases: {
    summary: 'List unexplained differences between provider, bank and ledger',
    answers: [answer(200, 'One page, oldest day first.', { schema: reconcile.casePage })],
    errors: desk,
  },
  resolveCase: {
    summary: 'Resolve a difference with an explanation',
    description: 'Moves no money; use an adjustment for that.',
    params: { id: { description: "The case's id.", example: '$case' } },
    answers: [answer(200, 'The current state.', { schema: reconcile.reconciliationCase })],
    errors: [...desk, 'case_not_found', 'moved_on'],
  },
  getDay: {
    summary: 'The trial balance of a day',
    description:
      "The opening balance, movements and closing balance of each of the operator's accounts, of all wallets " +
      'and of all apps, as credits minus debits. It covers the days since the last closed one; debits and ' +
      'credits are equal, and the balances sum to zero.',
    params: aDay,
    answers: [answer(200, 'The current state.', { schema: reconcile.dayBooks })],
    errors: [...desk, 'validation_failed'],
  },
  closeDay: {
    summary: 'Close a day on which provider, bank and ledger agree',
    description: 'If the day cannot be closed, the error lists what is missing. A closed day never changes.',
    params: aDay,
    answers: [answer(200, 'The day is closed.', { schema: reconcile.dayBooks })],
    errors: [...desk, 'day_open', 'moved_on'],
  },
  getJournal: {
    summary: 'The journal of a month',
    description:
      'Every leg, as CSV or as one JSON object per line (`jsonl`). The last line contains the number of legs ' +
      'and the SHA-256 of all preceding bytes, which a truncated journal lacks.',
    answers: [answer(200, 'The journal.', { fileTypes: ['text/csv', 'application/jsonl'] })],
    errors: desk,
  },
} as const satisfies Readonly<Record<string, Omit<Operation, 'endpoint' | 'id'>>>;
