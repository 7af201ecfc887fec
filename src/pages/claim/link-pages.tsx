import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { readTicket } from '../../features/claim/claim.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { readReturnTo } from '../../features/idp/return-to.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { readActor, requireMember } from '../../features/session/require-session.ts';
import { clearClaimCookie, readClaimCookie } from '../../features/sign-in/cookies.ts';
import { linkWaiting } from '../../features/sign-in/link.ts';
import { ticketId } from '../../features/sign-in/statements.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, type AppEnv, clientInfo } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { successUrl } from '../../lib/success-url.ts';
import { clientOrigin, forNavigations, renderPage } from '../../ui/page.tsx';
import { claimLinkTexts } from '../messages/claim-link.ts';
import { errorTexts } from '../messages/errors.ts';
import { pageEndpoints } from '../shared/endpoints.ts';
import { credentialName } from '../shared/names.ts';
import { signInToLink } from '../shared/paths.ts';
import { ClaimLinkCard } from './link-card.tsx';

/**
 * "I already have a PID": the person signs in with another credential while the ticket waits, then confirms that the
 * waiting account is theirs. An attacker can plant a ticket by sending the browser through a provider where somebody
 * else is signed in, so nothing is linked unless it was shown by name and confirmed.
 */
export function claimLinkPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  /** Shows which account would be linked to which PID, after the sign-in. */
  pages.get(
    pageEndpoints.showClaimLink.path,
    forNavigations(rateLimit(deps, pageEndpoints.showClaimLink), async (c) => {
      const actor = await readActor(c, deps);
      const returnTo = readReturnTo(deps, c.req.query('returnTo'));
      if (actor !== null) return askToLink(c, deps, { actor, returnTo });
      await readTicket(deps, readClaimCookie(c, deps));
      return c.redirect(signInToLink(returnTo));
    }),
  );

  pages.post(
    claimEndpoints.linkTicket.path,
    forNavigations(requireMember(deps, claimEndpoints.linkTicket), (c) => submitLink(c, deps)),
  );

  return pages;
}

async function submitLink(c: AppContext, deps: Deps): Promise<Response> {
  const actor = c.get('actor');
  const form = await readForm(c);
  const ticket = readClaimCookie(c, deps);
  const returnTo = readReturnTo(deps, form.get('returnTo'));
  const texts = claimLinkTexts[localeOf(c)];
  // Another tab may have changed who is signed in, or which account waits, since the page was shown.
  if (form.get('ticket') !== ticketId(ticket ?? '') || form.get('handle') !== actor.handle) {
    return askToLink(c, deps, { actor, returnTo, code: 'validation_failed', problem: texts.changed });
  }
  if (!form.has('mine')) {
    return askToLink(c, deps, { actor, returnTo, code: 'validation_failed', problem: texts.mineMissing });
  }
  try {
    const { sessionId } = actor;
    const { provider } = await linkWaiting(deps, { sessionId, client: clientInfo(c), ticket });
    clearClaimCookie(c, deps);
    return c.redirect(successUrl(deps.config, { isNew: false, linked: provider, returnTo }), 303);
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 409 && error.code !== 'not_fresh')) throw error;
    const { code, status } = error;
    return askToLink(c, deps, { actor, returnTo, code, status, problem: errorTexts[localeOf(c)][code] });
  }
}

interface Question {
  readonly actor: AccessClaims;
  readonly returnTo: string | null;
  readonly code?: AppError['code'];
  readonly status?: AppError['status'];
  readonly problem?: string;
}

async function askToLink(c: AppContext, deps: Deps, question: Question): Promise<Response> {
  const { actor, returnTo, code, problem = null } = question;
  const ticket = readClaimCookie(c, deps);
  const waiting = await readTicket(deps, ticket);
  const locale = localeOf(c);
  if (code !== undefined) c.header('X-Error-Code', code);
  const { title } = claimLinkTexts[locale];
  return renderPage(
    c,
    deps,
    {
      title,
      status: question.status ?? (code === undefined ? 200 : 400),
      formTargets: [clientOrigin(deps, returnTo)],
    },
    <ClaimLinkCard
      {...{ waiting, actor, returnTo, ticketId: ticketId(ticket ?? ''), mustSignIn: code === 'not_fresh' }}
      problem={
        problem === null ? null : { text: problem, ...(code === 'email_conflict' ? { lang: 'id' } : {}) }
      }
      providerName={credentialName(deps, locale, waiting.provider)}
    />,
  );
}
