import { isoTime } from './id.ts';
import { addDays } from './jakarta.ts';
import { getOrInsert } from './memoize.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset of a time zone from UTC at a given time, such as `+07:00`. Some engines omit it for UTC. */
function offsetAt(timeZone: string, at: number): string {
  const options = { timeZone, timeZoneName: 'longOffset' } as const;
  const format = getOrInsert(formats, timeZone, () => new Intl.DateTimeFormat('en', options));
  return /[+-]\d\d:\d\d/.exec(format.format(at))?.[0] ?? '+00:00';
}

/** The instant at which a clock with this offset shows the time that a UTC clock shows at `at`. */
function atOffset(offset: string, at: number): number {
  return Date.parse(isoTime(at).replace('Z', offset));
}

/** A time in ISO 8601 in a time zone: `2026-11-24T09:30:00.000+07:00`. @param at epoch milliseconds */
export function localTime(timeZone: string, at: number): string {
  const offset = offsetAt(timeZone, at);
  const shown = isoTime(2 * at - atOffset(offset, at));
  return offset === '+00:00' ? shown : shown.replace('Z', offset);
}

/** The day in a zone, such as `2026-11-24`. */
export function localDay(timeZone: string, at: number): string {
  return localTime(timeZone, at).slice(0, 10);
}

/**
 * The start of a day in a zone, in epoch milliseconds. If the clock changes at midnight, there are two candidates, with
 * the offset before and after the change.
 */
export function startOfLocalDay(timeZone: string, day: string): number {
  const starts = [-1, 1].map((days) => {
    const offset = offsetAt(timeZone, Date.parse(addDays(day, days)));
    return atOffset(offset, Date.parse(day));
  });
  return Math.min(...starts.filter((at) => localDay(timeZone, at) === day), Math.max(...starts));
}
