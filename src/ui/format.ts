import type { Locale } from '../http/context.ts';

const tags: Record<Locale, string> = { en: 'en-GB', id: 'id-ID' };
const formats = new Map<string, Intl.DateTimeFormat>();
const amounts = new Map<string, Intl.NumberFormat>();

/** A date with its time, in UTC because the server does not know the reader's time zone. */
export function formatMoment(locale: Locale, moment: string): string {
  const format = dateFormat(locale, 'moment', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(moment))} UTC`;
}

export function formatDay(locale: Locale, moment: string): string {
  return dateFormat(locale, 'day', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(moment));
}

function dateFormat(locale: Locale, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${locale}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(tags[locale], options);
  formats.set(key, format);
  return format;
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

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** The time since a moment in words: `3 days ago`, `3 hari yang lalu`. */
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

/** A country's name by its two letters, or the letters if they name none. */
export function formatCountry(locale: Locale, code: string): string {
  try {
    return new Intl.DisplayNames(tags[locale], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
