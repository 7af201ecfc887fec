import { describe, expect, it } from 'vitest';
import { localDay, localTime, startOfLocalDay } from '../../src/lib/local-time.ts';

const at = (text: string) => Date.parse(text);

describe('the local time of a zone', () => {
  it.each([
    ['UTC', '2026-11-23T18:30:00.250Z', '2026-11-23T18:30:00.250Z'],
    ['Asia/Jakarta', '2026-11-23T18:30:00.000Z', '2026-11-24T01:30:00.000+07:00'],
    ['America/St_Johns', '2026-01-01T00:00:00.000Z', '2025-12-31T20:30:00.000-03:30'],
  ])('in %s at %s is %s and converts back to the same instant', (zone, moment, shown) => {
    expect(localTime(zone, at(moment))).toBe(shown);
    expect(at(shown)).toBe(at(moment));
  });
});

describe('a day in a zone', () => {
  it.each([
    ['UTC', '2026-11-24', '2026-11-24T00:00:00Z'],
    ['Asia/Jakarta', '2026-11-24', '2026-11-23T17:00:00Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    // There was no midnight: at 00:00 the clock changed to 01:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    // There were two: at 00:00 the clock went back to 23:00 of the previous day.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'],
  ])('in %s, %s, starts at %s', (zone, day, start) => {
    expect(startOfLocalDay(zone, day)).toBe(at(start));
    expect(localDay(zone, at(start))).toBe(day);
    expect(localDay(zone, at(start) - 1) < day).toBe(true);
  });

  it('is empty if its time zone skips it', () => {
    const next = startOfLocalDay('Pacific/Apia', '2011-12-31');
    expect(startOfLocalDay('Pacific/Apia', '2011-12-30')).toBe(next);
  });
});
