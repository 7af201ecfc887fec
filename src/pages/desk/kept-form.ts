import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { deskPath } from '../../lib/page-paths.ts';
import { decrypt, deriveKeys, encrypt } from '../../lib/secret.ts';
import { refusalOf, refused } from '../member/form.tsx';
import type { Member, Refusal } from '../member/member.tsx';
import { errorText } from '../shared/error-text.ts';

const cookieName = 'pid_desk_form';
const maxAgeSeconds = 15 * 60;
/** A browser keeps cookies of up to 4,096 bytes. */
const maxLength = 2_600;

const keysOf = ({ config }: Deps) => deriveKeys(config.secretKeys, 'desk-form');

/**
 * Keeps the entry of a form at `path` in the browser while its sender signs in again. The cookie is encrypted, so no
 * other site can fill in a form. The forms of the admin desk have no secrets.
 */
export async function keepForm(
  c: AppContext,
  deps: Deps,
  path: string,
  form: URLSearchParams,
): Promise<void> {
  const entry = form.toString();
  if (entry.length > maxLength) return;
  setCookie(c, deps, await encrypt(keysOf(deps), entry, path, deps.randomBytes), maxAgeSeconds);
}

/** Returns the kept entry of a form at `path` once; undefined if there is none. */
export async function takeForm({ c, deps }: Member, path: string): Promise<URLSearchParams | undefined> {
  const [kept] = cookieValues(c.req.header('Cookie'), cookieName);
  if (kept === undefined || kept === '') return undefined;
  const entry = await decrypt(keysOf(deps), kept, path);
  if (entry === null) return undefined;
  setCookie(c, deps, '', 0);
  return new URLSearchParams(entry);
}

function setCookie(c: AppContext, { config }: Deps, value: string, seconds: number): void {
  const cookie = { name: cookieName, value, path: deskPath, httpOnly: true, secure: config.production };
  c.header('Set-Cookie', serializeCookie({ ...cookie, maxAgeSeconds: seconds }), { append: true });
}

/** `refusedAt` for a form at the desk, whose entry is kept if a recent sign-in is missing. */
export function refusedAtDesk(pathOf: (member: Member) => string) {
  return async (member: Member, error: unknown, form: URLSearchParams): Promise<Refusal> => {
    const path = pathOf(member);
    if (error instanceof AppError && error.code === 'not_fresh')
      await keepForm(member.c, member.deps, path, form);
    // On other pages a 404 means that a listed item is gone; here the ID was typed.
    if (error instanceof AppError && error.status === 404)
      return { ...refused(member, error), problem: errorText(error, member.locale) };
    return refusalOf(member, error, path);
  };
}
