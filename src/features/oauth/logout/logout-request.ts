import { only, run, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { present, stringList } from '../../../lib/present.ts';
import { withQuery } from '../../../lib/with-query.ts';
import { type AppDoubt, appDoubt, shownName } from '../../popup/app-doubt.ts';
import { actingHandle } from '../../session/acting-session.ts';
import { readHint } from '../id-token-hint.ts';

/** The parameters of a logout request that its form and its redirect repeat. */
export const logoutParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;

/** The maximum length of `state`, as of an authorization request. */
const mostCharacters = 1500;

/** A logout request, compared with the browser's session. */
export interface LogoutRequest {
  /** The session that ends; null if nobody is signed in. */
  readonly sessionId: string | null;
  readonly handle: string | null;
  /** The app's name, if the request comes from an active app. */
  readonly app: string | null;
  /** True if the hint is for a sign-in from this session under a live grant, so that the person need not be asked. */
  readonly fits: boolean;
  /** The registered address to return to, with `state`; null if there is none, or the app did not prove itself. */
  readonly returnTo: string | null;
  /** True if the request has an address that it may not return to. */
  readonly isStrayed: boolean;
}

interface LogoutRow {
  name: string | null;
  doubt: AppDoubt;
  uris: string | null;
  handle: string | null;
  fits: number;
}

/**
 * Reads a logout request of an app (OpenID Connect RP-Initiated Logout 1.0 section 2). `client_id` and `id_token_hint`
 * must be of the same active app, and the address one that it registered, byte for byte: otherwise nothing leads away
 * from our pages. A hint of any age counts, whoever it is about; it fits only the session from which its sign-in came, and only while the grant is live.
 */
export async function readLogoutRequest(
  deps: Deps,
  query: URLSearchParams,
  sessionId: string | null,
): Promise<LogoutRequest> {
  const now = deps.now();
  const given = (name: string) => single(query, name);
  const [token, clientId, uri] = [
    given('id_token_hint'),
    given('client_id'),
    given('post_logout_redirect_uri'),
  ];
  const hint = token === null ? null : await readHint(deps, token, now);
  const isForeign =
    (token !== null && hint === null) || (hint && clientId !== null && hint.appId !== clientId);
  const appId = isForeign ? null : (hint?.appId ?? clientId);
  const { rows } = await run(deps.db, {
    rows: statement<LogoutRow>(sql`SELECT a.name, ${appDoubt(now)} AS doubt, a.post_logout_redirect_uris AS uris,
        ${actingHandle(sessionId, now)} AS handle,
        EXISTS (SELECT 1 FROM app_sessions p JOIN live_grants g ON g.id = p.grant_id AND g.live_until > ${now}
          WHERE p.id = ${hint?.sid ?? null} AND p.session_id = ${sessionId}
          AND p.app_id = a.id AND p.handle = ${hint?.handle ?? null}) AS fits
      FROM settings x LEFT JOIN apps a ON a.id = ${appId} AND a.status = 'active' WHERE x.id = 1`),
  });
  const { name, doubt, uris, handle, fits } = only(rows);
  const isRegistered = uri !== null && stringList(uris ?? '[]').includes(uri);
  return {
    sessionId: handle === null ? null : sessionId,
    handle,
    app: name === null ? null : shownName({ id: present(appId, 'the id of a named app'), name, doubt }),
    fits: Boolean(fits),
    returnTo: isRegistered ? withQuery(uri, { state: stateIn(query) }) : null,
    isStrayed: uri !== null && !isRegistered,
  };
}

/** The parameters of a logout request that were given once. */
export function repeated(query: URLSearchParams): [name: string, value: string][] {
  return logoutParameters.flatMap((name): [string, string][] => {
    const value = single(query, name);
    return value === null ? [] : [[name, value]];
  });
}

function single(query: URLSearchParams, name: string): string | null {
  const [value, ...others] = query.getAll(name).filter(Boolean);
  return others.length === 0 ? (value ?? null) : null;
}

function stateIn(query: URLSearchParams): string | null {
  const state = single(query, 'state');
  return state !== null && state.length <= mostCharacters && /^[\x20-\x7e]*$/.test(state) ? state : null;
}
