import { first } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { usesDpop } from '../../http/bearer.ts';
import type { AppContext } from '../../http/context.ts';
import { useOnce } from '../idp/consume-once.ts';
import { currentNonce } from './nonce.ts';
import { type Proof, type ProofRefusal, verifyProof } from './proof.ts';
import { proofAlgs } from './public-key.ts';

/** An access token in a request, and the thumbprint of the key to which it is bound. */
interface BoundToken {
  readonly token: string;
  readonly jkt: string | null;
}

/** The reason why a caller may not use a token. */
type Refusal = ProofRefusal | { readonly error: 'invalid_token'; readonly description: string };

/**
 * Requires that the sender of an access token has its key (RFC 9449 section 7). A bound token needs the scheme DPoP and
 * a proof, any other the scheme Bearer.
 * @param onRefused counts a rejected caller, so that it does not use up anyone else's limit
 * @returns a function that consumes the proof, to be called after the caller's limit, which bounds what is stored
 * @throws AppError unauthenticated, as does that function
 */
export async function requirePossession(
  c: AppContext,
  deps: Deps,
  bound: BoundToken,
  onRefused?: (c: AppContext, own: null) => Promise<void>,
): Promise<() => Promise<void>> {
  const proof = await verifyPossession(c, deps, bound);
  if ('error' in proof) {
    await onRefused?.(c, null);
    throw refuse(c, proof);
  }
  return async () => {
    if ((await first(deps.db, useOnce(proof.once, c.get('requestId')))) !== null) return;
    throw refuse(c, { error: 'invalid_dpop_proof', description: 'the proof was used before' });
  };
}

async function verifyPossession(
  c: AppContext,
  deps: Deps,
  { token, jkt }: BoundToken,
): Promise<Proof | Refusal> {
  if (!usesDpop(c) || jkt === null)
    return { error: 'invalid_token', description: 'a token that is bound to a key needs the scheme DPoP' };
  c.header('DPoP-Nonce', currentNonce(deps, deps.now()));
  const { method, url } = c.req;
  const proof = await verifyProof(deps, {
    ...{ method, url, needsNonce: false },
    header: c.req.header('DPoP'),
    accessToken: token,
  });
  if ('error' in proof || proof.jkt === jkt) return proof;
  return { error: 'invalid_token', description: 'the token is bound to another key' };
}

/** Sends the reason to the caller (RFC 9449 section 7.1). */
function refuse(c: AppContext, { error, description }: Refusal): AppError {
  const algs = proofAlgs.join(' ');
  c.header('WWW-Authenticate', `DPoP error="${error}", error_description="${description}", algs="${algs}"`);
  return new AppError('unauthenticated', null, { oauth: error, reason: `${error}: ${description}` });
}
