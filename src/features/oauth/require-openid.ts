import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { challenge, headerToken, usesDpop } from '../../http/bearer.ts';
import type { AppContext } from '../../http/context.ts';
import { type AppClaims, verifyAppToken } from '../grant/app-token.ts';
import { refuse } from './refuse.ts';

/**
 * A caller's token: in the header or in the form, not both (RFC 6750 section 2), and never in the query.
 * @param posted `access_token` of a form
 */
export function presentedToken(c: AppContext, posted: unknown): string | null {
  const inHeader = headerToken(c);
  const inForm = typeof posted === 'string' ? posted : null;
  if (inHeader !== null && inForm !== null) {
    throw new AppError('validation_failed', ['access_token must be presented in one way only']);
  }
  return inHeader ?? inForm;
}

/** The claims of a person's token with the scope `openid`. @throws AppError invalid_token, missing_scope, unauthenticated */
export async function requireOpenid(c: AppContext, deps: Deps, posted?: string): Promise<AppClaims> {
  const token = presentedToken(c, posted);
  const claims = token === null ? null : await verifyAppToken(deps, token, deps.now());
  if (token === null || claims === null || claims.handle === null) {
    challenge(c, deps, { ...(token !== null && { error: 'invalid_token' }), scope: 'openid' });
    throw refuse('invalid_token');
  }
  const { jkt } = claims;
  if (jkt !== null || usesDpop(c)) {
    const { requirePossession } = await import('../dpop/require-possession.ts');
    await (await requirePossession(c, deps, { token, jkt }))();
  }
  if (claims.scopes.includes('openid')) return claims;
  challenge(c, deps, { error: 'insufficient_scope', scope: 'openid' });
  throw new AppError('missing_scope', 'Missing scope openid', { oauth: 'insufficient_scope' });
}
