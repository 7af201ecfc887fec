/**
 * Sign in with PID: a website in one file, explained in docs/oauth.md.
 *
 *     CLIENT_ID=app_… CLIENT_SECRET=… npm run example:oidc
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import * as client from 'openid-client';

const { CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000' } = process.env;
const issuer = new URL(process.env['ISSUER'] ?? 'http://localhost:8787');
const origin = `http://localhost:${PORT}`;
const redirectUri = `${origin}/callback`;

// Plain http is allowed only for `npm run dev` on this machine.
const execute = issuer.hostname === 'localhost' ? [client.allowInsecureRequests] : [];
const pid = await client.discovery(issuer, CLIENT_ID, CLIENT_SECRET, undefined, { execute });

/** The site's data about a browser, by cookie. A real site stores this in a database. */
const signIns = new Map<string, { pkceCodeVerifier: string; expectedState: string; expectedNonce: string }>();
const people = new Map<string, string>();

/** Redirects the browser to the service, and stores the values that the response has to match. */
async function signIn(): Promise<Response> {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  const url = client.buildAuthorizationUrl(pid, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const id = newId();
  signIns.set(id, checks);
  return redirect(url.href, `sign_in=${id}; Max-Age=600`);
}

/** Exchanges the code. openid-client checks state, issuer, nonce and the ID token. */
async function finish(url: URL, cookies: Cookies): Promise<Response> {
  const checks = signIns.get(cookies['sign_in'] ?? '');
  signIns.delete(cookies['sign_in'] ?? '');
  if (checks === undefined) return page('<p>This sign-in has expired. <a href="/">Start again</a></p>', 400);
  const tokens = await client.authorizationCodeGrant(pid, url, checks);
  const id = newId();
  // `sub` is permanent and serves as the key of this person in the site's own database.
  people.set(id, tokens.claims()?.sub ?? '');
  return redirect('/', `session=${id}`);
}

async function answer(method: string, url: URL, cookies: Cookies): Promise<Response> {
  switch (`${method} ${url.pathname}`) {
    case 'GET /': {
      const person = people.get(cookies['session'] ?? '');
      if (person === undefined) return page('<a href="/signin">Sign in with PID</a>');
      return page(
        `<p>Hello, ${person}</p><form method="post" action="/signout"><button>Sign out</button></form>`,
      );
    }
    case 'GET /signin':
      return signIn();
    case 'GET /callback':
      return finish(url, cookies);
    case 'POST /signout':
      people.delete(cookies['session'] ?? '');
      return redirect('/', 'session=; Max-Age=0');
    default:
      return page('<p>Not found</p>', 404);
  }
}

type Cookies = Record<string, string | undefined>;

function cookiesOf({ headers }: IncomingMessage): Cookies {
  return Object.fromEntries((headers.cookie ?? '').split('; ').map((pair) => pair.split('=')));
}

function newId(): string {
  return randomBytes(32).toString('base64url');
}

// With SameSite=Lax, the cookie is sent when the service redirects the browser back. Add Secure on https.
function redirect(location: string, cookie: string): Response {
  const headers = { Location: location, 'Set-Cookie': `${cookie}; Path=/; HttpOnly; SameSite=Lax` };
  return new Response(null, { status: 303, headers });
}

function page(body: string, status = 200): Response {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  return new Response(`<!doctype html><title>Shop</title><h1>Shop</h1>${body}`, { status, headers });
}

/** The reason why a sign-in failed: the person declined, or the response is invalid. */
function explain(error: unknown): Response {
  console.error(error);
  const refused = error instanceof client.AuthorizationResponseError && error.error === 'access_denied';
  const text = refused ? 'You did not allow this site to know you.' : 'The sign-in failed.';
  return page(`<p>${text} <a href="/">Back</a></p>`, refused ? 403 : 400);
}

createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', origin);
  const sent = await answer(request.method ?? 'GET', url, cookiesOf(request)).catch(explain);
  response.writeHead(sent.status, Object.fromEntries(sent.headers)).end(await sent.text());
}).listen(Number(PORT), 'localhost', () => console.log(`Open ${origin}`));
