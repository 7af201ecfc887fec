import { only, run, type Statement, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import type { ClientInfo } from '../../../http/context.ts';
import { createId } from '../../../lib/id.ts';
import { recipientOf } from '../../../lib/origin.ts';
import { secretHash } from '../../../lib/secret.ts';
import { wasShown } from '../../../lib/shown.ts';
import { mayAsk } from '../../app/scopes.ts';
import { keepDocument } from '../../app/statements.ts';
import { ownAudience } from '../../grant/app-token.ts';
import { hasRoomFor, upsertGrant } from '../../grant/statements.ts';
import { actingHandle } from '../../session/acting-session.ts';
import { codeOf } from '../app-session-secret.ts';
import { readHint } from '../id-token-hint.ts';
import { checkParameters, parameter, type Refusal, stateOf } from './parameters.ts';
import { answerUrl } from './redirect-uri.ts';
import { type AuthorizeState, clientIn, readState, stateStatement, type Visitor } from './state.ts';
import { insertCode } from './statements.ts';
import { errorStep, nextStep, type Step, shown, staleRefusal } from './step.ts';
import { createWaitingRequest, type WaitingRequest } from './waiting-request.ts';

/** A request that has passed its checks, or the reason why it was rejected and how the app is notified. */
export type Taken =
  | { readonly request: WaitingRequest; readonly state: AuthorizeState }
  | { readonly request: null; readonly refusal: Refusal; readonly step: Step };

/**
 * Handles an authorization request as sent by the app (RFC 6749 section 4.1.1). Nothing is sent to the redirect URI
 * before it is verified to be the app's.
 * @throws AppError validation_failed, app_not_found, client_document_invalid, app_suspended, redirect_uri_unknown,
 *   rate_limited: for a page
 */
export async function takeRequest(deps: Deps, sent: URLSearchParams, visitor: Visitor): Promise<Taken> {
  const query = withoutOwnResource(deps, sent);
  const asked = clientOf(query);
  const resource = parameter(query, 'resource');
  const state = await readState(deps, { ...asked, resource }, visitor);
  const client = clientIn(deps, state, asked.redirectUri);
  const refused = (refusal: Refusal): Taken => {
    const step = errorStep(deps, { to: client.to, state: stateOf(query) }, refusal);
    return { request: null, refusal, step };
  };
  const parameters = checkParameters(query, client);
  if ('error' in parameters) return refused(parameters);
  const { idTokenHint, named, ...rest } = parameters;
  const hint = idTokenHint === null ? null : await readHint(deps, idTokenHint, state.now);
  const hinted = hint?.appId === asked.clientId ? hint.handle : null;
  if (idTokenHint !== null && hinted === null && parameters.prompts.none) {
    return refused({ error: 'login_required', description: 'id_token_hint is not a token of ours' });
  }
  const about = { ...rest, ...asked, hinted: named ?? hinted, appName: client.name };
  return { request: createWaitingRequest(deps, about, state.now), state };
}

/**
 * Returns the next step of a request that has just arrived, or whose person has signed in, chosen a PID or renewed the
 * session.
 * @throws AppError those of `takeRequest`: the app may have changed since
 */
export async function proceed(deps: Deps, request: WaitingRequest, state: AuthorizeState): Promise<Step> {
  const step = nextStep(deps, request, state);
  return step === 'issue' ? issueCode(deps, request, { state, consent: null }) : step;
}

/** The person's decision on our page, with the page's proof. */
export interface Decision {
  readonly decision: 'allow' | 'deny';
  readonly proof: string;
  /** The client of the decision, for the email about a new grant. */
  readonly client: ClientInfo;
}

/**
 * @throws AppError those of `takeRequest`; authorize_altered unless our page has shown this request to this session;
 *   too_many_clients, authorize_gone
 */
export async function settle(
  deps: Deps,
  request: WaitingRequest,
  state: AuthorizeState,
  { decision, proof, client }: Decision,
): Promise<Step> {
  const asking = clientIn(deps, state, request.redirectUri);
  if (decision === 'deny') {
    const denied = { error: 'access_denied', description: 'the person has refused' } as const;
    return errorStep(deps, { to: asking.to, state: request.state }, denied);
  }
  const refused = staleRefusal(deps, request, asking);
  if (refused !== null) return refused;
  if (state.row.handle === null) return { next: 'sign_in', isNew: false, isNewcomer: false };
  if (!wasShown(deps.config.secretKeys, shown(request, asking, state.sessionId), proof)) {
    throw new AppError('authorize_altered');
  }
  return issueCode(deps, request, { state, consent: client });
}

/** Naming this service, as its metadata does (RFC 9728), is the same as naming no resource. */
function withoutOwnResource({ config }: Deps, sent: URLSearchParams): URLSearchParams {
  if (parameter(sent, 'resource') !== ownAudience(config)) return sent;
  return new URLSearchParams([...sent].filter(([name]) => name !== 'resource'));
}

/** `client_id` and `redirect_uri`, which determine whether a redirect is possible at all. */
function clientOf(query: URLSearchParams): { clientId: string; redirectUri: string } {
  const [clientId, redirectUri] = (['client_id', 'redirect_uri'] as const).map((name) =>
    query.getAll(name).length > 1 ? null : parameter(query, name),
  );
  const problems = [
    ...(clientId ? [] : ['client_id must be given once']),
    ...(redirectUri ? [] : ['redirect_uri must be given once']),
  ];
  if (!clientId || !redirectUri) throw new AppError('validation_failed', problems);
  return { clientId, redirectUri };
}

interface Issuing {
  readonly state: AuthorizeState;
  /** The client with which the person has just allowed the scopes; without consent the grant must cover them. */
  readonly consent: ClientInfo | null;
}

/**
 * Issues a code in one batch: the grant, the code, or the reason why there is none. If the grant or session has just
 * been revoked, the result is the missing step.
 * @throws AppError authorize_gone if this request's code has been used or has expired
 */
export async function issueCode(
  deps: Deps,
  request: WaitingRequest,
  { state, consent }: Issuing,
): Promise<Step> {
  const { clientId: appId } = request;
  const { sessionId, now } = state;
  const { handle } = state.row;
  const code = handle === null ? request.code : codeOf(deps, request.code, { appId, handle });
  const codeHash = secretHash(code);
  const {
    issued: [issued],
    rows,
  } = await run(deps.db, {
    change: [
      ...(await grantStatements(deps, request, { state, consent })),
      insertCode(deps, { request, sessionId, codeHash, now }),
    ],
    issued: statement<{
      handle: string;
    }>(sql`SELECT handle FROM app_sessions WHERE id = ${request.appSessionId}
      AND code_hash = ${codeHash} AND session_id = ${sessionId} AND used_by IS NULL AND code_until > ${now}`),
    rows: stateStatement(deps, request, state, now),
  });
  const after = { ...state, row: only(rows) };
  if (issued === undefined) {
    const step = nextStep(deps, request, after);
    if (step === 'issue' || (consent && step.next === 'consent')) throw new AppError('authorize_gone');
    return step;
  }
  deps.log.info('oauth.authorized', { app: appId, handle: issued.handle, sid: request.appSessionId });
  const { to } = clientIn(deps, after, request.redirectUri);
  const answer = { state: request.state, issuer: deps.config.origin };
  return { next: 'answer', url: answerUrl(to, answer, { code }) };
}

async function grantStatements(
  deps: Deps,
  request: WaitingRequest,
  { state, consent: client }: Issuing,
): Promise<Statement[]> {
  const { sessionId, now } = state;
  if (client === null || sessionId === null) return [];
  const { clientId, redirectUri, scopes } = request;
  const { name, resource } = clientIn(deps, state, redirectUri);
  const { document } = state;
  const hasRoom = hasRoomFor(clientId, actingHandle(sessionId, now), now);
  const grant = await upsertGrant(deps, {
    id: createId('grt', now, deps.randomBytes),
    app: { id: clientId, name },
    resource: resource === 'foreign' ? request.resource : null,
    host: recipientOf(redirectUri),
    when: sql`${mayAsk(deps, clientId, scopes)} AND ${hasRoom}`,
    ...{ sessionId, scopes, client, now },
  });
  return document === null
    ? grant
    : [keepDocument({ document, redirectUri, sessionId, when: hasRoom, now }), ...grant];
}
