import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { attemptTtlSeconds } from '../../features/idp/attempt.ts';
import { oauthCookieName, setOauthCookie } from '../../features/idp/cookie.ts';
import { listProviders, startLink } from '../../features/idp/idp.ts';
import type { ProviderId } from '../../features/idp/schema.ts';
import { decidePopupRequest, openPopupRequest, type PopupRequest } from '../../features/popup/popup.ts';
import { readActor } from '../../features/session/require-session.ts';
import { readForm } from '../../http/body.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { requireOwnOrigin } from '../../http/origin.ts';
import { rateLimitByPopup } from '../../http/rate-limit.ts';
import { refuseSpeculation } from '../../http/speculation.ts';
import { isPopupId } from '../../lib/id.ts';
import { pause } from '../../lib/pause.ts';
import { deriveKeys, macOf, verifyMac } from '../../lib/secret.ts';
import { localeOf } from '../../ui/locale.ts';
import { redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { popupTexts } from '../messages/popup.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { passkeyScript } from '../scripts/passkey.ts';
import { withPopupScript } from '../scripts/popup.ts';
import { type Phase, PopupFrame } from '../shared/popup-frame.tsx';
import { ChoiceCard, ContinueCard, EndCard, NoRequestCard, StartCard, titleOf, WaitCard } from './cards.tsx';

/** A page waits for its request at the server first: eight looks in two seconds. */
const looks = 8;
const lookEveryMs = 250;
/** Without script the page then comes back, until ten seconds are over. */
const visits = 3;

/** The login popup: sign-in, what came of it, and the way to the claim in between. */
export function popupPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  pages.get('/popup/login', refuseSpeculation(), markPopup, rateLimitByPopup(deps, 'GET /popup/login'), (c) =>
    showLogin(c, deps),
  );

  /** The claim lives where its ticket's cookie is sent. */
  pages.get('/popup/claim', (c) => {
    const popup = c.req.query('c');
    return redirectKeepingView(c, deps, `/v1/auth/claim${isPopupId(popup) ? `?popup=${popup}` : ''}`);
  });

  /** The end of every way through the popup. Where nothing is decided yet, it was not the end. */
  pages.get(
    '/popup/done',
    refuseSpeculation(),
    markPopup,
    rateLimitByPopup(deps, 'GET /popup/done'),
    async (c) => {
      const request = await findRequest(c, deps);
      if (request === null) return showNoRequest(c, deps);
      return isOpen(request) ? c.redirect(`/popup/login?c=${request.id}`) : showEnd(c, deps, request);
    },
  );

  /** What the person decided about a sign-in for which nothing has to be proven again. */
  pages.post(
    '/popup/requests/:id/decision',
    requireOwnOrigin(deps),
    markPopup,
    rateLimitByPopup(deps, 'POST /popup/requests/:id/decision'),
    async (c) => {
      const form = await readForm(c);
      const [decision, digest = ''] = [form.get('decision'), form.get('digest') ?? ''];
      const id = c.req.param('id');
      if (decision !== 'approved' && decision !== 'denied') {
        throw new AppError('validation_failed', ['decision must be approved or denied']);
      }
      const actor = await readActor(c, deps);
      if (actor === null && decision === 'approved') throw new AppError('unauthenticated');
      const sessionId = actor?.sessionId ?? null;
      const keys = deriveKeys(deps.config.secretKeys, 'popup-decision');
      const wasShown = verifyMac(keys, shownText(id, digest, sessionId), form.get('token') ?? '');
      if (decision === 'approved' && !wasShown) throw new AppError('popup_altered');
      await decidePopupRequest(deps, { id, decision, digest, sessionId });
      return c.redirect(`/popup/done?c=${id}`, 303);
    },
  );

  return pages;
}

/** Lets an error's page know that it stands in a popup, also when there were too many requests. */
function markPopup(c: AppContext, next: () => Promise<void>): Promise<void> {
  const id = c.req.param('id') ?? c.req.query('c');
  if (isPopupId(id)) c.set('popup', id);
  return next();
}

