import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { decideApproval } from '../../features/approval/approval.ts';
import { decidePopupRequest, type PopupRequest } from '../../features/popup/popup.ts';
import { readActor } from '../../features/session/require-session.ts';
import { readForm } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';
import { proofOfShown, type Shown, wasShown } from '../../lib/shown.ts';
import { textOf } from '../shared/form.ts';

/** Carries out a decision submitted with the popup page's form. */
export async function decide(c: AppContext, deps: Deps, id: string): Promise<void> {
  const form = await readForm(c);
  const decision = form.get('decision');
  const digest = textOf(form, 'digest');
  if (decision !== 'approved' && decision !== 'denied') {
    throw new AppError('validation_failed', ['decision must be approved or denied']);
  }
  const actor = await readActor(c, deps);
  if (actor === null && decision === 'approved') throw new AppError('unauthenticated');
  const sessionId = actor?.sessionId ?? null;
  const proof = textOf(form, 'token');
  const isProven = wasShown(deps.config.secretKeys, shown(id, digest, sessionId), proof);
  if (form.get('kind') === 'approval')
    return decideApproval(deps, { id, decision, digest, sessionId, isProven });
  if (decision === 'approved' && !isProven) throw new AppError('popup_altered');
  await decidePopupRequest(deps, { id, decision, digest, sessionId });
}

/** Proof that our page showed this request to this session. */
export function decisionToken(deps: Deps, { id, digest }: PopupRequest, sessionId: string | null): string {
  return proofOfShown(deps.config.secretKeys, shown(id, digest, sessionId));
}

function shown(id: string, digest: string, sessionId: string | null): Shown {
  return { decision: `popup ${id}`, digest, sessionId };
}
