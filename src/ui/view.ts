import type { Deps } from '../deps.ts';
import type { AppContext } from '../http/context.ts';
import { cookieValues, serializeCookie } from '../lib/cookie.ts';
import { type Catalogue, isLocale, type Locale, localeCookie, localeOf } from './locale.ts';

export type Theme = 'light' | 'dark';

/** How a page is shown to its reader: what every component may ask without being handed it. */
export interface View {
  readonly locale: Locale;
  /** The theme that was asked for; null follows the browser's setting. */
  readonly theme: Theme | null;
  readonly now: number;
  /** The page's own address, path and query. */
  readonly here: string;
}

/** Pages are rendered in one go, without waiting for anything, so one at a time is being rendered. */
let current: View | null = null;

/** Renders a page whose components may ask how it is shown. */
export function renderWith(view: View, page: { toString(): string | Promise<string> }): string {
  current = view;
  try {
    const text = page.toString();
    if (typeof text === 'string') return text;
  } finally {
    current = null;
  }
  throw new Error('a page must be rendered without waiting: read what it shows before');
}

/** How the page being rendered is shown. */
export function useView(): View {
  if (current === null) throw new Error('a view is known only while a page is being rendered');
  return current;
}

/** The texts of an area in the language of the page being rendered. */
export function useTexts<Key extends string>(texts: Catalogue<Key>): Readonly<Record<Key, string>> {
  return texts[useView().locale];
}

const themeCookie = 'pid_theme';
const themeSeconds = 3600;
const localeSeconds = 31_536_000;

/** Reads how to show a page. What its address asks for is remembered, so that it outlives links, forms and redirects. */
export function readView(c: AppContext, deps: Deps): View {
  const { pathname, search } = new URL(c.req.url);
  const locale = localeOf(c);
  if (isLocale(c.req.query('ui_locales'))) remember(c, deps, localeCookie, locale, localeSeconds);
  // With two slashes at its beginning a path would name another host.
  const here = pathname.replace(/^\/+/, '/') + search;
  return { locale, theme: readTheme(c, deps), now: deps.now(), here };
}

/** `theme=light` or `dark` holds for an hour, for the way to a provider and back; `theme=auto` ends it. */
function readTheme(c: AppContext, deps: Deps): Theme | null {
  const asked = c.req.query('theme');
  const [kept] = cookieValues(c.req.header('Cookie'), themeCookie);
  if (asked === undefined) return isTheme(kept) ? kept : null;
  if (isTheme(asked)) {
    remember(c, deps, themeCookie, asked, themeSeconds);
    return asked;
  }
  if (kept !== undefined) remember(c, deps, themeCookie, '', 0);
  return null;
}

function isTheme(value: string | undefined): value is Theme {
  return value === 'light' || value === 'dark';
}

function remember(c: AppContext, deps: Deps, name: string, value: string, maxAgeSeconds: number): void {
  const cookie = { name, value, path: '/', maxAgeSeconds, httpOnly: true, secure: deps.config.production };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}

/** The page's own address in another language or theme; every other part of it stays. */
export function withParameter(here: string, name: 'ui_locales' | 'theme', value: string): string {
  const url = new URL(here, 'http://local.invalid');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}
