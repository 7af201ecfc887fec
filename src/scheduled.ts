import { purgeLimit, run } from './db/database.ts';
import { releaseLease, takeLease } from './db/lease.ts';
import { purgeRateBuckets } from './db/rate-buckets.ts';
import type { Deps } from './deps.ts';
import { purgeActivity } from './features/activity/purge.ts';
import { postponeApps, purgeAppSecrets, purgeApps } from './features/app/purge.ts';
import { purgeDeposits } from './features/deposit/purge.ts';
import { purgeEmailCodes, purgeSecretTries } from './features/email/purge.ts';
import { purgeGrants } from './features/grant/purge.ts';
import { endDeletedAppsGrants, expireGrants } from './features/grant/statements.ts';
import { drainJournal } from './features/identity/journal.ts';
import { purgeUsedOnce } from './features/idp/purge.ts';
import { purgeMails } from './features/mail/purge.ts';
import { sendMails } from './features/mail/send.ts';
import { purgeAppSessions, purgeEndedAppSessions } from './features/oauth/purge.ts';
import { purgePasskeyChallenges } from './features/passkey/purge.ts';
import { purgePopupRequests, purgePopupSignIns } from './features/popup/purge.ts';
import { purgeDevices, purgeSessions } from './features/session/purge.ts';
import { purgeClaimTickets } from './features/sign-in/purge.ts';
import { archiveSigningKeys, purgeSigningKeys } from './features/signing-key/purge.ts';
import { resealKeys, rotateKeysWhenDue } from './features/signing-key/rotation.ts';
import { expireHolds } from './features/transfer/hold-statements.ts';
import { purgeInquiries } from './features/transfer/purge.ts';
import { reviveAllMissed } from './features/webhook/missed.ts';
import { dropUnsendable, purgeWebhookEvents } from './features/webhook/purge.ts';
import { eraseDestinations, purgeQuotes } from './features/withdrawal/purge.ts';
import type { JobName } from './lib/job-names.ts';
import { createSecret } from './lib/secret.ts';

type Counts = Record<string, number>;

interface Job {
  readonly name: JobName;
  run(deps: Deps): Promise<Counts>;
}

export interface JobResult {
  readonly job: string;
  /** `elsewhere`: another runner holds the lease. */
  readonly outcome: 'done' | 'elsewhere' | 'failed';
  readonly counts: Counts;
}

/** Far longer than any job takes. Other runners wait this long only if a runner dies. */
const leaseMs = 5 * 60_000;
const purgeRounds = 20;
/** Statements of the purge that take small steps, so another round follows if there was a row. */
const inSteps = ['closedIdentities', 'enabledWebhooks'];
const dayMs = 86_400_000;

/** Most urgent first. */
const jobs: readonly Job[] = [
  { name: 'journal', run: drainJournal },
  { name: 'mail', run: sendMails },
  { name: 'keys', run: rotateKeysWhenDue },
  { name: 'reseal', run: reseal },
  {
    name: 'ledger',
    run: async (deps) => {
      const [{ guardLedger }, { moneyInvariants }, { raiseAlarms }] = await Promise.all([
        import('./features/ledger/check.ts'),
        import('./features/admin/money-invariants.ts'),
        import('./features/admin/alarms.ts'),
      ]);
      return { ...(await guardLedger(deps, moneyInvariants)), ...(await raiseAlarms(deps)) };
    },
  },
  { name: 'purge', run: purge },
  {
    name: 'deposits',
    run: async (deps) => (await import('./features/deposit/due.ts')).reconcileDue(deps),
  },
  {
    name: 'withdrawals',
    run: async (deps) => (await import('./features/withdrawal/payout.ts')).sendPayouts(deps),
  },
  {
    name: 'reports',
    run: async (deps) => (await import('./features/reconcile/post.ts')).postReports(deps),
  },
  {
    name: 'alarms',
    run: async (deps) => (await import('./features/webhook/operator.ts')).deliverToOperator(deps),
  },
  // These jobs come last, because they wait for external receivers.
  {
    name: 'logouts',
    run: async (deps) => (await import('./features/oauth/sign-out.ts')).signOutOfApps(deps),
  },
  {
    name: 'webhooks',
    run: async (deps) => (await import('./features/webhook/deliver.ts')).deliverEvents(deps),
  },
  {
    name: 'proofs',
    run: async (deps) => (await import('./features/app/due.ts')).readProofsAgain(deps),
  },
];

