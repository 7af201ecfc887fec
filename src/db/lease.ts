import { sql } from 'drizzle-orm';
import { all, type Database, first, statement } from './database.ts';

/** Who wants to run a job, and until when nobody else may. */
export interface Lease {
  readonly job: string;
  /** Random, made once per run: it tells a repeat of a lost batch from another runner. */
  readonly holder: string;
  readonly until: number;
}

/** So far may the clocks of two runners lie apart. */
const clockSlackMs = 60_000;

/**
 * Takes the lease of a job: one conditional upsert, so of any number of runners one gets it. A runner that died
 * holds it no longer than `until`. A lease that ends well after this one would was taken by a clock that ran ahead,
 * and counts as free: it would keep everybody else waiting until their clocks get there.
 * @returns whether it is ours
 */
export async function takeLease(db: Database, lease: Lease, now: number): Promise<boolean> {
  const taken = await first(
    db,
    statement<{ job: string }>(sql`INSERT INTO job_leases (job, holder, until)
      VALUES (${lease.job}, ${lease.holder}, ${lease.until})
      ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE job_leases.until <= ${now} OR job_leases.until > ${lease.until + clockSlackMs}
          OR job_leases.holder = excluded.holder
      RETURNING job`),
  );
  return taken !== null;
}

/** Gives a lease back. One that somebody else has taken over meanwhile is left alone. */
export async function releaseLease(db: Database, { job, holder }: Lease): Promise<void> {
  await all(db, statement(sql`UPDATE job_leases SET until = 0 WHERE job = ${job} AND holder = ${holder}`));
}
