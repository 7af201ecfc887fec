/** The scheduled jobs, most urgent first; the last ones wait for strangers' receivers. */
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
