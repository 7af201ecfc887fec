import type { Context } from 'hono';
import { cookieValues } from '../lib/cookie.ts';

/** The values that an entry passes along with each request. */
export interface Connection {
  /** The client's address, from the socket or the platform's own edge; never from a header that a client may set. */
  readonly address: string;
  readonly country: string | null;
  /** The endpoint's method and path, once the request has reached it; read far faster than a variable of Hono's. */
  route?: string;
}

/** The limit that an administrator set for an app. All its secrets share one bucket per endpoint. */
export interface AppSize {
  readonly app: string;
  /** Requests per minute. */
  readonly requests: number;
}

/** Returns, without waiting, the size of the app whose secret a limit counts, if it has one. The secret has been proven. */
export type SizeOf = (client: string) => AppSize | null;

/** Features add their own variables to Hono's `ContextVariableMap`. */
export interface AppEnv {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The session of the person who is calling, if the endpoint requires one: the log names it. */
    session: string | undefined;
    /** The registered app whose page is calling; absent for our own pages and first-party origins. */
    app: string | undefined;
    /** True if that app is first-party; other apps' pages may do little with cookies. */
    isFirstPartyApp: boolean | undefined;
    /** The app sizes, for limits on requests with a secret. */
    sizeOf: SizeOf | undefined;
    /** True if the request ended sessions or grants. */
    endedSessions: boolean | undefined;
    /** True if errors also have the shape of RFC 6749 section 5.2. */
    oauth: boolean;
    /** An OAuth request's parameters as received, for its limit and its schema. */
    fields: Readonly<Record<string, unknown>> | undefined;
    /** The same parameters after validation. */
    form: unknown;
    /** The popup request that this navigation is part of. */
    popup: string | undefined;
    /** Our page to return to when a form or a link fails. */
    back: string | undefined;
    /** The destination of the sign-in, which a refusal must preserve. */
    returnTo: string | null | undefined;
  };
}

/** The sender of a request, as sessions remember it. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string | null;
  /** Two letters, if the runtime knows it. */
  readonly country: string | null;
  readonly requestId: string;
}

export type AppContext = Context<AppEnv>;

/** Returns a request header's text; empty if it is absent. */
export function headerOf(c: AppContext, name: string): string {
  return c.req.header(name) ?? '';
}

/** Returns the sender, as sessions remember it. The user agent is truncated, because its sender chooses its length. */
export function clientInfo(c: AppContext): ClientInfo {
  return {
    address: c.env.address,
    userAgent: c.req.header('User-Agent')?.slice(0, 256) ?? null,
    country: c.env.country,
    requestId: c.get('requestId'),
  };
}

/**
 * Returns whether the request is a browser opening a page, rather than a script or another program. Older browsers do
 * not say so, but they prefer HTML.
 */
export function isNavigation(c: AppContext): boolean {
  const accept = headerOf(c, 'Accept');
  const mode = c.req.header('Sec-Fetch-Mode');
  return mode === undefined
    ? accept.startsWith('text/html')
    : mode === 'navigate' && accept.includes('text/html');
}

/** Returns whether a window shows the response; a frame, an image or a script does not. Old browsers do not say. */
export function isWindow(c: AppContext): boolean {
  return (c.req.header('Sec-Fetch-Dest') ?? 'document') === 'document';
}

/** The page languages by tag (RFC 5646), each named in its own language. */
export const localeNames = { en: 'English', id: 'Bahasa Indonesia' } as const;

export type Locale = keyof typeof localeNames;

/** Stores the language that a person chose. */
export const localeCookie = 'pid_lang';

/** The response language: from `ui_locales`, an earlier choice, the browser, or English. */
export function localeOf(c: AppContext): Locale {
  const asked = c.req.query('ui_locales');
  const [chosen] = cookieValues(c.req.header('Cookie'), localeCookie);
  const accepted = headerOf(c, 'Accept-Language')
    .split(',')
    .map((range) => {
      const [tag = '', quality = ''] = range.split(';q=');
      return { tag: tag.trim(), quality: quality === '' ? 1 : Number(quality) };
    });
  const ranked = accepted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  const tags = [...(asked ?? '').split(' '), chosen ?? '', ...ranked.map(({ tag }) => tag)];
  return tags.map(localeOfTag).find((locale) => locale !== null) ?? 'en';
}

export function isLocale(value: string | undefined): value is Locale {
  return value !== undefined && Object.hasOwn(localeNames, value);
}

function localeOfTag(tag: string): Locale | null {
  const [language] = tag.toLowerCase().split('-');
  return isLocale(language) ? language : null;
}
