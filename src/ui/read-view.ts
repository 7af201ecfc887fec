import { brandOf } from '../brand/brand-settings.ts';
import type { Theme } from '../brand/colour.ts';
import type { Deps } from '../deps.ts';
import { type AppContext, isLocale, localeCookie, localeOf } from '../http/context.ts';
import { cookieValues, serializeCookie } from '../lib/cookie.ts';
import type { View } from './view.ts';

const themeCookie = 'pid_theme';
const themeSeconds = 3600;
const localeSeconds = 31_536_000;

/** Reads the view. Cookies store the language and theme requested in a URL, for the following pages. */
export function readView(c: AppContext, deps: Deps): Omit<View, 'nonce'> {
  const { pathname, search } = new URL(c.req.url);
  const locale = localeOf(c);
  if (isLocale(c.req.query('ui_locales'))) remember(c, deps, localeCookie, locale, localeSeconds);
  // A path with two leading slashes would name another host.
  const here = pathname.replace(/^\/+/, '/') + search;
  return { locale, theme: readTheme(c, deps), now: deps.now(), here, brand: brandOf(deps.config) };
}

/** `theme=light` or `dark` lasts an hour, long enough for a sign-in at a provider; `theme=auto` resets it. */
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

/** The page's URL in another language or theme. */
export function withParameter(here: string, name: 'ui_locales' | 'theme', value: string): string {
  const url = new URL(here, 'http://local.invalid');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}
