import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { challenge, headerToken, usesDpop } from '../../http/bearer.ts';
import { type AppContext, headerOf } from '../../http/context.ts';
import type { Actor } from '../../http/endpoint.ts';
import { limitAnonymous } from '../../http/rate-limit.ts';
import { memoize } from '../../lib/memoize.ts';
import { recipientOf } from '../../lib/origin.ts';
import { stringList } from '../../lib/present.ts';
import { member } from '../session/require-session.ts';
import type { Caller } from './acting-caller.ts';
import { type AppClaims, verifyAppToken } from './app-token.ts';

/**
 * A caller that acts for a person: the person on a page of ours or a first-party origin; the page of a first-party app with that
 * person signed in (`X-App-Id`), within the grant; or an app with an access token (`Authorization`), with which cookies
 * are ignored. An app needs the endpoint's `scope`. A token is trusted for its lifetime: any endpoint that changes
 * something puts `actingCaller` into its statement.
 */
export const caller: Actor<Caller> = {
  ...member,
  takesTokens: true,
  guard(deps, limit, scope) {
    const identify = callerOrApp.guard(deps, limit, scope);
    return async function requireCaller(c) {
      const { handle, ...facts } = await identify(c);
      if (handle === null)
        throw new AppError('origin_not_allowed', null, { reason: 'an app without a person' });
      return { handle, ...facts };
    };
  },
};

/** The same, but an app's page needs no grant, because it can request the person's approval. */
export const callerOrAsker: Actor<Caller> = {
  ...caller,
  guard(deps, limit, scope) {
    const requireCaller = caller.guard(deps, limit, scope);
    const requireMember = member.guard(deps, null);
    return async function requireCallerOrAsker(c) {
      const appId = c.get('app');
      if (appId === undefined || headerToken(c) !== null) return requireCaller(c);
      const { handle, sessionId } = await requireMember(c);
      const isFirstParty = c.get('isFirstPartyApp');
      const by = isFirstParty ? 'page' : 'asker';
      const host = isFirstParty ? {} : { host: recipientOf(headerOf(c, 'Origin')) };
      // The limit headers for this caller reveal nothing about the person's activity elsewhere.
      await limit?.(c, by === 'page' ? `identity ${handle}` : `asker ${handle} ${appId}`);
      return { by, handle, sessionId, appId, grantId: null, scopes: [], ...host };
    };
  },
};

/** Like `caller`, but also accepts an app that acts for itself (`client_credentials`): its `handle` is null. */
export const callerOrApp: Actor<Caller<string | null>> = {
  ...member,
  takesTokens: true,
  guard(deps, limit, scope) {
    const requireMember = member.guard(deps, limit);
    const requireToken = tokenGuard(deps, scope);
    return async function requireCallerOrApp(c) {
      const token = headerToken(c);
      if (token === null) {
        const { handle, sessionId } = await requireMember(c).catch((error: unknown) => {
          // Without a token and a session, an app learns how to get a token.
          if (error instanceof AppError && error.status === 401) challenge(c, deps, { scope });
          throw error;
        });
        return present(c, deps, { handle, sessionId }, scope);
      }
      const { claims, spendProof } = await requireToken(c, token);
      const { appId, handle, sessionId, grantId, scopes } = claims;
      await limit?.(c, handle === null ? `app ${appId}` : `person ${appId} ${handle}`);
      await spendProof?.();
      requireScope(c, deps, scopes, scope);
      return { by: 'token', handle, sessionId, appId, grantId, scopes };
    };
  },
};

/** Loaded by the first caller whose token is bound to a key. */
const possession = memoize(() => import('../dpop/require-possession.ts'));

/** A verified token. If it is bound to a key, `spendProof` consumes the proof of the key. */
interface Presented {
  readonly claims: AppClaims;
  readonly spendProof?: () => Promise<void>;
}

function tokenGuard(
  deps: Deps,
  scope: string | undefined,
): (c: AppContext, token: string) => Promise<Presented> {
  const countAnonymous = limitAnonymous(deps);
  return async function requireToken(c, token) {
    const claims = await verifyAppToken(deps, token, deps.now());
    if (claims === null) {
      await countAnonymous(c, null);
      challenge(c, deps, { error: 'invalid_token', scope });
      throw new AppError('unauthenticated');
    }
    const { jkt } = claims;
    if (jkt === null && !usesDpop(c)) return { claims };
    const { requirePossession } = await possession();
    return { claims, spendProof: await requirePossession(c, deps, { token, jkt }, countAnonymous) };
  };
}

/** The person on a page. A page of a first-party app may act only within its grant. */
async function present(
  c: AppContext,
  deps: Deps,
  person: { readonly handle: string; readonly sessionId: string },
  scope: string | undefined,
): Promise<Caller> {
  const appId = c.get('app');
  if (appId === undefined) return { by: 'person', ...person, appId: null, grantId: null, scopes: null };
  if (!c.get('isFirstPartyApp')) throw new AppError('origin_not_first_party');
  const grant = await first(
    deps.db,
    statement<{ id: string; scopes: string }>(sql`SELECT id, scopes FROM live_grants
      WHERE app_id = ${appId} AND handle = ${person.handle} AND live_until > ${deps.now()}`),
  );
  if (grant === null) throw new AppError('origin_not_allowed', null, { reason: 'an app without a grant' });
  const scopes = stringList(grant.scopes);
  requireScope(c, deps, scopes, scope);
  return { by: 'page', ...person, appId, grantId: grant.id, scopes };
}

function requireScope(c: AppContext, deps: Deps, scopes: readonly string[], scope: string | undefined): void {
  if (scope === undefined || scopes.includes(scope)) return;
  challenge(c, deps, { error: 'insufficient_scope', scope });
  throw new AppError('missing_scope', `Missing scope ${scope}`);
}
