import { all, first, integer, only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { explain } from '../../errors.ts';
import { recordAudit } from '../activity/statements.ts';
import { accountInvariants, type Breach, type Invariants } from './invariants.ts';
import { setChecked, setMode } from './statements.ts';

/** A violated invariant: its name, and the rows that violate it. */
export interface Violation {
  readonly invariant: string;
  readonly subject: string;
}

/** How many of the newest legs the hourly check reads. */
const windowLegs = 5_000;
/** How many hourly runs check every account: those of a day, minus one for accounts added in the meantime. */
const runsOfWalk = 23;
/** Accounts per read; a read takes a few milliseconds of database time. */
const accountsAtOnce = 500;

/** The invariants of every feature that moves money. @param after as in `ledgerInvariants` */
type AllInvariants = (after: number) => Invariants;

/** A check's scope: `guards` only tests the guards, `recent` also reads the newest legs and the next accounts, `everything` reads all. */
type Scope = 'guards' | { readonly of: 'recent' | 'everything'; readonly invariants: AllInvariants };

/** Returns whether the database enforces its triggers. Without them, money could be created. */
async function refusesWrites(deps: Deps): Promise<boolean> {
  try {
    await all(deps.db, statement(sql`UPDATE accounts SET kind = kind WHERE id = 1`));
    return false;
  } catch (error) {
    if (explain(error).includes('guard:ledger_immutable')) return true;
    throw error;
  }
}

/** Looks for violations, and freezes the ledger if there are any: a stopped ledger is better than a wrong one. */
export async function checkLedger(deps: Deps, scope: Scope): Promise<Violation[]> {
  const guarded = await refusesWrites(deps);
  const found: Violation[] = guarded ? [] : [{ invariant: 'guards', subject: 'ledger_immutable' }];
  if (scope !== 'guards') {
    const after = scope.of === 'everything' ? 0 : await windowStart(deps);
    found.push(...toViolations(await run(deps.db, scope.invariants(after))));
    if (scope.of === 'recent') found.push(...(await checkAccounts(deps)));
  }
  const [worst] = found;
  if (worst) {
    const reason = `${worst.invariant}: ${worst.subject}`;
    deps.log.error('ledger.violated', { violations: found });
    await changeMode(deps, { mode: 'frozen', reason, actor: 'system' });
  }
  return found;
}

function toViolations(breaches: Readonly<Record<string, readonly Breach[]>>): Violation[] {
  return Object.entries(breaches).flatMap(([invariant, rows]) =>
    rows.map(({ what }) => ({ invariant, subject: String(what) })),
  );
}

/** Checks the next accounts after those of the last run, so that a day's runs check all of them. */
async function checkAccounts(deps: Deps): Promise<Violation[]> {
  const places = statement<{ checked: number; last: number }>(sql`SELECT checked_account AS checked,
    (SELECT max(id) FROM accounts) AS last FROM ledger WHERE id = 1`);
  const { checked, last } = only(await all(deps.db, places));
  const start = checked < last ? checked : 0;
  const end = Math.min(last, start + Math.ceil(last / runsOfWalk));
  const found: Violation[] = [];
  for (let after = start; after < end; after += accountsAtOnce) {
    const upTo = Math.min(end, after + accountsAtOnce);
    const ids = sql`(SELECT id FROM accounts WHERE id > ${integer(after)} AND id <= ${integer(upTo)})`;
    const { cursor: _, ...breaches } = await run(deps.db, {
      ...accountInvariants(ids),
      cursor: setChecked(upTo),
    });
    found.push(...toViolations(breaches));
  }
  return found;
}

/** The leg before the window; never 0, because a full check reads every account, however few legs there are. */
async function windowStart(deps: Deps): Promise<number> {
  const row = await first(deps.db, statement<{ seq: number | null }>(sql`SELECT max(seq) AS seq FROM legs`));
  return Math.max(1, (row?.seq ?? 0) - windowLegs);
}

interface ModeChange {
  readonly mode: 'open' | 'frozen' | 'disabled';
  readonly reason: string;
  readonly actor: 'operator' | 'system';
}

/** Freezes or opens the ledger, with a line in the audit log. @returns whether the mode changed */
export async function changeMode(deps: Deps, { mode, reason, actor }: ModeChange): Promise<boolean> {
  const now = deps.now();
  // The system never reopens a ledger that an operator stopped, and never changes the operator's reason.
  const when = actor === 'system' ? sql`mode = 'open'` : sql`mode <> ${mode}`;
  const { changed } = await run(deps.db, {
    audit: [
      recordAudit({
        actor,
        action: 'ledger.mode',
        target: 'ledger',
        detail: { mode, reason },
        when: sql`EXISTS (SELECT 1 FROM ledger WHERE id = 1 AND ${when})`,
        now,
      }),
    ],
    changed: setMode({ mode, reason: mode === 'open' ? null : reason, now, when }),
  });
  if (changed.length > 0) deps.log.warn('ledger.mode', { mode, reason, by: actor });
  return changed.length > 0;
}

const minuteMs = 60_000;

/** Returns whether the scheduled job's hourly work is due in this minute. */
export function isHourly(now: number): boolean {
  return Math.floor(now / minuteMs) % 60 === 0;
}

/**
 * The scheduled job: tests the guards every minute, and once an hour checks the newest legs and a 23rd of all accounts.
 * @returns the number of violations
 */
export async function guardLedger(deps: Deps, invariants: AllInvariants): Promise<{ violations: number }> {
  return {
    violations: (await checkLedger(deps, isHourly(deps.now()) ? { of: 'recent', invariants } : 'guards'))
      .length,
  };
}
