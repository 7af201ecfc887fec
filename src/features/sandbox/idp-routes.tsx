import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { fromBase64, fromBase64url, fromUtf8, toBase64url, utf8 } from '../../lib/encoding.ts';
import { sendJson } from '../../middleware/answer.ts';
import { readForm, validationError } from '../../middleware/body.ts';
import type { AppContext, AppEnv } from '../../middleware/context.ts';
import { HopCard, PickerCard } from '../../pages/dev/picker.tsx';
import { clientOrigin, renderPage } from '../../pages/page.tsx';
import { ayu, demoPeople, personFor, type SandboxPerson } from './people.ts';
import {
  type AuthorizeRequest,
  callbackFor,
  exchangeCode,
  faultOf,
  issueCode,
  type PersonClaims,
  parseAuthorizeRequest,
  readUserinfo,
  sandboxClient,
  sandboxIssuer,
} from './provider.ts';
import { providerKey } from './provider-key.ts';
import { type PickerForm, pickerForm, type RecentPeople, recentPeople } from './schema.ts';

const peopleCookie = 'pid_sandbox_people';
const monthSeconds = 2_592_000;

/**
 * The sandbox identity provider: a small OpenID Connect provider under `/dev/idp`, so that development needs no
 * account anywhere. The service talks to it through the adapter it uses for every other provider.
 *
 * Without a browser a sign-in is three requests, and their cookies:
 * 1. `GET /v1/auth/idp` answers 302 to `/dev/idp/authorize?…`.
 * 2. `POST` to that same address, form-encoded: `user=ayu` (an id of `demoPeople`), or `name` and `email` for
 *    somebody new; the same email is the same person. Answers 303 to the callback.
 * 3. `GET` the callback.
 *
 * Knobs, each `1`: `deny` (access_denied), `error` (the token endpoint answers 500), `unverified` (the address
 * is not verified), `conflict` (Ayu's address under another subject), `coop` (a page in between that cuts the
 * opener off; its link leads to the callback). `slow` is a number of seconds before the token endpoint answers.
 */
export function sandboxIdpRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const issuer = sandboxIssuer(deps);

  /** OpenID Connect Discovery section 4. */
  routes.get('/dev/idp/.well-known/openid-configuration', (c) =>
    sendJson(c, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['EdDSA'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  );

  routes.get('/dev/idp/jwks', async (c) => sendJson(c, { keys: [(await providerKey(deps)).publicJwk] }));

  /** The user picker. */
  routes.get('/dev/idp/authorize', (c) => {
    const query = new URL(c.req.url).searchParams;
    parseAuthorizeRequest(deps, query);
    // The redirects behind this form end at the client, which may have another origin than we.
    const page = { title: 'Sandbox sign-in', developer: true, formTargets: [clientOrigin(deps)] };
    return renderPage(c, deps, page, <PickerCard request={query.toString()} recent={readRecent(c)} />);
  });

  /** What the person decided. */
  routes.post('/dev/idp/authorize', async (c) => {
    const posted = await readForm(c);
    const query = new URLSearchParams(posted.get('request') ?? new URL(c.req.url).search);
    const request = parseAuthorizeRequest(deps, query);
    const form = pickerForm.safeParse(Object.fromEntries(posted));
    if (!form.success) throw validationError(form.error.issues);
    return answer(c, deps, request, form.data);
  });

  routes.post('/dev/idp/token', async (c) => {
    if (!isClient(deps, c.req.header('Authorization'))) {
      c.header('WWW-Authenticate', 'Basic realm="sandbox"');
      return sendJson(c, { error: 'invalid_client' }, 401);
    }
    const form = await readForm(c);
    const code = form.get('code') ?? '';
    const fault = await faultOf(deps, code);
    await pause(fault.slowSeconds * 1000, c.req.raw.signal);
    if (fault.fails) return sendJson(c, { error: 'server_error' }, 500);
    const answer = await exchangeCode(deps, {
      grantType: form.get('grant_type'),
      code,
      verifier: form.get('code_verifier') ?? '',
      redirectUri: form.get('redirect_uri'),
    });
    return sendJson(c, answer, 'error' in answer ? 400 : 200);
  });

  routes.get('/dev/idp/userinfo', async (c) => {
    const [, token = ''] = /^Bearer (.+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
    const claims = await readUserinfo(deps, token);
    if (claims !== null) return sendJson(c, claims);
    c.header('WWW-Authenticate', 'Bearer error="invalid_token"');
    return sendJson(c, { error: 'invalid_token' }, 401);
  });

  return routes;
}

async function answer(c: AppContext, deps: Deps, request: AuthorizeRequest, form: PickerForm) {
  if (form.deny) return c.redirect(callbackFor(deps, request, { error: 'access_denied' }), 303);
  const recent = readRecent(c);
  const person = findPerson(form, recent);
  const fault = { slowSeconds: form.slow, fails: form.error };
  const code = await issueCode(deps, request, claimsOf(person, form), fault);
  const callback = callbackFor(deps, request, { code });
  if (!demoPeople.includes(person)) keepRecent(c, deps, person, recent);
  if (!form.coop) return c.redirect(callback, 303);
  // The one page that names the policy: as a provider that insists on it would, it cuts a popup from its opener.
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  const page = { title: 'Sandbox sign-in', developer: true, continueTo: callback };
  return renderPage(c, deps, page, <HopCard href={callback} />);
}

function findPerson(form: PickerForm, recent: RecentPeople): SandboxPerson {
  const demo = demoPeople.find((person) => person.id === form.user);
  if (demo) return demo;
  const known = recent.find((person) => person.email === form.user);
  if (form.user !== '' && !known) throw new AppError('validation_failed', ['user must be one of the picker']);
  const person = personFor(known?.name ?? form.name, known?.email ?? form.email);
  if (person === null) throw new AppError('validation_failed', ['email must be an email address']);
  return person;
}

function claimsOf(person: SandboxPerson, form: PickerForm): PersonClaims {
  const { subject, email, name, locale } = person;
  const shown = form.conflict ? { sub: `${subject}-conflict`, email: ayu.email } : { sub: subject, email };
  return { ...shown, email_verified: !form.unverified, name, locale };
}

/** HTTP Basic, where RFC 6749 section 2.3.1 wants both parts form-encoded before they are joined. */
function isClient(deps: Deps, authorization: string | undefined): boolean {
  const client = sandboxClient(deps);
  const [, credentials = ''] = /^Basic (.+)$/i.exec(authorization ?? '') ?? [];
  const [id = '', secret = ''] = fromUtf8(fromBase64(credentials) ?? utf8('')).split(':');
  const decode = (text: string) => new URLSearchParams(`v=${text}`).get('v');
  return client !== null && decode(id) === client.clientId && decode(secret) === client.clientSecret;
}

/** Waits, or stops waiting once the caller has given up. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

function readRecent(c: AppContext): RecentPeople {
  const [value = ''] = cookieValues(c.req.header('Cookie'), peopleCookie);
  try {
    return recentPeople.parse(JSON.parse(fromUtf8(fromBase64url(value) ?? utf8(''))));
  } catch {
    return [];
  }
}

function keepRecent(c: AppContext, deps: Deps, person: SandboxPerson, recent: RecentPeople): void {
  const others = recent.filter(({ email }) => email !== person.email);
  const people = [{ name: person.name, email: person.email }, ...others].slice(0, 5);
  const cookie = {
    name: peopleCookie,
    value: toBase64url(utf8(JSON.stringify(people))),
    path: '/dev/idp',
    maxAgeSeconds: monthSeconds,
    httpOnly: true,
    secure: deps.config.production,
  };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}
