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
export type Refusal = ProofRefusal | { readonly error: 'invalid_token'; readonly description: string };

/**
 * Verifies that the sender of an access token has its key (RFC 9449 section 7). A bound token needs the scheme DPoP and
 * a proof, any other the scheme Bearer. The caller is counted between this and `spendProof`, so that a rejected proof
 * uses up nobody's limit, and a limit bounds what is stored.
 */
export async function verifyPossession(
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

/** @throws AppError unauthenticated if the proof has been used before */
export async function spendProof(c: AppContext, deps: Deps, { once }: Proof): Promise<void> {
  if ((await first(deps.db, useOnce(once, c.get('requestId')))) !== null) return;
  throw refusePossession(c, { error: 'invalid_dpop_proof', description: 'the proof was used before' });
}

/** Sends the reason to the caller (RFC 9449 section 7.1). */
export function refusePossession(c: AppContext, { error, description }: Refusal): AppError {
  const algs = proofAlgs.join(' ');
  c.header('WWW-Authenticate', `DPoP error="${error}", error_description="${description}", algs="${algs}"`);
  return new AppError('unauthenticated', null, { oauth: error, reason: `${error}: ${description}` });
}
