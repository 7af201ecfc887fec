import type { Deps } from '../deps.ts';
import type { AppContext } from '../http/context.ts';
import { isLocale, type Locale, localeCookie, localeOf } from '../http/locale.ts';
import { type Brand, brandOf } from '../lib/brand-settings.ts';
import type { Theme } from '../lib/colour.ts';
import { cookieValues, serializeCookie } from '../lib/cookie.ts';
import type { Catalogue } from './locale.ts';

/** How a page is shown to its reader. Every component can read it without props. */
export interface View {
  readonly locale: Locale;
  /** The requested theme; null follows the browser's setting. */
  readonly theme: Theme | null;
  readonly now: number;
  /** How the service presents itself. */
  readonly brand: Brand;
  /** The page's own address, path and query. */
  readonly here: string;
  /** The Content-Security-Policy nonce of the page's own scripts and styles. */
  readonly nonce: string;
}

/** Rendering is synchronous, so only one page is rendered at a time. */
let current: View | null = null;

/** Renders a page whose components read its view. */
export function renderWith(view: View, page: { toString(): string | Promise<string> }): string {
  current = view;
  try {
    const text = page.toString();
    if (typeof text === 'string') return text;
  } finally {
    current = null;
  }
  throw new Error('a page must render synchronously: load its data first');
}

/** The view of the page being rendered. */
export function useView(): View {
  if (current === null) throw new Error('useView works only while a page is rendered');
  return current;
}

/** The texts of an area in the language of the page being rendered. */
export function useTexts<Key extends string>(texts: Catalogue<Key>): Readonly<Record<Key, string>> {
  return texts[useView().locale];
}

const themeCookie = 'pid_theme';
const themeSeconds = 3600;
const localeSeconds = 31_536_000;

/** Reads the view. Cookies store the language and theme that an address asks for, for the pages that follow. */
export function readView(c: AppContext, deps: Deps): Omit<View, 'nonce'> {
  const { pathname, search } = new URL(c.req.url);
  const locale = localeOf(c);
  if (isLocale(c.req.query('ui_locales'))) remember(c, deps, localeCookie, locale, localeSeconds);
  // A path with two leading slashes would name another host.
  const here = pathname.replace(/^\/+/, '/') + search;
  return { locale, theme: readTheme(c, deps), now: deps.now(), here, brand: brandOf(deps.config) };
}

/** `theme=light` or `dark` lasts an hour, enough for the way to a provider and back; `theme=auto` ends it. */
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

/** The page's address in another language or theme. */
export function withParameter(here: string, name: 'ui_locales' | 'theme', value: string): string {
  const url = new URL(here, 'http://local.invalid');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}
