import { only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { parseScopes } from '../../lib/scopes.ts';
import { askableScopes, needsCheck } from '../app/scopes.ts';
import { ownAudience } from '../grant/app-token.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import { isClient } from './client.ts';
import { answerWith } from './issue-tokens.ts';
import { refuse } from './refuse.ts';
import type { TokenAnswer, TokenInput } from './schema.ts';
import type { TokenRequest } from './token-request.ts';

/** What an app may do for itself, if it is registered with it. Its own events need no scope. */
const ownScopes = ['fiat:read'];

/**
 * An access token of the app itself (RFC 6749 section 4.4), for its own events and records.
 * @throws AppError unauthorized_client for an app that cannot keep a secret, invalid_client, invalid_scope, invalid_target
 */
export async function issueOwnToken(
  deps: Deps,
  { client, input }: TokenRequest<Pick<TokenInput, 'scope' | 'resource'>>,
): Promise<TokenAnswer> {
  const now = deps.now();
  if (client.secretHash === null) throw refuse('unauthorized_client', 'no secret');
  const sign = await requireSigner(deps, now);
  const { apps } = await run(deps.db, {
    apps: statement<{
      known: number;
      registered: string;
      askable: string;
    }>(sql`SELECT ${isClient(client, now)} AS known,
      coalesce(a.scopes, '[]') AS registered, coalesce(${askableScopes(deps.config)}, '[]') AS askable
      FROM settings x LEFT JOIN apps a ON a.id = ${client.id} WHERE x.id = 1`),
  });
  const { known, registered, askable } = only(apps);
  if (!known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  const ownIn = (list: string) => ownScopes.filter((scope) => JSON.parse(list).includes(scope));
  const [allowed, all] = [ownIn(askable), ownIn(registered)];
  const scopes = parseScopes(input.scope) ?? allowed;
  if (scopes.some((scope) => !all.includes(scope))) throw refuse('invalid_scope');
  if (scopes.some((scope) => !allowed.includes(scope))) throw new AppError('invalid_scope', needsCheck);
  if (input.resource !== undefined) throw refuse('invalid_target');
  const audience = ownAudience(deps.config);
  const expiresAt = now + deps.config.ACCESS_TTL_SECONDS * 1000;
  const nobody = { handle: null, grantId: null, sessionId: null, actor: null };
  return answerWith(deps, sign, { appId: client.id, ...nobody, scopes, audience, expiresAt }, now);
}
