import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { decidePopupRequest, type PopupRequest } from '../../features/popup/popup.ts';
import { readActor } from '../../features/session/require-session.ts';
import { readForm } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';
import { deriveKeys, macOf, verifyMac } from '../../lib/secret.ts';

/** Carries out what the person decided in the form of the popup's page. */
export async function decide(c: AppContext, deps: Deps, id: string): Promise<void> {
  const form = await readForm(c);
  const decision = form.get('decision');
  const digest = form.get('digest') ?? '';
  if (decision !== 'approved' && decision !== 'denied') {
    throw new AppError('validation_failed', ['decision must be approved or denied']);
  }
  const actor = await readActor(c, deps);
  if (actor === null && decision === 'approved') throw new AppError('unauthenticated');
  const sessionId = actor?.sessionId ?? null;
  const wasShown = verifyMac(keysOf(deps), shownText(id, digest, sessionId), form.get('token') ?? '');
  if (decision === 'approved' && !wasShown) throw new AppError('popup_altered');
  await decidePopupRequest(deps, { id, decision, digest, sessionId });
}

/**
 * Proof that our page showed this request to this session: a form made elsewhere, or for somebody else, approves
 * nothing.
 */
export function decisionToken(deps: Deps, { id, digest }: PopupRequest, sessionId: string): string {
  return macOf(keysOf(deps)[0], shownText(id, digest, sessionId));
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'popup-decision');
}

function shownText(id: string, digest: string, sessionId: string | null): string {
  return `${id} ${digest} ${sessionId ?? ''}`;
}
