import type { Locale } from '../http/context.ts';
import { getOrInsert } from '../lib/memoize.ts';
import type { View } from './view.ts';

const tags: Record<Locale, string> = { en: 'en-GB', id: 'id-ID' };
const formats = new Map<string, Intl.DateTimeFormat>();
const amounts = new Map<string, Intl.NumberFormat>();

/** The reader's language, and the time zone of the service. */
type Clock = Pick<View, 'locale' | 'brand'>;

/** A date with its time, followed by the time zone. */
export function formatMoment(clock: Clock, moment: string): string {
  const zone = { timeZoneName: 'short' } as const;
  return dateFormat(clock, 'moment', { ...date, ...time, ...zone }).format(new Date(moment));
}

export function formatDay(clock: Clock, moment: string): string {
  return dateFormat(clock, 'day', { dateStyle: 'medium' }).format(new Date(moment));
}

/** `Tuesday, 24 November 2026`. */
export function formatWeekday(clock: Clock, moment: string): string {
  return dateFormat(clock, 'weekday', { weekday: 'long', ...date }).format(new Date(moment));
}

/** `14:05`. */
export function formatTime(clock: Clock, moment: string): string {
  return dateFormat(clock, 'time', time).format(new Date(moment));
}

/** The name of the time zone, such as `Western Indonesia Time`. */
export function formatZone(clock: Clock, at: number): string {
  const parts = dateFormat(clock, 'zone', { timeZoneName: 'long' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? clock.brand.TIME_ZONE;
}

const date = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit' } as const;

function dateFormat(clock: Clock, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { locale, brand } = clock;
  const timeZone = brand.TIME_ZONE;
  const make = () => new Intl.DateTimeFormat(tags[locale], { ...options, timeZone });
  return getOrInsert(formats, `${name} ${locale} ${timeZone}`, make);
}

/** An amount of rupiah, the only asset: `IDR 10,000`, `Rp 10.000`. @param sign whether incoming money has a plus sign */
export function formatAmount(locale: Locale, amount: number, sign: 'auto' | 'always' = 'auto'): string {
  const key = `${locale} ${sign}`;
  const format =
    amounts.get(key) ??
    new Intl.NumberFormat(tags[locale], {
      ...{ style: 'currency', currency: 'IDR', signDisplay: sign },
      // Intl gives rupiah two decimals, which nobody uses.
      ...{ minimumFractionDigits: 0, maximumFractionDigits: 0 },
    });
  amounts.set(key, format);
  return format.format(amount);
}

/** A number as people type it: `10,000`, `10.000`. */
export function formatNumber(locale: Locale, value: number): string {
  return value.toLocaleString(tags[locale]);
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** The time since an instant in words: `3 days ago`, `3 hari yang lalu`. */
export function formatAgo(locale: Locale, moment: string, now: number): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(tags[locale], { numeric: 'auto' });
  return format.format(unit === 'second' ? 0 : Math.trunc(seconds / size), unit);
}

/** A language's name in that language, by its tag. */
export function formatLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** A country's name by its two letters, or the letters if there is no such country. */
export function formatCountry(locale: Locale, code: string): string {
  try {
    return new Intl.DisplayNames(tags[locale], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
