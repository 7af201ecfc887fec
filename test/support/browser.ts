import { CookieJar } from 'tough-cookie';
import type { Reachable, TargetRequest } from './target.ts';

/** A browser reduced to cookies and redirects: a jar, and the headers of a navigation. */
export interface Browser {
  /** Sends a request like a script on the service's own origin, and stores the response's cookies. */
  fetch(path: string, init?: TargetRequest): Promise<Response>;
  /** Opens a page, with the headers of a navigation. */
  navigate(path: string, init?: TargetRequest): Promise<Response>;
  /** The value of a cookie that would be sent to a path, or null. */
  cookie(name: string, path?: string): Promise<string | null>;
  /** The Cookie header that would be sent to a path. */
  cookies(path?: string): Promise<string>;
  readonly jar: CookieJar;
}

const navigation = {
  Accept: 'text/html,application/xhtml+xml',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Site': 'none',
};

export function openBrowser(target: Reachable): Browser {
  const jar = new CookieJar();
  async function send(path: string, init: TargetRequest = {}): Promise<Response> {
    const url = new URL(path, target.origin).href;
    const kept = await jar.getCookieString(url);
    // Browsers send their page's origin with every unsafe request.
    const isUnsafe = !['GET', 'HEAD'].includes(init.method ?? 'GET');
    const origin =
      isUnsafe && init.headers?.['Sec-Fetch-Site'] === undefined ? { Origin: target.origin } : {};
    const headers = { ...(kept ? { Cookie: kept } : {}), ...origin, ...init.headers };
    const local = url.startsWith(target.origin) ? url.slice(target.origin.length) : url;
    const answer = await target.request(local, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) await jar.setCookie(line, url, { ignoreError: true });
    return answer;
  }
  return {
    jar,
    fetch: send,
    navigate: (path, init = {}) => send(path, { ...init, headers: { ...navigation, ...init.headers } }),
    async cookie(name, path = '/v1/auth/session') {
      const cookies = await jar.getCookies(new URL(path, target.origin).href);
      return cookies.find((cookie) => cookie.key === name)?.value ?? null;
    },
    cookies: (path = '/v1/auth/session') => jar.getCookieString(new URL(path, target.origin).href),
  };
}

/** A page's link to a path, with its query, as a browser reads it. */
export async function linkOf(page: Response, path: string): Promise<string> {
  const hrefs = [...(await page.clone().text()).matchAll(/\bhref="([^"]*)"/g)];
  const links = hrefs.map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const link = links.find((href) => href.split('?')[0] === path);
  if (link === undefined) throw new Error(`the page has no link to ${path}`);
  return link;
}

/** Sends JSON, like `fetch` on a page of the service's own origin. */
export function json(method: string, value: unknown): TargetRequest {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}
