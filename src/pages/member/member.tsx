import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { requireNotSuspended } from '../../features/identity/identity.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { sessionCookieNames } from '../../features/session/cookies.ts';
import { requireMember } from '../../features/session/require-session.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, type Locale, localeOf } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { noteEffects } from '../../http/serve.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { Card } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { useTexts } from '../../ui/view.ts';
import { accountTexts } from '../messages/account.ts';
import { renewScript } from '../scripts/account.ts';
import type { FormProblems } from '../shared/form.ts';
import { type ProviderNames, providerNames } from '../shared/names.ts';
import { sessionPaths, signInFor } from '../shared/paths.ts';
import { keepBack } from './back.ts';

/** The request of a signed-in person. */
export interface Member {
  readonly c: AppContext;
  readonly deps: Deps;
  readonly actor: AccessClaims;
  readonly sessionId: string;
  readonly names: ProviderNames;
  readonly locale: Locale;
  /** The id in the page's URL; empty if there is none. */
  readonly id: string;
}

/** The additions of a rejected form to its page. */
export interface Refusal {
  readonly status: ContentfulStatusCode;
  /** Shown above the page. */
  readonly problem?: Child;
  readonly typed?: URLSearchParams;
  /** Shown next to the fields. */
  readonly problems?: FormProblems;
}

/** Renders a page; a rejected form shows it again. */
export type Answer = (member: Member, refusal?: Refusal) => Promise<Response>;

/** Possibly a session that was revoked before its access token expired. */
const signedOut = new Set<ErrorCode>(['unauthenticated', 'session_ended']);

/** A page's path, or a function of the id and the query in it. */
type Address = string | ((id: string, query: Record<string, string>) => string);

/** Keeps the entry of a form at `path` while its sender signs in again. */
type Keep = (c: AppContext, deps: Deps, path: string, form: URLSearchParams) => Promise<void>;

/** `forMembers` for one address's pages and forms. */
export function membersAt(deps: Deps, address: Address, keep?: Keep) {
  return (endpoint: Endpoint, answer: Answer) => forMembers(deps, endpoint, address, answer, keep);
}

/**
 * Responds to signed-in people, under the limit of the API route. Other visitors renew their session or sign in, and
 * return to the page.
 */
function forMembers(deps: Deps, endpoint: Endpoint, address: Address, answer: Answer, keep?: Keep) {
  const session = requireMember(deps, endpoint);
  return async (c: AppContext): Promise<Response> => {
    const id = c.req.param('id') ?? '';
    const path = typeof address === 'string' ? address : address(id, c.req.query());
    if (c.req.method === 'GET') keepBack(c, deps);
    else c.set('back', path);
    try {
      let answered: Response | undefined;
      await session(c, async () => {
        const actor = c.get('actor');
        await requireNotSuspended(deps, actor.handle);
        const own = { c, deps, actor, sessionId: actor.sessionId, id };
        answered = await answer({ ...own, names: providerNames(deps), locale: localeOf(c) });
      });
      if (answered === undefined) throw new Error('an account page answered nothing');
      if (answered.status < 400) noteEffects(c, endpoint);
      return answered;
    } catch (error) {
      if (error instanceof AppError && signedOut.has(error.code)) {
        if (keep && c.req.method === 'POST' && !c.req.raw.bodyUsed)
          await keep(c, deps, path, await readForm(c));
        return bringBack(c, deps, path);
      }
      throw error;
    }
  };
}

/** Renews the session if the hint cookie indicates a refresh token, or if hints are disabled. */
function bringBack(c: AppContext, deps: Deps, path: string): Response | Promise<Response> {
  const hint = cookieValues(c.req.header('Cookie'), sessionCookieNames(deps.config).hint);
  if (deps.config.HINT_COOKIE === 'on' && hint.length === 0) {
    return redirectKeepingView(c, deps, signInFor(path));
  }
  // If one renewal did not help, the next one needs a click, because the browser would otherwise loop.
  const script = c.req.query('renewed') === undefined ? renewScript : undefined;
  return renderPage(
    c,
    deps,
    { title: accountTexts[localeOf(c)].renewTitle, script, here: path },
    <RenewCard path={path} isRepeat={c.req.method !== 'GET'} />,
  );
}

interface RenewProps {
  /** The account page to return to. */
  readonly path: string;
  /** True if a form has to be sent again. */
  readonly isRepeat: boolean;
}

/**
 * Replaces an account page if the access token is missing. Opening a page must not use a refresh token, so the refresh
 * is a form, which is sent immediately by a script or, without script, by the person.
 */
export function RenewCard({ path, isRepeat }: RenewProps) {
  const texts = useTexts(accountTexts);
  return (
    <Card title={texts.renewTitle} lead={texts.renewLead}>
      <Form
        action={sessionPaths.renew}
        id="renew"
        hidden={{ returnTo: `self:${path}`, repeat: isRepeat ? '1' : null }}
      >
        <Button look="main" full text={texts.renewContinue} />
      </Form>
    </Card>
  );
}
