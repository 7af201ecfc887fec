import type { DepositRow } from './statements.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** The ages of a deposit at its first checks; hourly and daily checks follow. */
const firstLooks = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * minuteMs);
/**
 * Delays after the credit at which the provider is queried again, in case a notification of a void, refund or
 * chargeback was lost.
 */
const laterLooks = [1, 3, 7, 14, 30, 60, 90].map((days) => days * dayMs);

/**
 * The time of the next check of an unchanged deposit; null if nothing more is expected.
 * @param isUntouched true if the provider has no payment attempt; the deposit then waits as long again as it has waited
 *   so far
 */
export function nextLook(
  row: Pick<DepositRow, 'status' | 'failure' | 'created_at' | 'updated_at' | 'expires_at' | 'credited_at'>,
  now: number,
  isUntouched = false,
): number | null {
  switch (row.status) {
    case 'creating':
      return now + minuteMs;
    case 'pending': {
      // A page without a successful payment expires at this check.
      const lapseAt = row.expires_at + dayMs;
      const next = lookAtPending(row.created_at, now, isUntouched);
      return now < lapseAt && (next === null || lapseAt < next) ? lapseAt : next;
    }
    // Money may still arrive late; after a day, only a notification reveals it.
    case 'expired':
    case 'failed':
      if (row.failure === 'replaced') return now < row.expires_at ? row.expires_at : null;
      return now - row.updated_at < dayMs ? now + hourMs : null;
    default:
      return row.credited_at === null ? null : lookAfterCredit(row.credited_at, now);
  }
}

function lookAtPending(createdAt: number, now: number, isUntouched: boolean): number | null {
  const age = now - createdAt;
  if (isUntouched) return now + Math.min(Math.max(age, minuteMs), dayMs);
  const first = firstLooks.find((ms) => ms > age);
  if (first !== undefined) return createdAt + first;
  if (age < 2 * dayMs) return now + hourMs;
  return age < 30 * dayMs ? now + dayMs : null;
}

/** The time of the next check if the provider did not respond: an hour later at the latest, so that none is skipped. */
export function untilAnswered(row: DepositRow, now: number): number {
  const next = row.credited_at === null ? nextLook(row, now) : null;
  return Math.min(next ?? now + hourMs, now + hourMs);
}

/** The time of the next check of a credited deposit; null after the last one. */
export function lookAfterCredit(creditedAt: number, now: number): number | null {
  const later = laterLooks.find((ms) => creditedAt + ms > now);
  return later === undefined ? null : creditedAt + later;
}
