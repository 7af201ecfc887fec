import { only, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { createId } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import { mayAsk } from '../app/scopes.ts';
import { upsertGrant } from '../grant/statements.ts';
import { codeOf } from './app-session-secret.ts';
import { type AuthorizeState, clientIn, stateStatement } from './authorize-state.ts';
import { nextStep, type Step } from './authorize-step.ts';
import { answerUrl } from './redirect-uri.ts';
import { insertCode } from './statements.ts';
import type { WaitingRequest } from './waiting-request.ts';

interface Issuing {
  readonly state: AuthorizeState;
  /** Who has just allowed the scopes; without a consent the grant must cover them. */
  readonly consent: ClientInfo | null;
}

/**
 * Issues a code in one batch: the grant, the code, and what explains why there is none. A grant or session that has just ended
 * leads to the step that is missing.
 * @throws AppError authorize_gone when the code of this request has been used, or its minute is over
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
  const { to } = clientIn(after, request.redirectUri);
  const answer = { state: request.state, issuer: deps.config.origin };
  return { next: 'answer', url: answerUrl(to, answer, { code }) };
}

async function grantStatements(
  deps: Deps,
  request: WaitingRequest,
  { state, consent: client }: Issuing,
): Promise<Statement[]> {
  const { sessionId, now, row } = state;
  if (client === null || sessionId === null) return [];
  const { clientId, scopes } = request;
  return upsertGrant(deps, {
    id: createId('grt', now, deps.randomBytes),
    app: { id: clientId, name: row.name ?? '' },
    resource: clientIn(state, request.redirectUri).resource === 'foreign' ? request.resource : null,
    when: mayAsk(deps, clientId, scopes),
    ...{ sessionId, scopes, client, now },
  });
}
