import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { logoPath } from '../../../lib/page-paths.ts';
import { present, stringList } from '../../../lib/present.ts';
import { secretHash } from '../../../lib/secret.ts';
import { proofOfShown, type Shown } from '../../../lib/shown.ts';
import type { AppDoubt } from '../../popup/app-doubt.ts';
import { checkBinding, checkResource, checkScopes, type Refusal } from './parameters.ts';
import { answerUrl, hostOfRedirect, originOfRedirect, type RedirectUri } from './redirect-uri.ts';
import { type AuthorizeState, type Client, clientIn, type StateRow } from './state.ts';
import type { WaitingRequest } from './waiting-request.ts';

/** The browser's next step. */
export type Step =
  | { readonly next: 'answer'; readonly url: string }
  /** The session may only need a new access token. */
  | { readonly next: 'renew' }
  /** `isNew`: there is a session, but it is insufficient. `isNewcomer`: the app asks for a new account. */
  | { readonly next: 'sign_in'; readonly isNew: boolean; readonly isNewcomer: boolean }
  | { readonly next: 'consent'; readonly screen: ConsentScreen };

/** The question for the person. */
export interface ConsentScreen {
  readonly app: string;
  readonly homepage: string | null;
  readonly privacy: string | null;
  /** The path of the app's logo. */
  readonly logo: string | null;
  readonly doubt: AppDoubt;
  /** The self-declared name of an unregistered client. */
  readonly callsItself: string | null;
  /** The host that receives the response. */
  readonly origin: string;
  readonly host: string;
  readonly scopes: readonly string[];
  /** The origin of another service that the tokens are for. */
  readonly resource: string | null;
  readonly handle: string;
  /** Returned with the decision. */
  readonly proof: string;
}

/**
 * The next step of a request; `issue` if nothing is missing.
 * @throws AppError app_not_found, app_suspended, redirect_uri_unknown, too_many_clients
 */
export function nextStep(deps: Deps, request: WaitingRequest, state: AuthorizeState): Step | 'issue' {
  const client = clientIn(deps, state, request.redirectUri);
  const back = { to: client.to, state: request.state };
  return (
    staleRefusal(deps, request, client) ??
    signInStep(deps, request, state, back) ??
    consentStep(deps, request, state, client)
  );
}

/**
 * Rejects what the app may no longer request, because its developer may have changed it while the request was
 * waiting.
 */
export function staleRefusal(deps: Deps, request: WaitingRequest, client: Client): Step | null {
  const { scopes, resource, state } = request;
  const refusal =
    checkScopes(scopes, client, 'the app may no longer ask for this') ??
    checkBinding(request, client) ??
    checkResource(resource, client);
  return refusal && errorStep(deps, { to: client.to, state }, refusal);
}

type Back = { readonly to: RedirectUri; readonly state: string | null };

/** Returns the remaining step before the right person is recently signed in; null if there is none. */
function signInStep(deps: Deps, request: WaitingRequest, state: AuthorizeState, back: Back): Step | null {
  const { row, sessionId, renewable } = state;
  const { hinted, prompts } = request;
  const description = 'nobody is signed in as the app asks';
  // Without a grant the app learns nothing about its visitor, not even whether anyone is signed in: it could count the
  // redirects of a renewal.
  if (prompts.none && row.granted === null)
    return errorStep(deps, back, { error: 'login_required', description });
  const hasAcr = !request.needsPasskey || row.provider === 'passkey';
  const isSignedIn = sessionId !== null && row.handle !== null && !isTooOld(request, row);
  if (isSignedIn && hasAcr && (hinted === null || hinted === row.handle)) return null;
  if (renewable !== null) return { next: 'renew' };
  const unmet = {
    error: 'unmet_authentication_requirements',
    description: 'not signed in with a passkey',
  } as const;
  if (prompts.none)
    return errorStep(deps, back, isSignedIn && !hasAcr ? unmet : { error: 'login_required', description });
  // Otherwise a person who has just signed in for this request would have to sign in again and again.
  if (isSignedIn && isSince(request, row)) {
    const other = { error: 'login_required', description: 'somebody else has signed in' } as const;
    return errorStep(deps, back, hasAcr ? other : unmet);
  }
  return { next: 'sign_in', isNew: prompts.login || row.handle !== null, isNewcomer: prompts.create };
}

function consentStep(
  deps: Deps,
  request: WaitingRequest,
  { row, sessionId }: AuthorizeState,
  client: Client,
): Step | 'issue' {
  const { clientId, prompts, scopes, resource, redirectUri, state } = request;
  const granted = stringList(row.granted ?? '[]');
  const hasScopes = row.granted !== null && scopes.every((scope) => granted.includes(scope));
  const isCovered = hasScopes && row.covers_resource;
  if (isCovered && !prompts.consent) return 'issue';
  if (prompts.none) {
    const description = 'the person has not consented';
    return errorStep(deps, { to: client.to, state }, { error: 'consent_required', description });
  }
  if (!row.has_room) throw new AppError('too_many_clients');
  const screen = {
    app: client.name,
    homepage: client.homepage,
    privacy: client.privacy,
    logo: client.logo && logoPath(clientId, client.logo),
    doubt: client.doubt,
    callsItself: client.callsItself,
    origin: originOfRedirect(redirectUri),
    host: hostOfRedirect(redirectUri),
    scopes,
    resource: resource !== null && client.resource === 'foreign' ? new URL(resource).origin : null,
    handle: present(row.handle, 'the person who consents'),
    proof: proofOfShown(deps.config.secretKeys, shown(request, client, sessionId)),
  };
  return { next: 'consent', screen };
}

/** Returns whether the sign-in is older than the request allows. A sign-in made for the request is always recent enough. */
function isTooOld(request: WaitingRequest, row: StateRow): boolean {
  const { prompts, maxAge, askedAt } = request;
  if (isSince(request, row)) return false;
  return prompts.login || (maxAge !== null && row.authenticated_at + maxAge * 1000 <= askedAt);
}

function isSince({ askedAt }: WaitingRequest, row: StateRow): boolean {
  return row.authenticated_at > askedAt;
}

/** Returns everything that the page shows and the decision depends on, so that nothing can change between the two. */
export function shown(request: WaitingRequest, app: Client, sessionId: string | null): Shown {
  const { clientId, redirectUri, scopes, state, nonce, codeChallenge, dpopJkt, resource } = request;
  const asked = [
    clientId,
    app.name,
    app.callsItself,
    app.homepage,
    app.privacy,
    app.logo,
    redirectUri,
    scopes,
    state,
    nonce,
    codeChallenge,
    dpopJkt,
    resource,
    app.resource,
  ];
  return { decision: 'authorize', digest: secretHash(JSON.stringify(asked)), sessionId };
}

/** Sends an error to the app. */
export function errorStep(deps: Deps, { to, state }: Back, { error, description }: Refusal): Step {
  const answer = { error, error_description: description };
  return { next: 'answer', url: answerUrl(to, { state, issuer: deps.config.origin }, answer) };
}
