import { releaseLease, takeLease } from './db/lease.ts';
import { purgeLimit, purgeStatements } from './db/purge.ts';
import type { Deps } from './deps.ts';
import { drainJournal } from './features/identity/journal.ts';
import { sendMails } from './features/mail/send.ts';
import { resealKeys, rotateKeysWhenDue } from './features/signing-key/stored-keys.ts';
import { createSecret } from './lib/secret.ts';

type Counts = Record<string, number>;

interface Job {
  readonly name: string;
  run(deps: Deps): Promise<Counts>;
}

/** What became of one job. `elsewhere`: another runner has its lease. */
export interface JobResult {
  readonly job: string;
  readonly outcome: 'done' | 'elsewhere' | 'failed';
  readonly counts: Counts;
}

/** A job is bounded to far less; only one whose runner died keeps the others waiting for so long. */
const leaseMs = 5 * 60_000;
const purgeRounds = 20;
const dayMs = 86_400_000;

/** Everything the service does by itself, in the order of what it costs to be late. */
const jobs: readonly Job[] = [
  { name: 'journal', run: drainJournal },
  { name: 'mail', run: sendMails },
  { name: 'keys', run: rotateKeysWhenDue },
  { name: 'reseal', run: resealKeys },
  { name: 'purge', run: purge },
];

/**
 * Runs every job once, each under a lease of its own, so that of several runners one does the work. A job that
 * fails is logged and does not stop the others. Entries call this every minute.
 */
export async function runScheduled(deps: Deps): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) results.push(await runLeased(deps, job));
  return results;
}

async function runLeased(deps: Deps, { name, run }: Job): Promise<JobResult> {
  const now = deps.now();
  const lease = { job: name, holder: createSecret(deps.randomBytes), until: now + leaseMs };
  try {
    if (!(await takeLease(deps.db, lease, now))) return report(deps, name, 'elsewhere', {});
    try {
      return report(deps, name, 'done', await run(deps));
    } finally {
      await releaseLease(deps.db, lease);
    }
  } catch (error) {
    return report(deps, name, 'failed', {}, error);
  }
}

/** One line a job. Having found nothing to do is said only to those who ask for details. */
function report(
  deps: Deps,
  job: string,
  outcome: JobResult['outcome'],
  counts: Counts,
  error?: unknown,
): JobResult {
  const idle = Object.values(counts).every((count) => count === 0);
  const level = outcome === 'failed' ? 'error' : idle ? 'debug' : 'info';
  deps.log[level]('job', { job, outcome, counts, ...(error === undefined ? {} : { error }) });
  return { job, outcome, counts };
}

/** Deletes what has expired, a bounded number of rows at a time, so that no batch holds the write lock for long. */
async function purge(deps: Deps): Promise<Counts> {
  const now = deps.now();
  const statements = purgeStatements({ now, activityBefore: now - deps.config.ACTIVITY_DAYS * dayMs });
  const names = Object.keys(statements);
  const counts: Counts = Object.fromEntries(names.map((name) => [name, 0]));
  for (let round = 0; round < purgeRounds; round += 1) {
    const gone = (await deps.db.batch(Object.values(statements))).map((rows) => rows.length);
    for (const [index, name] of names.entries()) counts[name] = (counts[name] ?? 0) + (gone[index] ?? 0);
    if (gone.every((count) => count < purgeLimit)) break;
  }
  return counts;
}
