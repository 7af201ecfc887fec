import type { WaitingCredential } from '../features/claim/claim.ts';
import { maskEmail } from '../lib/email.ts';
import { Person } from './components/person.tsx';
import { fill, type Locale } from './locale.ts';
import { claimLinkTexts } from './messages/claim-link.ts';

interface ClaimLinkProps {
  readonly locale: Locale;
  readonly waiting: WaitingCredential;
  readonly providerName: string;
  readonly actor: { readonly handle: string; readonly displayName: string };
  /** What the form confirms: a digest of the ticket. */
  readonly ticketId: string;
  readonly problem: string | null;
  readonly mustSignIn: boolean;
}

/** Asks before an account that waits is linked: whose it is, to whom it would belong, and what that means. */
export function ClaimLinkCard(props: ClaimLinkProps) {
  const { locale, waiting, providerName, actor, ticketId, problem, mustSignIn } = props;
  const texts = claimLinkTexts[locale];
  const pid = `${actor.handle}@pid`;
  const email = waiting.email === null ? texts.noEmail : maskEmail(waiting.email);
  return (
    <section class="card" lang={locale}>
      <h1>{fill(texts.question, { pid })}</h1>
      {problem !== null && (
        <div class="problems" role="alert" tabindex={-1} autofocus>
          <p class="last">{problem}</p>
        </div>
      )}
      <p class="quiet">{texts.account}</p>
      <div class="person">
        <Person name={waiting.displayName ?? providerName} detail={`${providerName} · ${email}`} />
      </div>
      <p class="quiet">{texts.identity}</p>
      <div class="person">
        <Person name={actor.displayName} detail={pid} />
      </div>
      {mustSignIn ? (
        <p>
          <a class="button main full" href="/signin?claim=link">
            {texts.signInAgain}
          </a>
        </p>
      ) : (
        <form method="post" action="/v1/auth/claim/link">
          <input type="hidden" name="ticket" value={ticketId} />
          <input type="hidden" name="handle" value={actor.handle} />
          <div class="warning">
            <p>{fill(texts.meaning, { pid })}</p>
            <label class="check" for="mine">
              <input type="checkbox" id="mine" name="mine" value="yes" required />
              <span>{fill(texts.mine, { provider: providerName })}</span>
            </label>
          </div>
          <button type="submit" class="main full">
            {texts.link}
          </button>
        </form>
      )}
      <hr />
      <ul class="plain">
        <li>
          <a href="/signin?claim=link">{texts.other}</a>
        </li>
        <li>
          <a href="/v1/auth/claim">{texts.claim}</a>
        </li>
      </ul>
      <form method="post" action="/v1/auth/claim/leave">
        <button type="submit">{texts.discard}</button>
      </form>
    </section>
  );
}
