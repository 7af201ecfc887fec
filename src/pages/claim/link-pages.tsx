import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { readTicket, type WaitingCredential } from '../../features/claim/claim.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { readReturnTo } from '../../features/idp/return-to.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import { readActor, requireMember } from '../../features/session/require-session.ts';
import { clearClaimCookie, readClaimCookie } from '../../features/sign-in/cookies.ts';
import { linkWaiting } from '../../features/sign-in/link.ts';
import { ticketId } from '../../features/sign-in/statements.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, type AppEnv, clientInfo, localeOf } from '../../http/context.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { pidOf } from '../../lib/id.ts';
import { present } from '../../lib/present.ts';
import { successUrl } from '../../lib/success-url.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice, Problem } from '../../ui/components/card.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Person } from '../../ui/components/text.tsx';
import { clientOrigin, forNavigations, renderPage } from '../../ui/page.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { claimLinkTexts } from '../messages/claim.ts';
import { errorTexts } from '../messages/errors.ts';
import { pageEndpoints } from '../shared/endpoints.ts';
import { credentialName } from '../shared/names.ts';
import { signInToLink } from '../shared/paths.ts';

/**
 * "I already have a PID": the person signs in with another credential while the ticket waits, then confirms that the
 * waiting account is theirs. An attacker can plant a ticket by sending the browser through a provider where someone
 * else is signed in, so nothing is linked unless the page showed its name and the person confirmed it.
 */
export function claimLinkPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();

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
  // Another tab may have changed the signed-in person or the waiting account since the page was shown.
  if (ticket === null || form.get('ticket') !== ticketId(ticket) || form.get('handle') !== actor.handle) {
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
      {...{ waiting, actor, returnTo, mustSignIn: code === 'not_fresh' }}
      ticketId={ticketId(present(ticket, 'the ticket that waits'))}
      problem={
        problem === null ? null : { text: problem, ...(code === 'email_conflict' ? { lang: 'id' } : {}) }
      }
      providerName={credentialName(deps, locale, waiting.provider)}
    />,
  );
}

interface ClaimLinkProps {
  readonly waiting: WaitingCredential;
  readonly providerName: string;
  readonly actor: { readonly handle: string; readonly displayName: string };
  readonly returnTo: string | null;
  /** A digest of the ticket that the form confirms. */
  readonly ticketId: string;
  readonly problem: { readonly text: string; readonly lang?: string } | null;
  readonly mustSignIn: boolean;
}

/** Asks before the waiting account is linked: whose account it is, which PID it would join, and what the link means. */
export function ClaimLinkCard(props: ClaimLinkProps) {
  const { waiting, providerName, actor, returnTo, problem, mustSignIn } = props;
  const texts = useTexts(claimLinkTexts);
  const pid = pidOf(actor.handle);
  // Shown in full, because an attacker could choose an address that looks like the victim's when masked.
  const email = waiting.email ?? texts.noEmail;
  const parties = (
    <div class="who field">
      <p class="hint">{texts.account}</p>
      <div class="person">
        <Person name={waiting.displayName ?? providerName} detail={`${providerName} · ${email}`} />
      </div>
      <p class="hint">{texts.identity}</p>
      <div class="person">
        <Person name={actor.displayName} detail={pid} />
      </div>
    </div>
  );
  return (
    <Card title={fill(texts.question, { pid })}>
      {problem !== null && <Problem {...problem} />}
      {mustSignIn ? (
        <>
          {parties}
          <Actions>
            <LinkButton href={signInToLink(returnTo)} look="main" text={texts.signInAgain} />
          </Actions>
        </>
      ) : (
        <ConfirmForm {...props}>{parties}</ConfirmForm>
      )}
      <ul class="plain">
        <li>
          <a href={signInToLink(returnTo)}>{texts.other}</a>
        </li>
        <li>
          <a href={withQuery(claimEndpoints.previewClaim.path, { returnTo })}>{texts.claim}</a>
        </li>
        <li>
          <Form action={pageEndpoints.leaveClaim.path} hidden={{ returnTo }}>
            <Button look="link" text={texts.discard} />
          </Form>
        </li>
      </ul>
    </Card>
  );
}

function ConfirmForm({
  actor,
  returnTo,
  ticketId,
  providerName,
  children,
}: ClaimLinkProps & { children: Child }) {
  const texts = useTexts(claimLinkTexts);
  return (
    <Form
      action={claimEndpoints.linkTicket.path}
      hidden={{ ticket: ticketId, handle: actor.handle, returnTo }}
    >
      {children}
      <Notice kind="warning">
        <p>{fill(texts.meaning, { pid: pidOf(actor.handle) })}</p>
        <label class="check" for="mine">
          <input type="checkbox" id="mine" name="mine" value="yes" required />
          <span>{fill(texts.mine, { provider: providerName })}</span>
        </label>
      </Notice>
      <Actions>
        <Button look="main" text={texts.link} />
      </Actions>
    </Form>
  );
}
