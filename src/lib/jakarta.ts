import { isoTime } from './id.ts';

const dayMs = 86_400_000;
/** Providers and banks count days in Jakarta, which has no daylight saving time. */
const jakartaMs = 7 * 3_600_000;

/** The day in Jakarta, such as `2026-11-22`. @param at epoch milliseconds */
export function jakartaDay(at: number): string {
  return isoTime(at + jakartaMs).slice(0, 10);
}

/** Returns the start of a day in Jakarta, in epoch milliseconds. */
export function startOfDay(day: string): number {
  return Date.parse(day) - jakartaMs;
}

/** Adds days to a day. */
export function addDays(day: string, count: number): string {
  return isoTime(Date.parse(day) + count * dayMs).slice(0, 10);
}
