import { sql } from 'drizzle-orm';
import { type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { copyToJournal } from '../identity/journal.ts';
import { createRefreshToken } from '../session/refresh-token.ts';
import { issueTokens } from '../session/session.ts';
import type { SignInContext, SignInOutcome } from '../sign-in/context.ts';
import { answerPopup, type ProvenCredential, refusedSignIn, signInStatements } from '../sign-in/sign-in.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import { type ClaimBatch, type ClaimRow, claimStatements, claimVerdictAt, freeHandles } from './claim.ts';
import { handleFrom, handleSkeleton, suggestHandles } from './handle.ts';

/** The last two of eight are random, so the second round is for what does not happen twice. */
const candidates = 8;
export const rounds = 2;

/**
 * The sign-in of interface revision `direct`: who is new gets an identity at once, under the first free handle
 * derived from the provider account. Sign-in and claim run in one batch, joined by a ticket that nobody sees; an
 * address that belongs to somebody else refuses nothing and is not kept.
 * @throws AppError identity_suspended, identity_closed, password_refused, passkey_refused
 * @throws AppError unavailable when no handle was free twice
 */
export async function signInDirectly(
  deps: Deps,
  credential: ProvenCredential,
  context: SignInContext,
): Promise<SignInOutcome> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const id = createId('ses', now, deps.randomBytes);
  const refresh = createRefreshToken(deps, id, context.scope);
  const ticketHash = secretHash(createSecret(deps.randomBytes));
  const ids = { now, id, tokenHash: refresh.hash, ticketHash };
  for (let round = 1; round <= rounds; round += 1) {
    const entering = signInStatements(deps, credential, context, { ...ids, refusesTakenEmail: false });
    const results = await deps.db.batch([
      ...entering,
      ...claimFirstFree(deps, credential, context, ids),
      ...answerPopup(context, id, now),
    ]);
    const [known] = results[2];
    const row =
      known?.verdict === 'claim_required'
        ? (results[entering.length + claimVerdictAt] as ClaimRow[])[0]
        : known;
    if (!row) throw new Error('the sign-in batch answered no verdict');
    const { requestId } = context.client;
    deps.log.info('sign_in', {
      requestId,
      provider: credential.provider,
      verdict: row.verdict,
      handle: row.handle,
    });
    if (row.verdict === 'claimed') {
      const { handle } = row;
      copyToJournal(deps, { event: 'issued', handle, skeleton: handleSkeleton(handle), at: now });
    }
    switch (row.verdict) {
      case 'signed_in':
      case 'claimed':
      case 'done':
        return { type: 'signed_in', tokens: await issueTokens(deps, sign, row, refresh.token, now) };
      case 'identity_suspended':
      case 'identity_closed':
      case 'proof_stale':
      case 'counter_regressed':
        throw refusedSignIn(row.verdict, credential);
      default:
    }
  }
  throw new AppError('unavailable', null, { reason: 'no handle was free', retryAfterSeconds: 1 });
}

/** What names one try to enter, made once per request and kept for its repeats. */
export interface DirectIds {
  readonly now: number;
  readonly id: string;
  readonly tokenHash: string;
  readonly ticketHash: string;
}

/** Claims the ticket that the statements before it have just made, if they made one. */
export function claimFirstFree(
  deps: Deps,
  credential: Pick<ProvenCredential, 'shownEmail' | 'displayName'>,
  context: SignInContext,
  ids: DirectIds,
): ClaimBatch {
  const { shownEmail: email, displayName } = credential;
  const handles = suggestHandles(handleFrom({ email, displayName }) ?? '', deps.randomBytes, candidates);
  return claimStatements(deps, context, {
    ...ids,
    credentialId: createId('crd', ids.now, deps.randomBytes),
    displayName,
    decide: decideFirstFree(ids, handles),
    // Somebody else's address is left out, here as in the table of addresses.
    email: sql`(SELECT e.email FROM emails e WHERE e.email = t.email AND e.handle = a.handle)`,
  });
}

/** No ticket, no verdict: who was known has signed in. One whose credential came meanwhile has, too. */
function decideFirstFree({ id, ticketHash }: DirectIds, handles: string[]): Statement {
  return statement(sql`INSERT INTO decisions (id, verdict, handle, skeleton)
    SELECT ${id}, CASE
      WHEN t.consumed_by = ${id} THEN 'done'
      WHEN t.consumed_by IS NOT NULL OR c.id IS NOT NULL THEN 'ticket_gone'
      WHEN k.handle IS NULL THEN 'handle_taken'
      -- A password's address is its name, so it cannot be left out.
      WHEN t.provider = 'email' AND EXISTS (SELECT 1 FROM emails WHERE email = t.email) THEN 'email_conflict'
      ELSE 'claimed' END, k.handle, k.skeleton
    FROM claim_tickets t
      LEFT JOIN credentials c ON c.provider = t.provider AND c.provider_user_id = t.provider_user_id
      LEFT JOIN (${freeHandles(handles)} LIMIT 1) k ON 1
    WHERE t.hash = ${ticketHash}`);
}
