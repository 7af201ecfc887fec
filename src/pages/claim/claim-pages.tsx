import type { Hono, MiddlewareHandler } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { checkHandle, claim, dropTicket, previewClaim } from '../../features/claim/claim.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { readReturnTo } from '../../features/idp/return-to.ts';
import { type PopupRequest, viewPopupRequest } from '../../features/popup/popup.ts';
import { setSessionCookies } from '../../features/session/cookies.ts';
import { readActor } from '../../features/session/require-session.ts';
import { signInContext } from '../../features/sign-in/context.ts';
import { clearClaimCookie, readClaimCookie } from '../../features/sign-in/cookies.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, type AppEnv, isNavigation, localeOf } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { pidOf } from '../../lib/id.ts';
import { claimPath, signInPath } from '../../lib/page-paths.ts';
import { successUrl } from '../../lib/success-url.ts';
import { withQuery } from '../../lib/with-query.ts';
import { commonTexts } from '../../ui/messages.ts';
import { forNavigations, type PageOptions, redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { fill } from '../../ui/view.ts';
import { claimTexts } from '../messages/claim.ts';
import { claimScript } from '../scripts/claim.ts';
import { copyScript } from '../scripts/copy.ts';
import { pageEndpoints } from '../shared/endpoints.ts';
import { credentialName } from '../shared/names.ts';
import { popupUrl } from '../shared/paths.ts';
import { placeOf, waitingRequestOf } from '../shared/place.ts';
import { markPopup, renderInPopup } from '../shared/popup-frame.tsx';
import { ClaimCard, ClaimedCard, SureCard } from './claim-card.tsx';
import {
  type ClaimEntry,
  type ClaimProblems,
  findProblems,
  isConfirmed,
  noProblems,
  readClaimForm,
  readPopup,
  readSuggestion,
  shownName,
} from './claim-form.ts';

/**
 * The claim screen. The ticket cookie has the path /v1/auth, so the page shares the API's path, where only browsers get
 * the page; `/claim` redirects there.
 */
export function claimPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();

  pages.get(claimPath, (c) => {
    const returnTo = readReturnTo(deps, c.req.query('returnTo'));
    return redirectKeepingView(c, deps, withQuery(claimEndpoints.previewClaim.path, { returnTo }));
  });

  pages.get(
    claimEndpoints.previewClaim.path,
    forNavigations(rateLimit(deps, claimEndpoints.previewClaim), (c) => showClaim(c, deps)),
  );

  pages.post(
    claimEndpoints.claim.path,
    formPosted(deps, claimEndpoints.claim, (c, form) => submitClaim(c, deps, form)),
  );

  /** "This is not me": discards the ticket and goes to the sign-in. */
  pages.post(
    pageEndpoints.leaveClaim.path,
    formPosted(deps, pageEndpoints.leaveClaim, async (c, form) => {
      const ticket = readClaimCookie(c, deps);
      if (ticket !== null) await dropTicket(deps, ticket);
      clearClaimCookie(c, deps);
      const { popup, returnTo } = readClaimForm(deps, form);
      return c.redirect(popup === null ? withQuery(signInPath, { returnTo }) : popupUrl('login', popup), 303);
    }),
  );

  pages.get(pageEndpoints.showClaimed.path, (c) => showClaimed(c, deps));

  return pages;
}

/** The page after the claim. Without a session there is nothing to show, so it redirects. */
async function showClaimed(c: AppContext, deps: Deps): Promise<Response> {
  const returnTo = readReturnTo(deps, c.req.query('returnTo'));
  const next = successUrl(deps.config, { isNew: false, returnTo });
  const actor = await readActor(c, deps);
  if (actor === null) return redirectKeepingView(c, deps, next);
  const pid = pidOf(actor.handle);
  const place = placeOf(deps, returnTo, await waitingRequestOf(c, deps, returnTo));
  const title = fill(claimTexts[localeOf(c)].doneTitle, { pid });
  const card = <ClaimedCard {...{ pid, name: actor.displayName, place, next }} />;
  return renderPage(c, deps, { title, script: copyScript }, card);
}

/** Reads the form before its limit, so that an error leads back to the page and keeps the origin of the claim. */
function formPosted(
  deps: Deps,
  endpoint: Endpoint,
  answer: (c: AppContext, form: URLSearchParams) => Promise<Response>,
): MiddlewareHandler<AppEnv> {
  const limit = rateLimit(deps, endpoint);
  return async function posted(c, next) {
    if (!isNavigation(c)) return next();
    const form = await readForm(c);
    const { popup, returnTo } = readClaimForm(deps, form);
    markPopup(c, popup);
    c.set('back', withQuery(claimEndpoints.previewClaim.path, { popup, returnTo }));
    c.set('returnTo', returnTo);
    await limit(c, async () => {
      c.res = await answer(c, form);
    });
  };
}

