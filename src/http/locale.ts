import { cookieValues } from '../lib/cookie.ts';
import type { AppContext } from './context.ts';

/** The languages of the pages by tag (RFC 5646), each in its own language. */
export const localeNames = { en: 'English', id: 'Bahasa Indonesia' } as const;

export type Locale = keyof typeof localeNames;

/** Stores the language that a person chose. */
export const localeCookie = 'pid_lang';

/** The language of the answer: that of `ui_locales`, the one chosen before, the browser's, or English. */
export function localeOf(c: AppContext): Locale {
  const asked = c.req.query('ui_locales');
  const [chosen] = cookieValues(c.req.header('Cookie'), localeCookie);
  const accepted = (c.req.header('Accept-Language') ?? '').split(',').map((range) => {
    const [tag = '', quality = ''] = range.split(';q=');
    return { tag: tag.trim(), quality: quality === '' ? 1 : Number(quality) };
  });
  const ranked = accepted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  const tags = [...(asked ?? '').split(' '), chosen ?? '', ...ranked.map(({ tag }) => tag)];
  return tags.map(localeOfTag).find((locale) => locale !== null) ?? 'en';
}

/** Whether a value is the tag of one of our languages. */
export function isLocale(value: string | undefined): value is Locale {
  return value !== undefined && Object.hasOwn(localeNames, value);
}

function localeOfTag(tag: string): Locale | null {
  const [language] = tag.toLowerCase().split('-');
  return isLocale(language) ? language : null;
}
