import type { Database, Statement } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { Gate } from '../../lib/gate.ts';
import type { Histogram } from '../../lib/metrics.ts';
import { isWrite, mostTogether, type Waiting } from './group.ts';
import { type Runner, servicePatienceMs } from './repeat.ts';

interface Member extends Waiting<unknown[]> {
  readonly askedAt: number;
}

export interface QueueOptions {
  /** Admits a few transactions at a time. */
  readonly pass: Gate;
  /** The time limit for a batch, including the wait; three seconds by default. */
  readonly patienceMs?: number | undefined;
  /** Counts the batches of each transaction. */
  readonly groups?: Histogram;
}

/**
 * A server whose batches wait for their turn in this process. Changes that are waiting at the same time are sent as one
 * transaction; a single read is sent separately.
 */
export function groupBatches(
  run: Runner,
  { pass, patienceMs = servicePatienceMs, groups }: QueueOptions,
): Database {
  let waiting: Member[] = [];

  async function takeTurn(members: readonly Member[]): Promise<void> {
    const now = performance.now();
    // A batch that starts later would be cut off, at the expense of batches that can still succeed.
    const inTime = members.filter(({ askedAt }) => now <= askedAt + patienceMs / 2);
    for (const { askedAt, reject } of members) if (now > askedAt + patienceMs / 2) reject(tooMany());
    if (inTime[0] && isWrite(inTime[0].statements)) groups?.observe(inTime.length);
    const endsAt = Math.min(...inTime.map(({ askedAt }) => askedAt)) + patienceMs;
    await runGroup(
      (statements) => run(statements, Math.max(1, Math.floor(endsAt - performance.now()))),
      inTime,
    );
  }

  function enqueue(member: Member): void {
    const isAlone = !isWrite(member.statements);
    if (!isAlone) waiting.push(member);
    // Each batch has its own turn; the first one includes the others.
    const turn = pass(() => takeTurn(isAlone ? [member] : waiting.splice(0, mostTogether)));
    if (turn !== null) return;
    waiting = waiting.filter((other) => other !== member);
    member.reject(tooMany());
  }

  return {
    batch: (statements) =>
      new Promise((resolve, reject) => {
        enqueue({ statements, askedAt: performance.now(), resolve: resolve as never, reject });
      }),
  };
}

/**
 * Reports each member's result. If the server rejects a member, only that member fails, and the others are retried
 * without it.
 */
async function runGroup(
  run: (statements: readonly Statement[]) => Promise<unknown[]>,
  members: readonly Member[],
): Promise<void> {
  const refusals = new Map<Member, unknown>();
  for (let left = members; left.length > 0; left = members.filter((one) => !refusals.has(one))) {
    try {
      const rows = await run(left.flatMap(({ statements }) => statements));
      answer(left, rows);
      break;
    } catch (error) {
      // Whether the others were applied is unknown, and one of them may have caused the rejection.
      if (error instanceof AppError) return members.forEach(({ reject }) => void reject(error));
      const refused = left.length === 1 ? left[0] : ownerOf(left, error);
      if (refused) refusals.set(refused, error);
      else {
        for (const one of left) await runGroup(run, [one]);
        break;
      }
    }
  }
  for (const [{ reject }, error] of refusals) reject(error);
}

function answer(members: readonly Member[], rows: unknown[]): void {
  const left = [...rows];
  for (const { statements, resolve } of members) resolve(left.splice(0, statements.length));
}

/** Returns the member whose statement the server rejected, if the error identifies one. */
function ownerOf(members: readonly Member[], error: unknown): Member | undefined {
  const { statementIndex } = error as { statementIndex?: unknown };
  if (typeof statementIndex !== 'number') return undefined;
  const owners = members.flatMap((member) => member.statements.map(() => member));
  return owners[statementIndex];
}

function tooMany(): AppError {
  const reason = 'too many wait for the database';
  return new AppError('unavailable', null, { reason, retryAfterSeconds: 1 });
}
