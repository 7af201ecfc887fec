import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { requireNotSuspended } from '../../features/identity/identity.ts';
import { setOauthCookie } from '../../features/idp/cookie.ts';
import { startLink } from '../../features/idp/idp.ts';
import { listProviders } from '../../features/idp/list.ts';
import { personTag } from '../../features/oauth/app-session-secret.ts';
import { popupEndpoints } from '../../features/popup/endpoints.ts';
import { type HandOver, handOver } from '../../features/popup/hand-over.ts';
import { type PopupRequest, viewPopupRequest } from '../../features/popup/popup.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { readActor } from '../../features/session/require-session.ts';
import { readLastWay } from '../../features/sign-in/cookies.ts';
import { type AppContext, type AppEnv, localeOf } from '../../http/context.ts';
import { requireOwnOrigin } from '../../http/origin.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { rejectSpeculation } from '../../http/speculation.ts';
import type { ProviderId } from '../../lib/credential-kinds.ts';
import { isPopupId, pidOf } from '../../lib/id.ts';
import { pause } from '../../lib/pause.ts';
import { withQuery } from '../../lib/with-query.ts';
import { type PageOptions, redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { readEmail } from '../email/entry.ts';
import type { Shown } from '../email/views.tsx';
import { popupTexts } from '../messages/popup.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { leadToRenewal } from '../shared/lead-on.tsx';
import { popupUrl } from '../shared/paths.ts';
import { markPopup, type Phase, renderInPopup } from '../shared/popup-frame.tsx';
import { renewalOf } from '../shared/renewal.ts';
import { ChoiceCard, ContinueCard, EndCard, NoRequestCard, StartCard, titleOf, WaitCard } from './cards.tsx';
import { decide, decisionToken } from './decision.ts';

/** The server first waits for the request: eight lookups in two seconds. */
const maxLookups = 8;
const lookupIntervalMs = 250;
/** Without script, the page then reloads until ten seconds have passed. */
const maxVisits = 3;

type Answer = Response | Promise<Response>;

/** The login popup: the sign-in, its outcome, and the claim in between. */
export function popupPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const limitLogin = rateLimit(deps, popupEndpoints.showPopup);
  const limitDone = rateLimit(deps, popupEndpoints.finishPopup);
  const limitDecision = rateLimit(deps, popupEndpoints.decidePopup);

  pages.get(popupEndpoints.showPopup.path, rejectSpeculation(), inPopup, limitLogin, (c) =>
    showLogin(c, deps),
  );

  /** The claim page is under the path of the ticket's cookie. */
  pages.get(popupEndpoints.showPopupClaim.path, (c) => redirectKeepingView(c, deps, claimUrl(c)));

  /** Every path through the popup ends here. If the request is still open, the popup returns to the sign-in. */
  pages.get(popupEndpoints.finishPopup.path, rejectSpeculation(), inPopup, limitDone, async (c) => {
    const id = c.req.query('c');
    const request = isPopupId(id) ? await viewPopupRequest(deps, id) : null;
    if (request === null) return showNoRequest(c, deps);
    return isOpen(request) ? c.redirect(popupUrl(request.kind, request.id)) : showEnd(c, deps, request);
  });

  /** Continues with the current session, or cancels. */
  pages.post(popupEndpoints.decidePopup.path, requireOwnOrigin(deps), inPopup, limitDecision, async (c) => {
    const id = c.req.param('id');
    await decide(c, deps, id);
    return c.redirect(popupUrl('done', id), 303);
  });

  return pages;
}

/** Runs before the limiter, so that the limiter's error page stays in the popup too. */
export function inPopup(c: AppContext, next: () => Promise<void>): Promise<void> {
  const id = c.req.param('id') ?? c.req.query('c');
  markPopup(c, isPopupId(id) ? id : null);
  return next();
}

function claimUrl(c: AppContext): string {
  const popup = c.req.query('c');
  return withQuery(claimEndpoints.previewClaim.path, { popup: isPopupId(popup) ? popup : null });
}

async function showLogin(c: AppContext, deps: Deps): Promise<Response> {
  const id = c.req.query('c');
  if (!isPopupId(id)) return showNoRequest(c, deps);
  const request = await awaitRequest(c, () => viewPopupRequest(deps, id));
  if (request === null) return showWait(c, deps, id);
  if (!isOpen(request)) return showEnd(c, deps, request);
  if (request.kind === 'approval') return redirectKeepingView(c, deps, popupUrl('approval', id));
  if (request.prompt !== null || c.req.query('other') !== undefined) return showChoice(c, deps, request);
  const actor = await readActor(c, deps);
  if (actor === null) {
    const renewal = renewalOf(c, deps);
    return renewal === null ? showChoice(c, deps, request) : leadToRenewal(c, deps, renewal);
  }
  await requireNotSuspended(deps, actor.handle);
  if (request.link === null) return showContinue(c, deps, request, actor);
  const link = actor.handle === request.handle ? await beginLink(deps, request, actor.sessionId) : null;
  return link === null ? showChoice(c, deps, request) : showStart(c, deps, request, link);
}

export function isOpen({ status }: PopupRequest): boolean {
  return status === 'opened' || status === 'created';
}

