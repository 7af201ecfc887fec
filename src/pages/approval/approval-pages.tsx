import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { type ApprovalScreen, viewApproval } from '../../features/approval/approval.ts';
import { topUpFor } from '../../features/deposit/checkout.ts';
import { listProviders } from '../../features/idp/list.ts';
import { popupEndpoints } from '../../features/popup/endpoints.ts';
import { sessionEndpoints } from '../../features/session/endpoints.ts';
import { readActor } from '../../features/session/require-session.ts';
import { type AppContext, type AppEnv, isNavigation, localeOf } from '../../http/context.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { rejectSpeculation } from '../../http/speculation.ts';
import { isPopupId } from '../../lib/id.ts';
import { withQuery } from '../../lib/with-query.ts';
import { approvalTexts } from '../messages/popup.ts';
import { decisionToken } from '../popup/decision.ts';
import {
  awaitRequest,
  inPopup,
  isOpen,
  showChoice,
  showEnd,
  showNoRequest,
  showWait,
} from '../popup/popup-pages.tsx';
import { approvalScript } from '../scripts/approval.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { leadToRenewal } from '../shared/lead-on.tsx';
import { popupUrl } from '../shared/paths.ts';
import { renderInPopup } from '../shared/popup-frame.tsx';
import { ApprovalCard, CannotPayCard, OtherPersonCard, StepUpCard } from './cards.tsx';

/** The approval popup, which shares its decision and its last page with all popups. */
export function approvalPages(deps: Deps): Hono<AppEnv> {
  const { showApproval } = popupEndpoints;
  return new Routes().get(
    showApproval.path,
    rejectSpeculation(),
    inPopup,
    rateLimit(deps, showApproval),
    (c) => show(c, deps),
  );
}

async function show(c: AppContext, deps: Deps): Promise<Response> {
  const id = c.req.query('c');
  if (!isPopupId(id)) return showNoRequest(c, deps);
  const actor = await readActor(c, deps);
  const sessionId = actor?.sessionId ?? null;
  const screen = await awaitRequest(c, () => viewApproval(deps, id, sessionId));
  if (screen === null) return showWait(c, deps, id);
  if (!isOpen(screen.request)) return showEnd(c, deps, screen.request);
  const wantsOther = c.req.query('other') !== undefined;
  if (screen.acting !== null && !wantsOther)
    return render(c, deps, screen, await cardOf(deps, screen, sessionId));
  // The opener may have renewed the session while this page was open.
  const mayRenew = isNavigation(c) && !wantsOther && c.req.query('signed_out') === undefined;
  return mayRenew ? renew(c, deps, id) : showChoice(c, deps, screen.request);
}

function renew(c: AppContext, deps: Deps, id: string): Response | Promise<Response> {
  const returnTo = `${deps.config.origin}${popupUrl('approval', id)}`;
  return leadToRenewal(c, deps, withQuery(sessionEndpoints.continueSession.path, { returnTo }));
}

async function cardOf(deps: Deps, screen: ApprovalScreen, sessionId: string | null): Promise<Child> {
  const { request, terms, acting, available, blocked, needsStepUp } = screen;
  if (acting !== request.handle) return <OtherPersonCard screen={screen} />;
  const missing = terms.totalDebit - available;
  if (blocked !== null) return <CannotPayCard screen={screen} topUp={null} />;
  if (missing > 0) return <CannotPayCard screen={screen} topUp={await topUpFor(deps, missing)} />;
  if (!needsStepUp) return <ApprovalCard screen={screen} token={decisionToken(deps, request, sessionId)} />;
  const providers = listProviders(deps).data.filter(({ configured }) => configured);
  return <StepUpCard {...{ screen, providers }} />;
}

function render(c: AppContext, deps: Deps, { request, needsStepUp }: ApprovalScreen, card: Child) {
  const { id: popup, origin, secondsLeft } = request;
  const { title } = approvalTexts[localeOf(c)];
  const script = `${approvalScript}${needsStepUp ? passkeyScript : ''}`;
  const frame = { popup, phase: 'choose', origin, secondsLeft } as const;
  return renderInPopup(c, deps, { title, frame, script }, card);
}