async function showLogin(c: AppContext, deps: Deps): Promise<Response> {
  const id = c.req.query('c');
  if (!isPopupId(id)) return showNoRequest(c, deps);
  const request = await awaitRequest(c, deps, id);
  if (request === null) return showWait(c, deps, id);
  if (!isOpen(request)) return showEnd(c, deps, request);
  const actor = await readActor(c, deps);
  const locale = localeOf(c);
  const isOther = c.req.query('other') !== undefined;
  if (request.link !== null && actor !== null && actor.handle === request.handle && !isOther) {
    const link = await beginLink(deps, request, actor.sessionId);
    if (link !== null) return showStart(c, deps, request, link);
  }
  if (request.link === null && actor !== null && !isOther) {
    const pid = `${actor.handle}@pid`;
    const token = decisionToken(deps, id, request.digest, actor.sessionId);
    return render(
      c,
      deps,
      { title: signInTexts[locale].title, phase: 'choose', request },
      <ContinueCard {...{ request, pid, token }} />,
    );
  }
  const providers = listProviders(deps).data.filter(({ configured }) => configured);
  return render(
    c,
    deps,
    {
      title: signInTexts[locale].title,
      phase: 'choose',
      request,
      script: passkeyScript,
    },
    <ChoiceCard {...{ request, providers }} />,
  );
}

function isOpen({ status }: PopupRequest): boolean {
  return status === 'opened' || status === 'created';
}

async function findRequest(c: AppContext, deps: Deps): Promise<PopupRequest | null> {
  const id = c.req.query('c');
  return isPopupId(id) ? openPopupRequest(deps, id) : null;
}

/** The window opens before its request is registered, so that no browser takes it for an advertisement. */
async function awaitRequest(c: AppContext, deps: Deps, id: string): Promise<PopupRequest | null> {
  for (let look = 0; ; look += 1) {
    const request = await openPopupRequest(deps, id);
    if (request !== null || look === looks || c.req.raw.signal.aborted) return request;
    await pause(lookEveryMs, c.req.raw.signal);
  }
}

function showWait(c: AppContext, deps: Deps, id: string): Response | Promise<Response> {
  const visit = Number(c.req.query('visit') ?? '1');
  if (!(visit < visits)) return showNoRequest(c, deps);
  const query = new URLSearchParams({ ...c.req.query(), visit: String(visit + 1) });
  const texts = popupTexts[localeOf(c)];
  return render(
    c,
    deps,
    {
      title: texts.waiting,
      phase: 'wait',
      popup: id,
      late: { title: texts.noRequest, text: texts.noRequestText },
    },
    <WaitCard next={`/popup/login?${query}`} />,
  );
}

function showNoRequest(c: AppContext, deps: Deps): Response | Promise<Response> {
  const locale = localeOf(c);
  c.header('X-Error-Code', 'popup_not_found');
  const options = { title: popupTexts[locale].noRequest, status: 404 } as const;
  return renderPage(c, deps, options, <NoRequestCard />);
}

interface StartedLink {
  readonly provider: { readonly id: ProviderId; readonly name: string };
  readonly sealed: string;
  readonly url: string;
}

/** What POST /v1/credentials/link does. Null when the person has to sign in anew first. */
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

function showStart(c: AppContext, deps: Deps, request: PopupRequest, { provider, sealed, url }: StartedLink) {
  const locale = localeOf(c);
  setOauthCookie(c, deps, {
    name: oauthCookieName(deps.config),
    value: sealed,
    maxAgeSeconds: attemptTtlSeconds,
  });
  const href = `${url}&popup=${request.id}`;
  return render(
    c,
    deps,
    { title: popupTexts[locale].linkTitle, phase: 'start', request },
    <StartCard {...{ request, provider, href }} />,
  );
}

function showEnd(c: AppContext, deps: Deps, request: PopupRequest): Response | Promise<Response> {
  const locale = localeOf(c);
  return render(
    c,
    deps,
    { title: titleOf(locale, request), phase: 'done', request },
    <EndCard {...{ request }} />,
  );
}

interface View {
  readonly title: string;
  readonly phase: Phase;
  readonly request?: PopupRequest;
  readonly popup?: string;
  readonly late?: { readonly title: string; readonly text: string };
  /** The page's own, beside that of every page in a popup. */
  readonly script?: string;
}

function render(c: AppContext, deps: Deps, view: View, card: Child): Response | Promise<Response> {
  const { title, phase, request, popup = '', late, script } = view;
  const options = { title, script: withPopupScript(script) };
  const frame = {
    popup: request?.id ?? popup,
    phase,
    ...(request ? { origin: request.origin, secondsLeft: request.secondsLeft } : {}),
    ...(late ? { late } : {}),
  };
  return renderPage(c, deps, options, <PopupFrame {...frame}>{card}</PopupFrame>);
}

/** Proof that our page showed this request to this session: no form made elsewhere, or for somebody else, approves. */
function decisionToken(deps: Deps, id: string, digest: string, sessionId: string): string {
  return macOf(deriveKeys(deps.config.secretKeys, 'popup-decision')[0], shownText(id, digest, sessionId));
}

function shownText(id: string, digest: string, sessionId: string | null): string {
  return `${id} ${digest} ${sessionId ?? ''}`;
}
