import type { WaitingCredential } from '../../features/claim/claim.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { pidOf } from '../../lib/id.ts';
import { Card, Notice, ProblemSummary } from '../../ui/components/card.tsx';
import { Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Person } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { claimTexts } from '../messages/claim.ts';
import { claimLinkTexts } from '../messages/claim-link.ts';
import { pageEndpoints } from '../shared/endpoints.ts';
import { signInToLink, withQuery } from '../shared/paths.ts';

interface ClaimLinkProps {
  readonly waiting: WaitingCredential;
  readonly providerName: string;
  readonly actor: { readonly handle: string; readonly displayName: string };
  /** Where the sign-in ends. */
  readonly returnTo: string | null;
  /** Which ticket the form confirms, as a digest. */
  readonly ticketId: string;
  readonly problem: { readonly text: string; readonly field?: string; readonly lang?: string } | null;
  readonly mustSignIn: boolean;
}

/** Asks before the waiting account is linked: whose it is, which PID it would join, and what that means. */
export function ClaimLinkCard(props: ClaimLinkProps) {
  const { waiting, providerName, actor, returnTo, problem, mustSignIn } = props;
  const texts = useTexts(claimLinkTexts);
  const { lookAgain } = useTexts(claimTexts);
  const pid = pidOf(actor.handle);
  // In full: an attacker could choose an address that looks like the victim's when masked.
  const email = waiting.email ?? texts.noEmail;
  return (
    <Card title={fill(texts.question, { pid })}>
      {problem !== null && <ProblemSummary title={lookAgain} problems={[problem]} />}
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
      {mustSignIn ? (
        <LinkButton href={signInToLink(returnTo)} look="main" full text={texts.signInAgain} />
      ) : (
        <ConfirmForm {...props} />
      )}
      <hr />
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

function ConfirmForm({ actor, returnTo, ticketId, providerName }: ClaimLinkProps) {
  const texts = useTexts(claimLinkTexts);
  return (
    <Form
      action={claimEndpoints.linkTicket.path}
      hidden={{ ticket: ticketId, handle: actor.handle, returnTo }}
    >
      <Notice kind="warning">
        <p>{fill(texts.meaning, { pid: pidOf(actor.handle) })}</p>
        <label class="check" for="mine">
          <input type="checkbox" id="mine" name="mine" value="yes" required />
          <span>{fill(texts.mine, { provider: providerName })}</span>
        </label>
      </Notice>
      <Button look="main" full text={texts.link} />
    </Form>
  );
}
