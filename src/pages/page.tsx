import type { MiddlewareHandler } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps } from '../deps.ts';
import { toBase64url } from '../lib/encoding.ts';
import { type AppContext, type AppEnv, isNavigation } from '../middleware/context.ts';
import { Document } from './layout.tsx';
import type { Locale } from './locale.ts';

interface PageOptions {
  readonly title: string;
  /** The language of the page; English unless given. */
  readonly locale?: Locale;
  readonly status?: ContentfulStatusCode;
  /** Origins beside our own at which the redirects behind a form of this page may end. */
  readonly formTargets?: readonly string[];
  readonly wide?: boolean;
  /** The page's one script. It may call our own API. */
  readonly script?: string;
  /** An address the browser opens by itself after a second. */
  readonly continueTo?: string;
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
  const { title, locale = 'en', wide = false, continueTo, script } = options;
  const page = <Document {...{ title, locale, nonce, wide, continueTo, script }}>{body}</Document>;
  return c.html(`<!doctype html>${page.toString()}`, options.status ?? 200);
}

/** `form-action` also judges the redirects that follow a form, so it names where those may end. */
function contentPolicy(nonce: string, { formTargets = [], script }: PageOptions): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : [`script-src 'nonce-${nonce}'`, "connect-src 'self'"]),
    "img-src 'self' data:",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
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
