import { type Browser, json } from './browser.ts';
import { startSignIn } from './people.ts';
import { makeChannel } from './popup-channel.ts';
import { form } from './sandbox.ts';
import type { Reachable, Target } from './target.ts';

/** The app's origin in these tests: in development every page on this machine may be the app. */
export const appOrigin = 'http://app.localhost:5173';

export interface Opener {
  readonly id: string;
  readonly verifier: string;
  readonly challenge: string;
  register(more?: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>;
  /** Returns the service's response to the opener. */
  poll(): Promise<Record<string, unknown>>;
  ask(action: 'poll' | 'cancel', verifier?: string, origin?: string): Promise<Response>;
}

/** An app's page that opens a popup. */
export function makeOpener(target: Reachable, origin = appOrigin): Opener {
  const { id, verifier, challenge } = makeChannel();
  const post = (path: string, body: unknown, headers: Record<string, string>) => {
    const request = json('POST', body);
    return target.request(path, { ...request, headers: { ...request.headers, ...headers } });
  };
  const opener: Opener = {
    id,
    verifier,
    challenge,
    register: (more = {}, headers = {}) =>
      post('/v1/popup/requests', { id, kind: 'login', challenge, ...more }, { Origin: origin, ...headers }),
    ask: (action, given = verifier, from = origin) =>
      post(`/v1/popup/requests/${id}/${action}`, { verifier: given }, { Origin: from }),
    async poll() {
      return (await (await opener.ask('poll')).json()) as Record<string, unknown>;
    },
  };
  return opener;
}

/** An opener with a registered request. */
export async function registered(target: Reachable, origin = appOrigin): Promise<Opener> {
  const opener = makeOpener(target, origin);
  const answer = await opener.register();
  if (answer.status !== 200) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return opener;
}

/** Signs in at the provider from the popup's page; returns the callback's response. */
export async function signInInPopup(
  target: Target,
  browser: Browser,
  popup: string,
  claims: Record<string, unknown>,
): Promise<Response> {
  const path = `/v1/auth/idp?popup=${popup}`;
  const { callback } = await startSignIn(
    target,
    browser,
    { claims: { email_verified: true, ...claims } },
    path,
  );
  return browser.navigate(callback);
}

/** Returns the fields of the page's own form. */
export async function decisionFields(page: Response): Promise<{ digest: string; token: string }> {
  const text = await page.text();
  const fields = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const values = Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
  return { digest: '', token: '', ...values };
}

export function decide(
  target: Target,
  browser: Browser,
  popup: string,
  fields: Record<string, string>,
): Promise<Response> {
  return browser.navigate(`/popup/requests/${popup}/decision`, form(fields, target.origin));
}

/** Sends a popup page's report. */
export function beat(
  target: Target,
  browser: Browser,
  popup: string,
  report: Record<string, unknown>,
): Promise<Response> {
  const request = json('POST', report);
  const headers = { ...request.headers, Origin: target.origin };
  return browser.fetch(`/popup/requests/${popup}/beat`, { ...request, headers });
}

/** The popup's first page. */
export function openPopup(browser: Browser, { id }: Pick<Opener, 'id'>): Promise<Response> {
  return browser.navigate(`/popup/login?c=${id}`);
}