/**
 * Runs every job once, each under its own lease, so that only one of several runners does the work. A failing job is
 * logged and does not stop the others. Entries call this every minute.
 */
export async function runScheduled(deps: Deps): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) results.push(await runLeased(deps, job));
  return results;
}

async function runLeased(deps: Deps, { name, run: work }: Job): Promise<JobResult> {
  const now = deps.now();
  const lease = { job: name, holder: createSecret(deps.randomBytes), until: now + leaseMs };
  try {
    if (!(await takeLease(deps.db, lease, now)))
      return report(deps, { job: name, outcome: 'elsewhere', counts: {} });
    try {
      return report(deps, { job: name, outcome: 'done', counts: await work(deps) });
    } finally {
      await releaseLease(deps.db, lease);
    }
  } catch (error) {
    return report(deps, { job: name, outcome: 'failed', counts: {} }, { error });
  }
}

/** Logs one line for a job, at debug level if there was nothing to do. */
function report(deps: Deps, result: JobResult, failure: { error?: unknown } = {}): JobResult {
  const idle = Object.values(result.counts).every((count) => count === 0);
  const level = result.outcome === 'failed' ? 'error' : idle ? 'debug' : 'info';
  deps.log[level]('job', { ...result, ...failure });
  return result;
}

/** Re-encrypts everything encrypted under a previous SECRET_KEY with the current one. */
async function reseal(deps: Deps): Promise<Counts> {
  const { resealed } = await resealKeys(deps);
  // Loaded by the first run, not at startup.
  const { resealWebhooks } = await import('./features/webhook/webhook.ts');
  const { resealDestinations } = await import('./features/withdrawal/destination.ts');
  const counts = [{ resealed }, await resealWebhooks(deps), await resealDestinations(deps)];
  return { resealed: counts.reduce((sum, count) => sum + count.resealed, 0) };
}

/**
 * Deletes expired rows and revokes expired grants, a bounded number at a time, so that no batch holds the write lock
 * for long.
 */
async function purge(deps: Deps): Promise<Counts> {
  const now = deps.now();
  const [devices, devicesBelow] = purgeDevices();
  const [revive, advance] = reviveAllMissed(now);
  const unsendable = dropUnsendable();
  const statements = {
    usedOnce: purgeUsedOnce(now),
    claimTickets: purgeClaimTickets(now),
    passkeyChallenges: purgePasskeyChallenges(now),
    emailCodes: purgeEmailCodes(now),
    secretTries: purgeSecretTries(now),
    sessions: purgeSessions(now),
    devices: [devices],
    closedIdentities: devicesBelow,
    archivedKeys: archiveSigningKeys(now),
    signingKeys: purgeSigningKeys(now),
    popupRequests: purgePopupRequests(now),
    popupSignIns: purgePopupSignIns(now),
    mails: purgeMails(now),
    appSecrets: purgeAppSecrets(now),
    appSessions: purgeAppSessions(now),
    endedAppSessions: purgeEndedAppSessions(now),
    expiredGrants: expireGrants(now),
    deletedAppsGrants: endDeletedAppsGrants(now),
    endedGrants: purgeGrants(now),
    deletedApps: purgeApps(now),
    keptApps: postponeApps(now),
    expiredHolds: expireHolds(now),
    inquiries: purgeInquiries(now),
    quotes: purgeQuotes(now),
    destinations: eraseDestinations(now),
    deposits: purgeDeposits(now),
    webhookEvents: purgeWebhookEvents(now),
    unsendableEvents: unsendable.events,
    unsendableLogouts: unsendable.logouts,
    openedWebhooks: unsendable.opened,
    missedEvents: [revive],
    enabledWebhooks: advance,
    rateBuckets: purgeRateBuckets(now),
    activity: purgeActivity(now - deps.config.ACTIVITY_DAYS * dayMs),
  };
  const counts: Counts = {};
  for (let round = 0, full = true; full && round < purgeRounds; round += 1) {
    full = false;
    for (const [name, rows] of Object.entries(await run(deps.db, statements))) {
      counts[name] = (counts[name] ?? 0) + rows.length;
      full ||= rows.length >= purgeLimit || (inSteps.includes(name) && rows.length > 0);
    }
  }
  return counts;
}
