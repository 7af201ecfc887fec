import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import { memoize } from '../../lib/memoize.ts';
import { currentNonce } from './nonce.ts';
import { type ProofRefusal, verifyProof } from './proof.ts';

/** The key of a token request. */
export interface ProvenKey {
  /** The thumbprint. */
  readonly jkt: string;
  /** Consumes the proof for this request. Call it before a change. @throws AppError invalid_dpop_proof */
  spend(): Promise<void>;
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
  if ('error' in proof) throw refusalOf(proof);
  const spend = memoize(async () => {
    if (!(await proof.use()))
      throw refusalOf({ error: 'invalid_dpop_proof', description: 'it was used before' });
    return true;
  });
  return { jkt: proof.jkt, spend: async () => void (await spend()) };
}

function refusalOf({ error, description }: ProofRefusal): AppError {
  return new AppError(error, `The DPoP proof was not accepted: ${description}`);
}
