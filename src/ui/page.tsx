import type { MiddlewareHandler } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps } from '../deps.ts';
import { type AppContext, type AppEnv, isNavigation } from '../http/context.ts';
import { toBase64url } from '../lib/encoding.ts';
import { permissionsPolicy } from '../lib/permissions-policy.ts';
import { successUrl } from '../lib/success-url.ts';
import { Document } from './document.tsx';
import { formScript } from './form-script.ts';
import { readView } from './read-view.ts';
import type { ExtraStyle } from './style.ts';
import { renderWith } from './view.ts';

export interface PageOptions {
  readonly title: string;
  readonly status?: ContentfulStatusCode;
  /** Other origins to which forms on this page may redirect. */
  readonly formTargets?: readonly string[];
  readonly wide?: boolean;
  /** True for a development page, in English only. */
  readonly developer?: boolean;
  /** Rules needed by few pages. */
  readonly extraStyle?: ExtraStyle;
  /** The page's script, which may call our own API. */
  readonly script?: string | undefined;
  /** True if the page shows another of our pages in a frame. */
  readonly framesOwn?: boolean;
  /** A URL that the browser opens after a second. */
  readonly continueTo?: string;
  /** A URL that browsers without script open after some seconds. */
  readonly withoutScript?: { readonly seconds: number; readonly url: string };
  /** Shown opposite the brand. */
  readonly corner?: Child;
  /** The URL that the language links use, if not the page's own. */
  readonly here?: string;
}

/**
 * Renders a page, with headers that replace the API's. The referrer policy is `same-origin`, because with `no-referrer`
 * browsers post forms with `Origin: null`, which the origin guard rejects; in a popup it is `strict-origin`, as in the
 * rest of the flow. No page sets a Cross-Origin-Opener-Policy, which would sever a popup from its opener.
 */
export function renderPage(c: AppContext, deps: Deps, options: PageOptions, body: Child) {
  const nonce = toBase64url(deps.randomBytes(16));
  c.header('Content-Security-Policy', contentPolicy(nonce, options));
  c.header('Cache-Control', 'no-store');
  c.header('Referrer-Policy', c.get('popup') === undefined ? 'same-origin' : 'strict-origin');
  c.header('X-Frame-Options', 'DENY');
  c.header('Permissions-Policy', permissionsPolicy);
  const { title, wide = false, developer = false, continueTo, withoutScript, script, corner } = options;
  const view = readView(c, deps);
  const scripts = developer ? script : withoutComments(`${formScript}${script ?? ''}`);
  const { extraStyle = developer ? 'developer' : 'none' } = options;
  const head = { title, wide, developer, extraStyle, continueTo, withoutScript, script: scripts, corner };
  const page = <Document {...head}>{body}</Document>;
  const text = renderWith({ ...view, here: options.here ?? view.here, nonce }, page);
  return c.html(`<!doctype html>${focusOnce(text)}`, options.status ?? 200);
}

/** Keeps the first `autofocus`, because every field with a problem requests it, and HTML allows one per page. */
function focusOnce(html: string): string {
  const end = html.indexOf(autofocus) + autofocus.length;
  return end < autofocus.length ? html : html.slice(0, end) + html.slice(end).replaceAll(autofocus, '');
}

const autofocus = ' autofocus=""';

/**
 * `form-action` also applies to redirects after a form, so it lists their targets. With trusted types, no script can
 * turn text into markup.
 */
function contentPolicy(nonce: string, options: PageOptions): string {
  const { formTargets = [], script, framesOwn = false, developer = false } = options;
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(developer && script === undefined ? [] : [`script-src 'nonce-${nonce}'`]),
    ...(script === undefined ? [] : ["connect-src 'self'"]),
    ...(framesOwn ? ["frame-src 'self'"] : []),
    "img-src 'self' data:",
    ["form-action 'self'", ...formTargets].join(' '),
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Minified scripts by source, because a page always has the same script. */
const sent = new Map<string, string>();

/** Removes comment lines and indentation from a script, which saves an eighth on the wire. */
function withoutComments(script: string): string {
  const short = sent.get(script) ?? script.replace(/^ *(?:\/\/.*|\/?\*.*)?\n|^ +/gm, '');
  sent.set(script, short);
  return short;
}

/** Redirects to another page of ours, keeping the requested language and theme. */
export function redirectKeepingView(c: AppContext, deps: Deps, path: string): Response {
  readView(c, deps);
  return c.redirect(path, c.req.method === 'GET' ? 302 : 303);
}

/** The client's origin, where a sign-in or claim with this `returnTo` ends. */
export function clientOrigin({ config }: Deps, returnTo: string | null = null): string {
  return new URL(successUrl(config, { isNew: false, returnTo }), config.origin).origin;
}

/**
 * Shows browsers that open an API path a page, and passes other requests on to the API route. The two share a limit,
 * and only one of them counts a request.
 */
export function forNavigations(
  limit: MiddlewareHandler<AppEnv>,
  page: (c: AppContext) => Response | Promise<Response>,
): MiddlewareHandler<AppEnv> {
  return async function navigated(c, next) {
    if (!isNavigation(c)) {
      await next();
      return;
    }
    await limit(c, async () => {
      c.res = await page(c);
    });
  };
}
