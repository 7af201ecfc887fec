import { CookieJar } from 'tough-cookie';
import * as z from 'zod';

const bodyFault = ['500', 'slow', 'redirect', 'huge', 'html', 'empty-object', 'silent', 'stalled'] as const;
const signatureLies = [
  'bad-signature',
  'alg-none',
  'hs256-with-public-key',
  'other-key-unknown-kid',
] as const;
const claimLies = ['expired', 'wrong-aud', 'wrong-iss', 'wrong-azp', 'aud-array-without-azp'] as const;
export const tokenParts = ['header', 'payload', 'signature'] as const;
export const spellings = ['padded', 'with unused bits', 'in standard base64', 'with a line break'] as const;
const claims = z.record(z.string(), z.unknown());

/** One code's scenario. Every fault belongs to a code or to an issuer path, so suites share one server. */
export const scenarioSchema = z.strictObject({
  /** The URL to which the service redirected the browser; gives nonce, challenge, audience, redirect URI and state. */
  authorizeUrl: z.url().optional(),
  /** Claims of the ID token and of userinfo; null deletes a claim. */
  claims: claims.default({}),
  /** Like `claims`, applied after them and unchanged, so that a claim can be sent as null. */
  literalClaims: claims.default({}),
  /** Claims that only userinfo has, or has with another value. */
  userinfoClaims: claims.default({}),
  idToken: z.enum(['ok', 'missing', ...signatureLies, ...claimLies]).default('ok'),
  alg: z.enum(['RS256', 'ES256']).default('RS256'),
  /** Writes one part of the ID token in non-canonical base64url. It is signed as written. */
  spelling: z.strictObject({ part: z.enum(tokenParts), as: z.enum(spellings) }).optional(),
  token: z.enum(['ok', 'invalid_grant', ...bodyFault]).default('ok'),
  userinfo: z.enum(['ok', 'absent', 'other-sub', ...bodyFault]).default('ok'),
  /** PKCE S256 challenge; when known, a token request that does not match it gets invalid_grant. */
  challenge: z.string().optional(),
  /** Audience of the ID token; otherwise the client of the authorize URL or of the token request. */
  audience: z.string().optional(),
  /** Omits email and email_verified from the ID token, so that only userinfo has them. */
  splitClaims: z.boolean().default(false),
  /** The delay of `slow` responses. */
  delayMs: z.number().int().default(2000),
  /** The provider's clock in epoch seconds, for tested services with a moved clock. */
  now: z.number().int().optional(),
});

export type Scenario = z.input<typeof scenarioSchema>;

/** One request that the token endpoint received for a code. */
export type TokenCall = {
  issuer: string;
  contentType: string | null;
  clientAuth: 'basic' | 'post' | 'none';
  clientId: string | null;
  clientSecret: string | null;
  grantType: string | null;
  redirectUri: string | null;
  hasCodeVerifier: boolean;
  /** Null when no challenge is known for the code. */
  pkceValid: boolean | null;
};

export type CodeReport = {
  tokenCalls: TokenCall[];
  userinfoCalls: number;
  /** Visits to the address to which `redirect` responses point. */
  internalVisits: number;
  /** Bytes of `huge` responses handed to sockets; those buffer some, so a reader received fewer. */
  hugeBytes: number;
};

/** The number of reads of a document under one issuer; `internal` is where `/redirect` sends its discovery. */
export type IssuerVisits = { discovery: number; jwks: number; internal: number };

/** Requests a code from the lying provider at `issuer`; with an `authorizeUrl` also the callback that carries it. */
export async function makeCode(
  issuer: string,
  scenario: Scenario = {},
): Promise<{ code: string; callbackUrl?: string }> {
  const response = await fetch(`${issuer}/control/code`, { method: 'POST', body: JSON.stringify(scenario) });
  if (!response.ok) throw new Error(`the scenario was refused: ${await response.text()}`);
  return (await response.json()) as { code: string; callbackUrl?: string };
}

/** Returns the lying provider's record of a code. */
export async function reportCode(issuer: string, code: string): Promise<CodeReport> {
  const response = await fetch(`${issuer}/control/calls?code=${encodeURIComponent(code)}`);
  return (await response.json()) as CodeReport;
}

/** Counts the reads of the lying provider's discovery document and key set under this issuer. */
export async function countVisits(issuer: string): Promise<IssuerVisits> {
  const response = await fetch(`${issuer}/control/visits`);
  return (await response.json()) as IssuerVisits;
}

/** Lets the oidc-provider server at `issuer` redirect to a callback whose port became known late. */
export async function registerRedirectUri(issuer: string, redirectUri: string): Promise<void> {
  const body = JSON.stringify({ redirectUri });
  const response = await fetch(`${issuer}/control/redirect-uri`, { method: 'POST', body });
  if (!response.ok) throw new Error(`the redirect URI was refused: ${await response.text()}`);
}

type Step = { url: URL; body?: URLSearchParams };

/** A login or consent page's form, filled in as a person would. */
function fillForm(page: string, base: URL, login: string): Step {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
  if (!action || !prompt) throw new Error(`no form on the page of ${base.pathname}: ${page.slice(0, 500)}`);
  const credentials = prompt === 'login' ? { login, password: 'any password' } : {};
  return { url: new URL(action, base), body: new URLSearchParams({ prompt, ...credentials }) };
}

/**
 * Signs in at the oidc-provider server as `login`, consents, and returns the callback URL that a browser would
 * open next, unvisited. Each call uses a separate browser.
 */
export async function driveLogin(authorizeUrl: string, login: string): Promise<string> {
  const jar = new CookieJar();
  const { origin } = new URL(authorizeUrl);
  let step: Step = { url: new URL(authorizeUrl) };
  for (let hop = 0; hop < 20; hop += 1) {
    const { url, body } = step;
    const headers = { cookie: await jar.getCookieString(url.href), accept: 'text/html' };
    const form = body ? { method: 'POST', body } : {};
    const response = await fetch(url, { headers, redirect: 'manual', ...form });
    for (const cookie of response.headers.getSetCookie()) await jar.setCookie(cookie, url.href);
    const page = await response.text();
    const location = response.headers.get('location');
    if (location === null && !response.ok)
      throw new Error(`${response.status} from ${url.pathname}: ${page.slice(0, 500)}`);
    step = location === null ? fillForm(page, url, login) : { url: new URL(location, url) };
    if (step.url.origin !== origin) return step.url.href;
  }
  throw new Error('the provider kept redirecting');
}
