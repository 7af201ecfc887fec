import type { NewApp } from '../../src/features/app/schema.ts';
import { secretHash } from '../../src/lib/secret.ts';
import { newApp } from './apps.ts';
import type { Browser } from './browser.ts';
import { type Member, newMember } from './people.ts';
import { form } from './sandbox.ts';
import type { Target } from './target.ts';

/** PKCE: the verifier of every request in these tests. */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const codeChallenge = secretHash(codeVerifier);

type Parameters = Record<string, string | null>;

/** An authorization request's URL; null omits a parameter. */
export function authorizeUrl(app: Pick<NewApp, 'id' | 'redirectUris'>, changes: Parameters = {}): string {
  const parameters: Parameters = {
    response_type: 'code',
    client_id: app.id,
    redirect_uri: app.redirectUris[0] ?? '',
    scope: 'openid profile',
    state: 'state of the app',
    nonce: 'nonce of the app',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/v1/auth/authorize?${new URLSearchParams(given)}`;
}

/** Returns the target of one of our pages: its script opens that URL, and its link contains it. */
export async function ledTo(page: Response): Promise<string> {
  const [, href] = /<a [^>]*href="([^"]*)" data-lead-on/.exec(await page.clone().text()) ?? [];
  if (href === undefined) throw new Error(`no page that leads on: ${page.status} ${await page.text()}`);
  return href.replaceAll('&amp;', '&');
}

/** A response's parameters, and its destination. */
export function answerIn(address: string | null): Record<string, string> {
  const [to = '', query = ''] = (address ?? '').split('?');
  return { to, ...Object.fromEntries(new URLSearchParams(query)) };
}

/** Submits the consent page's form with a decision. */
export async function decideOn(
  target: Target,
  browser: Browser,
  page: Response,
  decision = 'allow',
  changes: Record<string, string> = {},
): Promise<Response> {
  const text = await page.clone().text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const fields = { request: field('request'), proof: field('proof'), decision, ...changes };
  return browser.navigate('/v1/auth/authorize', form(fields, target.origin));
}

/** Lets an app act for the person in a browser; returns the code. */
export async function authorizeApp(
  target: Target,
  browser: Browser,
  app: Pick<NewApp, 'id' | 'redirectUris'>,
  changes: Parameters = {},
): Promise<string> {
  const page = await browser.navigate(authorizeUrl(app, changes));
  const location = page.headers.get('Location');
  const { code, ...rest } = answerIn(location ?? (await ledTo(await decideOn(target, browser, page))));
  if (code === undefined) throw new Error(`no code: ${JSON.stringify(rest)}`);
  return code;
}

/** A developer's app, and a person who may use it. */
export async function appAndPerson(
  target: Target,
  fields: Record<string, unknown> = {},
): Promise<{ app: NewApp; developer: Member; person: Member }> {
  const developer = await newMember(target);
  const app = await newApp(developer.browser, fields);
  return { app, developer, person: await newMember(target) };
}

/** This service as an audience, in every spelling that some reader accepts, except its own name `/v1`. */
export function ownSpellings(origin: string): string[] {
  const { protocol, host, hostname, port } = new URL(origin);
  const encoded = `%${hostname.charCodeAt(0).toString(16)}${hostname.slice(1)}`;
  const end = port === '' ? '' : `:${port}`;
  return [
    origin,
    ...['/', '/v1/', '/anything?a', '?a', '/../', '\\v1'].map((path) => `${origin}${path}`),
    `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`,
    `${protocol.toUpperCase()}//${host}`,
    `${protocol}//${host.toUpperCase()}/`,
    `${protocol}//${hostname}.${end}/`,
    `${protocol}//user@${host}/`,
    `${protocol}//user:password@${host}/`,
    `${protocol}//${encoded}${end}/`,
    `${protocol}/${host}`,
    ` ${origin}`,
  ];
}
