import type { CookieJar } from 'tough-cookie';
import { vi } from 'vitest';
import { type ClientOptions, createClient, type PidClient, type SessionSnapshot } from '../../sdk/index.ts';
import type { Browser } from '../support/browser.ts';
import type { Target } from '../support/target.ts';

/** Decides the fate of a request before it reaches the service. */
type Fault = (path: string, send: () => Promise<Response>) => Promise<Response>;

interface PageOptions extends Partial<ClientOptions> {
  /** Runs between the page and the service. */
  readonly fault?: Fault;
  /** The page's origin; by default another port of the service's host. */
  readonly origin?: string;
}

/** An app's page in a person's browser, as the SDK sees it. */
export interface TestPage {
  readonly client: PidClient;
  /** Method and path of every request. */
  readonly sent: string[];
  /** Every snapshot since the page opened. */
  readonly seen: SessionSnapshot[];
  readonly signedOut: string[];
  close(): void;
}

/** Makes this process look like a browser page with the jar's script-readable cookies. */
export function stubBrowser(jar: CookieJar, pageUrl: string): void {
  const document = Object.assign(new EventTarget(), { hidden: false });
  Object.defineProperty(document, 'cookie', {
    get: () =>
      jar
        .getCookiesSync(pageUrl)
        .filter(({ httpOnly }) => !httpOnly)
        .map((cookie) => cookie.cookieString())
        .join('; '),
  });
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('location', new URL(pageUrl));
}

export function openPage(target: Target, browser: Browser, options: PageOptions = {}): TestPage {
  const { fault = (_, send) => send(), origin = 'http://localhost:5173', ...own } = options;
  const sent: string[] = [];

  async function fetchAsPage(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input));
    const path = url.href.slice(url.origin.length);
    const headers = {
      ...(init.headers as Record<string, string>),
      Origin: origin,
      'Sec-Fetch-Site': 'same-site',
    };
    const body = typeof init.body === 'string' ? { body: init.body } : {};
    sent.push(`${init.method} ${path}`);
    const answered = fault(path, () =>
      browser.fetch(path, { method: init.method ?? 'GET', headers, ...body }),
    );
    return Promise.race([answered, aborted(init.signal)]);
  }

  const client = createClient({
    baseUrl: target.origin,
    fetch: fetchAsPage,
    logger: () => {},
    ...own,
  });
  const seen: SessionSnapshot[] = [];
  const signedOut: string[] = [];
  client.on('session', (snapshot) => void seen.push(snapshot));
  client.on('signed_out', ({ reason }) => void signedOut.push(reason));
  return { client, sent, seen, signedOut, close: client.dispose };
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