/** The window opens before its request is registered, because popup blockers allow it only during the click. */
export async function awaitRequest<Request>(
  c: AppContext,
  open: () => Promise<Request | null>,
): Promise<Request | null> {
  for (let lookups = 0; ; lookups += 1) {
    const request = await open();
    if (request !== null || lookups === maxLookups || c.req.raw.signal.aborted) return request;
    await pause(lookupIntervalMs, c.req.raw.signal);
  }
}

export function showWait(c: AppContext, deps: Deps, popup: string): Answer {
  const visit = Number(c.req.query('visit') ?? '1');
  if (!(visit < maxVisits)) return showNoRequest(c, deps);
  const next = withQuery(c.req.path, { ...c.req.query(), visit: String(visit + 1) });
  const { waiting: title, noRequest, noRequestText } = popupTexts[localeOf(c)];
  const frame = { popup, phase: 'wait', late: { title: noRequest, text: noRequestText } } as const;
  const withoutScript = { seconds: 2, url: next };
  return renderInPopup(c, deps, { title, frame, withoutScript }, <WaitCard />);
}

export function showNoRequest(c: AppContext, deps: Deps): Answer {
  c.header('X-Error-Code', 'popup_not_found');
  const title = popupTexts[localeOf(c)].noRequest;
  return renderPage(c, deps, { title, status: 404 }, <NoRequestCard />);
}

/** The sign-in methods again, after a wrong password in a popup. */
export async function showPopupAgain(c: AppContext, deps: Deps, id: string, shown: Shown): Promise<Response> {
  const request = await viewPopupRequest(deps, id);
  if (request === null) return showNoRequest(c, deps);
  return isOpen(request) ? showChoice(c, deps, request, shown) : showEnd(c, deps, request);
}

export function showChoice(c: AppContext, deps: Deps, request: PopupRequest, shown?: Shown): Answer {
  const { title } = signInTexts[localeOf(c)];
  const providers = listProviders(deps).data.filter(({ configured }) => configured);
  const { email = readEmail(c.req.query('email')), problems = {}, status = 200 } = shown ?? {};
  const page = popupUrl(request.kind, request.id);
  const here = shown === undefined ? {} : { here: withQuery(page, { email }) };
  const view = { title, status, phase: 'choose', script: passkeyScript, ...here } as const;
  const card = <ChoiceCard {...{ request, providers, email, problems, lastUsed: readLastWay(c) }} />;
  return render(c, deps, request, view, card);
}

function showContinue(c: AppContext, deps: Deps, request: PopupRequest, actor: AccessClaims): Answer {
  const { title } = signInTexts[localeOf(c)];
  const pid = pidOf(actor.handle);
  const token = decisionToken(deps, request, actor.sessionId);
  return render(c, deps, request, { title, phase: 'choose' }, <ContinueCard {...{ request, pid, token }} />);
}

interface StartedLink {
  readonly provider: { readonly id: ProviderId; readonly name: string };
  readonly sealed: string;
  readonly url: string;
}

/** Does the same as `beginLink`. Null if the person first has to sign in again. */
async function beginLink(deps: Deps, { link }: PopupRequest, sessionId: string): Promise<StartedLink | null> {
  const provider = listProviders(deps).data.find(({ id }) => id === link);
  if (!provider) throw new AppError('provider_not_configured');
  const { id, name } = provider;
  try {
    const started = await startLink(deps, { provider: id, sessionId, returnTo: null, page: null });
    return { ...started, provider: { id, name: name ?? id } };
  } catch (error) {
    if (error instanceof AppError && ['not_fresh', 'unauthenticated'].includes(error.code)) return null;
    throw error;
  }
}

function showStart(c: AppContext, deps: Deps, request: PopupRequest, link: StartedLink): Answer {
  const { provider, sealed, url } = link;
  setOauthCookie(c, deps, sealed);
  const href = `${url}&popup=${request.id}`;
  const title = popupTexts[localeOf(c)].linkTitle;
  const view = { title, phase: 'start', withoutScript: { seconds: 0, url: href } } as const;
  return render(c, deps, request, view, <StartCard {...{ request, provider, href }} />);
}

/** The outcome. For an app that requested tokens, the page passes on the result that redeems them. */
export async function showEnd(c: AppContext, deps: Deps, request: PopupRequest): Promise<Response> {
  const title = titleOf(localeOf(c), request);
  const { appId } = request;
  const isForTokens = request.scopes !== null && request.status === 'approved';
  const actor = isForTokens ? await readActor(c, deps) : null;
  const handedOver =
    actor && appId !== null
      ? await handOver(deps, {
          id: request.id,
          sessionId: actor.sessionId,
          person: personTag(deps, appId, actor.handle),
        })
      : null;
  const url = handedOver?.returnUrl ?? null;
  const view = {
    title,
    phase: 'done',
    handedOver,
    ...(url !== null && { withoutScript: { seconds: 0, url } }),
  } as const;
  return render(c, deps, request, view, <EndCard request={request} />);
}

interface View extends Pick<PageOptions, 'title' | 'status' | 'here' | 'script' | 'withoutScript'> {
  readonly phase: Phase;
  readonly handedOver?: HandOver | null;
}

function render(
  c: AppContext,
  deps: Deps,
  { id, origin, secondsLeft }: PopupRequest,
  { phase, handedOver = null, ...options }: View,
  card: Child,
): Answer {
  return renderInPopup(
    c,
    deps,
    { ...options, frame: { popup: id, phase, origin, secondsLeft, handedOver } },
    card,
  );
}