async function showClaim(c: AppContext, deps: Deps): Promise<Response> {
  markPopup(c, readPopup(c.req.query('popup')));
  const returnTo = readReturnTo(deps, c.req.query('returnTo'));
  c.set('returnTo', returnTo);
  const { suggestedHandle, displayName } = await previewClaim(deps, readClaimCookie(c, deps));
  const entry = {
    handle: suggestedHandle ?? '',
    displayName: displayName ?? '',
    confirmed: '',
    returnTo,
    popup: c.get('popup') ?? null,
  };
  const isFree = suggestedHandle !== null;
  return renderClaim(c, deps, { entry, problems: noProblems, suggestions: [], isFree, status: 200 });
}

async function submitClaim(c: AppContext, deps: Deps, form: URLSearchParams): Promise<Response> {
  const entry = readClaimForm(deps, form);
  const suggestion = readSuggestion(form);
  if (suggestion !== null) return showSuggestion(c, deps, { ...entry, handle: suggestion });
  const problems = findProblems(entry);
  if (problems !== null) {
    c.header('X-Error-Code', 'validation_failed');
    return renderClaim(c, deps, { entry, problems, suggestions: [], status: 400 });
  }
  const ticket = readClaimCookie(c, deps);
  if (!isConfirmed(entry)) return askIfSure(c, deps, entry);
  const context = signInContext(c, deps, entry.popup);
  try {
    const input = { ticket, handle: entry.handle, displayName: shownName(entry) };
    setSessionCookies(c, deps, await claim(deps, input, context), deps.now());
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return renderRefusal(c, deps, entry, error);
    throw error;
  }
  clearClaimCookie(c, deps);
  if (entry.popup !== null) return c.redirect(popupUrl('done', entry.popup), 303);
  return c.redirect(withQuery(pageEndpoints.showClaimed.path, { returnTo: entry.returnTo }), 303);
}

/** Fills in a suggested handle, for pages without script. */
async function showSuggestion(c: AppContext, deps: Deps, entry: ClaimEntry): Promise<Response> {
  const { available, suggestions } = await checkHandle(deps, readClaimCookie(c, deps), entry.handle);
  const problems = available ? noProblems : { ...noProblems, handle: ['PID already taken'] };
  return renderClaim(c, deps, { entry, problems, suggestions, isFree: available, status: 200 });
}

/** Asks whether to claim an available handle, for pages without script. */
async function askIfSure(c: AppContext, deps: Deps, entry: ClaimEntry): Promise<Response> {
  const { available } = await checkHandle(deps, readClaimCookie(c, deps), entry.handle);
  if (!available) return renderRefusal(c, deps, entry, new AppError('handle_taken'));
  const request = entry.popup === null ? null : await viewPopupRequest(deps, entry.popup);
  const title = fill(claimTexts[localeOf(c)].sure, { pid: pidOf(entry.handle.toLowerCase()) });
  return render(c, deps, { title, status: 200, entry, request }, <SureCard {...{ entry, request }} />);
}

/** The ticket survives a claim rejected for its handle or address, so the person can choose again. */
async function renderRefusal(c: AppContext, deps: Deps, entry: ClaimEntry, error: AppError) {
  c.header('X-Error-Code', error.code);
  if (error.code !== 'handle_taken') {
    const problems = { ...noProblems, general: [error.message] };
    return renderClaim(c, deps, { entry, problems, suggestions: [], status: 409 });
  }
  const { suggestions } = await checkHandle(deps, readClaimCookie(c, deps), entry.handle);
  const problems = { ...noProblems, handle: [error.message] };
  return renderClaim(c, deps, { entry, problems, suggestions, status: 409 });
}

interface ClaimView {
  readonly entry: ClaimEntry;
  readonly problems: ClaimProblems;
  readonly suggestions: readonly string[];
  readonly isFree?: boolean;
  readonly status: 200 | 400 | 409;
}

async function renderClaim(c: AppContext, deps: Deps, { status, ...view }: ClaimView): Promise<Response> {
  const preview = await previewClaim(deps, readClaimCookie(c, deps));
  const locale = localeOf(c);
  const title =
    status === 200 ? claimTexts[locale].title : `${commonTexts[locale].error}: ${claimTexts[locale].title}`;
  const { popup } = view.entry;
  const request = popup === null ? null : await viewPopupRequest(deps, popup);
  const providerName = credentialName(deps, locale, preview.provider);
  const card = <ClaimCard {...{ ...view, preview, providerName, request }} />;
  return render(c, deps, { title, status, script: claimScript, entry: view.entry, request }, card);
}

interface Rendered extends Pick<PageOptions, 'title' | 'status' | 'script'> {
  readonly entry: ClaimEntry;
  readonly request: PopupRequest | null;
}

/** In another language the page starts over, because it was the response to a form. */
function render(c: AppContext, deps: Deps, { entry, request, ...page }: Rendered, card: Child) {
  const { returnTo, popup } = entry;
  const options = { ...page, here: withQuery(claimEndpoints.previewClaim.path, { popup, returnTo }) };
  if (request === null) return renderPage(c, deps, options, card);
  const { id, origin, secondsLeft } = request;
  const frame = { popup: id, phase: 'claim', origin, secondsLeft } as const;
  return renderInPopup(c, deps, { ...options, frame }, card);
}
