/** The scheduled jobs, most urgent first. The last ones wait for external receivers. */
export const jobNames = [
  'journal',
  'mail',
  'keys',
  'reseal',
  'ledger',
  'purge',
  'deposits',
  'withdrawals',
  'reports',
  'alarms',
  'logouts',
  'webhooks',
  'proofs',
] as const;

export type JobName = (typeof jobNames)[number];
