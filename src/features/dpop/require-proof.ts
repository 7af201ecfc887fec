import type { SQL, Statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import { isUsedBy, useOnce } from '../idp/consume-once.ts';
import { currentNonce } from './nonce.ts';
import { verifyProof } from './proof.ts';

/** The key of a token request. */
export interface ProvenKey {
  /** The thumbprint. */
  readonly jkt: string;
  /**
   * Consumes the proof, if the condition is true, so that a stranger's request leaves no row. It is the first statement
   * of the batch that changes something.
   */
  readonly use: (when: SQL) => Statement;
  /** A condition of every change: this request has consumed the proof. */
  readonly isUsed: SQL;
}

/**
 * The key whose proof a token request carries (RFC 9449 section 5), and the nonce for the next one.
 * @throws AppError invalid_dpop_proof, use_dpop_nonce
 */
export async function requireProof(c: AppContext, deps: Deps, needsNonce: boolean): Promise<ProvenKey> {
  c.header('DPoP-Nonce', currentNonce(deps, deps.now()));
  const { method, url } = c.req;
  const proof = await verifyProof(deps, {
    ...{ method, url, needsNonce },
    header: c.req.header('DPoP'),
    accessToken: null,
  });
  if ('error' in proof) {
    throw new AppError(proof.error, `The DPoP proof was not accepted: ${proof.description}`);
  }
  const { jkt, once } = proof;
  const requestId = c.get('requestId');
  return { jkt, use: (when) => useOnce(once, requestId, when), isUsed: isUsedBy(once, requestId) };
}
