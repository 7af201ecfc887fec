import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { claimFirstFree, rounds } from '../claim/direct.ts';
import { handleSkeleton } from '../claim/handle.ts';
import { copyToJournal } from '../identity/journal.ts';
import { createRefreshToken } from '../session/refresh-token.ts';
import { issueTokens } from '../session/session.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import { answerPopup } from '../sign-in/sign-in.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import { type CodeUse, codeTicketStatement, useCodeStatement, usedCodeStatement } from './code.ts';

/**
 * Proves the address of a registration in interface revision `direct`: the code and the claim of a handle derived
 * from the address run in one batch, joined by a ticket that nobody sees.
 * @throws AppError code_refused, also for an address that somebody else has proven meanwhile
 * @throws AppError unavailable when no handle was free twice
 */
export async function verifyDirectly(
  deps: Deps,
  use: CodeUse,
  code: string,
  context: SignInContext,
): Promise<SignInOutcome> {
  const { now, email } = use;
  const sign = await requireSigner(deps, now);
  const id = createId('ses', now, deps.randomBytes);
  const refresh = createRefreshToken(deps, id, context.scope);
  const ticketHash = secretHash(createSecret(deps.randomBytes));
  const ids = { now, id, tokenHash: refresh.hash, ticketHash };
  for (let round = 1; round <= rounds; round += 1) {
    const results = await deps.db.batch([
      useCodeStatement(deps, use, code),
      codeTicketStatement(use, ticketHash, deps.config.CLAIM_TTL_SECONDS * 1000),
      usedCodeStatement(use),
      ...claimFirstFree(deps, { shownEmail: email, displayName: null }, context, ids),
      ...answerPopup(context, id, now),
    ]);
    const row = results[2][0]?.correct ? results[12][0] : undefined;
    const verdict = row?.verdict ?? 'code_refused';
    const { requestId } = context.client;
    deps.log.info('sign_in', { requestId, provider: 'email', verdict, handle: row?.handle });
    if (row?.verdict === 'claimed') {
      const { handle } = row;
      copyToJournal(deps, { event: 'issued', handle, skeleton: handleSkeleton(handle), at: now });
    }
    if (row?.verdict === 'claimed' || row?.verdict === 'done') {
      return { type: 'signed_in', tokens: await issueTokens(deps, sign, row, refresh.token, now) };
    }
    if (row?.verdict !== 'handle_taken') throw new AppError('code_refused', null, { reason: verdict });
  }
  throw new AppError('unavailable', null, { reason: 'no handle was free', retryAfterSeconds: 1 });
}
