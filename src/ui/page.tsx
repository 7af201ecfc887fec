import type { MiddlewareHandler } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps } from '../deps.ts';
import { type AppContext, type AppEnv, isNavigation } from '../http/context.ts';
import { toBase64url } from '../lib/encoding.ts';
import { Document } from './document.tsx';
import { readView, renderWith } from './view.ts';

export interface PageOptions {
  readonly title: string;
  readonly status?: ContentfulStatusCode;
  /** Origins beside our own at which the redirects behind a form of this page may end. */
  readonly formTargets?: readonly string[];
  readonly wide?: boolean;
  /** A page of development, written in English only. */
  readonly developer?: boolean;
  /** The page's one script. It may call our own API. */
  readonly script?: string | undefined;
  /** Whether the page shows another of our own in a frame. */
  readonly framesOwn?: boolean;
  /** An address the browser opens by itself after a second. */
  readonly continueTo?: string;
  /** What stands opposite the brand. */
  readonly corner?: Child;
  /** Where the page is found again in another language, if not at its own address. */
  readonly here?: string;
}

/**
 * Answers a page, under headers that replace those of the API. The referrer policy is `same-origin`, because
 * under `no-referrer` browsers post forms with `Origin: null`, which the origin guard refuses; in a popup it is
 * `strict-origin`, as on all its way to a provider and back. No page names a Cross-Origin-Opener-Policy: it would cut
 * a popup from its opener.
 */
export function renderPage(
  c: AppContext,
  deps: Deps,
  options: PageOptions,
  body: Child,
): Response | Promise<Response> {
  const nonce = toBase64url(deps.randomBytes(16));
  c.header('Content-Security-Policy', contentPolicy(nonce, options));
  c.header('Cache-Control', 'no-store');
  c.header('Referrer-Policy', c.get('popup') === undefined ? 'same-origin' : 'strict-origin');
  c.header('X-Frame-Options', 'DENY');
  const { title, wide = false, developer = false, continueTo, script, corner } = options;
  const view = readView(c, deps);
  const page = <Document {...{ title, nonce, wide, developer, continueTo, script, corner }}>{body}</Document>;
  const text = renderWith({ ...view, here: options.here ?? view.here }, page);
  return c.html(`<!doctype html>${text}`, options.status ?? 200);
}

/**
 * `form-action` also judges the redirects that follow a form, so it names where those may end. Under trusted types
 * no script can turn text into markup, whatever it was made to read.
 */
function contentPolicy(nonce: string, { formTargets = [], script, framesOwn = false }: PageOptions): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : [`script-src 'nonce-${nonce}'`, "connect-src 'self'"]),
    ...(framesOwn ? ["frame-src 'self'"] : []),
    "img-src 'self' data:",
    ["form-action 'self'", ...formTargets].join(' '),
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Leads on to another page of ours, in the language and theme that this address asks for. */
export function redirectKeepingView(c: AppContext, deps: Deps, path: string): Response {
  readView(c, deps);
  return c.redirect(path, c.req.method === 'GET' ? 302 : 303);
}

/** The client's origin: where a sign-in or a claim ends. */
export function clientOrigin(deps: Deps): string {
  return new URL(deps.config.CLIENT_SUCCESS_URL).origin;
}

/**
 * Answers browsers that open an address of the API with a page, and passes everyone else on to the API's own
 * route, which has the same limit: either way a request is counted once.
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
