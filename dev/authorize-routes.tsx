import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import { readForm } from '../src/http/body.ts';
import type { AppContext, AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { cookieValues, serializeCookie } from '../src/lib/cookie.ts';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from '../src/lib/encoding.ts';
import { parseInput } from '../src/pages/shared/form.ts';
import { clientOrigin, renderPage } from '../src/ui/page.tsx';
import type { SandboxInstance } from './instance.ts';
import { ayu, demoPeople, personFor, type SandboxPerson } from './people.ts';
import { HopCard, PickerCard } from './picker.tsx';
import {
  type AuthorizeRequest,
  callbackFor,
  issueCode,
  type PersonClaims,
  parseAuthorizeRequest,
} from './provider.ts';
import { type PickerForm, pickerForm, type RecentPeople, recentPeople } from './schema.ts';

const peopleCookie = 'pid_sandbox_people';
const monthSeconds = 2_592_000;

/** Every origin on this machine, for `form-action`. */
export const thisMachine = ['http://localhost:*', 'http://*.localhost:*', 'http://127.0.0.1:*'];

/**
 * The sign-in page of every sandbox provider. Without a browser, a sign-in takes three requests that share their
 * cookies (for `google` and `github`, replace `idp` with that name):
 * 1. `GET /v1/auth/idp` returns 302 to `/dev/idp/authorize?…`.
 * 2. `POST` to that address, form-encoded: `user=ayu` (an id from `demoPeople`), or `name` and `email` for a new
 * person; the same email is always the same person. Returns 303 to the callback.
 * 3. `GET` the callback.
 *
 * Options, each set by `1`: `deny` (access_denied), `error` (the token endpoint returns 500), `unverified` (the address
 * is not verified), `conflict` (Ayu's address under another subject), `coop` (an extra page that severs the opener and
 * links to the callback). `slow` is the token endpoint's delay in seconds.
 */
export function sandboxAuthorizeRoutes(deps: Deps, instance: SandboxInstance): Hono<AppEnv> {
  const routes = new Routes();
  const { authorizePath, name } = instance;

  routes.get(authorizePath, (c) => {
    const query = new URL(c.req.url).searchParams;
    parseAuthorizeRequest(deps, instance, query);
    // The form's redirects end at the client, which may be on any origin of this machine.
    const page = { title: name, developer: true, formTargets: [clientOrigin(deps), ...thisMachine] };
    const picker = { provider: { name, action: authorizePath }, request: query.toString() };
    return renderPage(c, deps, page, <PickerCard {...picker} recent={readRecent(c)} />);
  });

  routes.post(authorizePath, async (c) => {
    const posted = await readForm(c);
    const query = new URLSearchParams(posted.get('request') ?? new URL(c.req.url).search);
    const request = parseAuthorizeRequest(deps, instance, query);
    const form = parseInput(pickerForm, Object.fromEntries(posted));
    return answer(c, deps, { instance, request, form });
  });

  return routes;
}

async function answer(
  c: AppContext,
  deps: Deps,
  { instance, request, form }: { instance: SandboxInstance; request: AuthorizeRequest; form: PickerForm },
) {
  if (form.deny) return c.redirect(callbackFor(instance, request, { error: 'access_denied' }), 303);
  const recent = readRecent(c);
  const person = findPerson(form, recent);
  const fault = { slowSeconds: form.slow, fails: form.error };
  const code = await issueCode(deps, instance, request, { claims: claimsOf(person, form), fault });
  const callback = callbackFor(instance, request, { code });
  if (!demoPeople.includes(person)) keepRecent(c, deps, person, recent);
  if (!form.coop) return c.redirect(callback, 303);
  // Some providers sever a popup from its opener; this page imitates them. No other page sets this policy.
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  const page = { title: instance.name, developer: true, continueTo: callback };
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
    path: '/dev',
    maxAgeSeconds: monthSeconds,
    httpOnly: true,
    secure: deps.config.production,
  };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}
