import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { type CredentialKind, credentialKinds } from '../../lib/credential-kinds.ts';

/** Names the kind of credential that signed in last in this browser. The script of passkeys writes it too. */
export const lastWayCookie = 'pid_way';

const maxAgeSeconds = 31_536_000;

export function rememberWay(c: AppContext, deps: Deps, kind: CredentialKind): void {
  const secure = deps.config.production;
  const cookie = { name: lastWayCookie, value: kind, path: '/', maxAgeSeconds, httpOnly: false, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}

/** The way to recommend on the sign-in page, or null. Nothing else depends on it. */
export function readLastWay(c: AppContext): CredentialKind | null {
  const [value] = cookieValues(c.req.header('Cookie'), lastWayCookie);
  return credentialKinds.find((kind) => kind === value) ?? null;
}
