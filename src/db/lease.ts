import { all, type Database, first, sql, statement } from './database.ts';

/** The exclusive right to run a job. */
export interface Lease {
  readonly job: string;
  /** Random for each run, so that a retry of a lost batch differs from another runner. */
  readonly holder: string;
  readonly until: number;
}

/** Maximum clock skew between runners. */
const clockSlackMs = 60_000;

/**
 * Takes a job's lease with one conditional upsert, so that only one of any number of runners gets it. The lease of a
 * dead runner expires at `until`. A lease that expires much later than a new one would was taken with a fast clock and
 * is ignored, because everyone would otherwise wait until their clocks catch up.
 * @returns true if this runner now holds the lease
 */
export async function takeLease(db: Database, lease: Lease, now: number): Promise<boolean> {
  const query = statement<{ job: string }>(sql`INSERT INTO job_leases (job, holder, until)
      VALUES (${lease.job}, ${lease.holder}, ${lease.until})
      ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE job_leases.until <= ${now} OR job_leases.until > ${lease.until + clockSlackMs}
          OR job_leases.holder = excluded.holder
      RETURNING job`);
  const taken = await first(db, query);
  return taken !== null;
}

/** Releases a lease, unless another runner has taken it over. */
export async function releaseLease(db: Database, { job, holder }: Lease): Promise<void> {
  await all(db, statement(sql`UPDATE job_leases SET until = 0 WHERE job = ${job} AND holder = ${holder}`));
}
