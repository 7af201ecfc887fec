import type { Context } from 'hono';
import { cookieValues } from '../lib/cookie.ts';

/** The values that an entry passes along with each request. */
export interface Connection {
  /** The client's address, from the socket or the platform's own edge; never from a header that a client may set. */
  readonly address: string;
  readonly country: string | null;
  /** The endpoint's method and path, after the request has reached it; much faster to read than a Hono variable. */
  route?: string;
}

/** The limit set for an app by an administrator. All secrets of the app share one bucket per endpoint. */
export interface AppSize {
  readonly app: string;
  /** Requests per minute. */
  readonly requests: number;
}

/**
 * Returns, without waiting, the size of the app by whose secret a limit is counted, if it has one. The secret has been
 * verified.
 */
export type SizeOf = (client: string) => AppSize | null;

/** Features add their own variables to Hono's `ContextVariableMap`. */
export interface AppEnv {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The session of the calling person, if the endpoint requires one; used in the log. */
    session: string | undefined;
    /** The registered app whose page is calling; absent for our own pages and first-party origins. */
    app: string | undefined;
    /** True if the app is first-party; pages of other apps have few permissions with cookies. */
    isFirstPartyApp: boolean | undefined;
    /** The app sizes, for limits on requests with a secret. */
    sizeOf: SizeOf | undefined;
    /** True if the request revoked sessions or grants. */
    endedSessions: boolean | undefined;
    /** True if the request may have caused events for webhooks. */
    causedEvents: boolean | undefined;
    /** True if errors also use the format of RFC 6749 section 5.2. */
    oauth: boolean;
    /** An OAuth request's parameters as received, for its limit and its schema. */
    fields: Readonly<Record<string, unknown>> | undefined;
    /** The same parameters after validation. */
    form: unknown;
    /** The popup request to which this navigation belongs. */
    popup: string | undefined;
    /** Our page to return to if a form or a link fails. */
    back: string | undefined;
    /** The destination of the sign-in, which an error page must preserve. */
    returnTo: string | null | undefined;
  };
}

/** The client of a request, as stored with a session. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string | null;
  /** Two letters, if the runtime provides it. */
  readonly country: string | null;
  readonly requestId: string;
}

export type AppContext = Context<AppEnv>;

/** Returns the text of a request header; empty if it is missing. */
export function headerOf(c: AppContext, name: string): string {
  return c.req.header(name) ?? '';
}

/** Returns the client, as stored with a session. The user agent is truncated, because the client chooses its length. */
export function clientInfo(c: AppContext): ClientInfo {
  return {
    address: c.env.address,
    userAgent: c.req.header('User-Agent')?.slice(0, 256) ?? null,
    country: c.env.country,
    requestId: c.get('requestId'),
  };
}

/**
 * Returns whether the request is a browser opening a page, rather than a script or another program. Older browsers send
 * no Fetch Metadata, but prefer HTML.
 */
export function isNavigation(c: AppContext): boolean {
  const accept = headerOf(c, 'Accept');
  const mode = c.req.header('Sec-Fetch-Mode');
  return mode === undefined
    ? accept.startsWith('text/html')
    : mode === 'navigate' && accept.includes('text/html');
}

/**
 * Returns whether the response is shown in a window, not in a frame, an image or a script. Old browsers do not send
 * this information.
 */
export function isWindow(c: AppContext): boolean {
  return (c.req.header('Sec-Fetch-Dest') ?? 'document') === 'document';
}

/** The page languages by tag (RFC 5646), each named in its own language. */
export const localeNames = { en: 'English', id: 'Bahasa Indonesia' } as const;

export type Locale = keyof typeof localeNames;

/** Browsers send a few ranges; sorting thousands would cost more than the page. */
const mostRanges = 20;

/** Stores the language chosen by a person. */
export const localeCookie = 'pid_lang';

/** The response language: from `ui_locales`, an earlier choice, the browser, or English. */
export function localeOf(c: AppContext): Locale {
  const asked = c.req.query('ui_locales');
  const [chosen] = cookieValues(c.req.header('Cookie'), localeCookie);
  const accepted = headerOf(c, 'Accept-Language')
    .split(',', mostRanges)
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
