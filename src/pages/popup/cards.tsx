import type { PopupRequest } from '../../features/popup/popup.ts';
import { fill, type Locale } from '../locale.ts';
import { popupTexts } from '../messages/popup.ts';
import { type ProviderChoice, ProviderLinks } from '../sign-in.tsx';

interface CardProps {
  readonly locale: Locale;
  readonly request: PopupRequest;
}

/** Always there, and never the app's to change: for whom this sign-in is. */
export function Opener({ locale, request }: CardProps) {
  return (
    <p class="quiet">
      {`${popupTexts[locale].toContinueTo} `}
      <strong class="origin">{request.origin}</strong>
    </p>
  );
}

interface ChoiceProps extends CardProps {
  readonly providers: readonly ProviderChoice[];
}

/** The ways to sign in, for somebody who is not, or wants to be somebody else. */
export function ChoiceCard({ locale, request, providers }: ChoiceProps) {
  const texts = popupTexts[locale];
  return (
    <section class="card">
      <h1>{texts.signIn}</h1>
      <Opener {...{ locale, request }} />
      {request.link !== null && <p>{fill(texts.linkFirst, { pid: `${request.handle}@pid` })}</p>}
      {providers.length === 0 ? (
        <p class="problems">{texts.notConfigured}</p>
      ) : (
        <>
          <p class="quiet">{texts.newcomers}</p>
          <ProviderLinks {...{ providers, popup: request.id, label: texts.continueWith }} />
        </>
      )}
      <DecisionForm {...{ locale, request }} />
    </section>
  );
}

/** Somebody is signed in already: they say whether it is they who continue. */
export function ContinueCard({ locale, request, pid, token }: CardProps & { pid: string; token: string }) {
  const texts = popupTexts[locale];
  return (
    <section class="card">
      <h1>{fill(texts.continueQuestion, { pid })}</h1>
      <Opener {...{ locale, request }} />
      <p>{texts.signedInHere}</p>
      <DecisionForm {...{ locale, request, shown: { token, pid } }} />
    </section>
  );
}

interface DecisionProps extends CardProps {
  /** Whom the person was shown as, and the proof of it; without, they can only cancel. */
  readonly shown?: { readonly pid: string; readonly token: string };
}

/** Posts what the person decides, and what of: the digest of what they saw. */
function DecisionForm({ locale, request, shown }: DecisionProps) {
  const texts = popupTexts[locale];
  return (
    <form method="post" action={`/popup/requests/${request.id}/decision`} class="stack">
      <input type="hidden" name="digest" value={request.digest} />
      {shown !== undefined && (
        <>
          <input type="hidden" name="token" value={shown.token} />
          <button type="submit" name="decision" value="approved" class="main full" data-guarded="">
            {fill(texts.continueAs, { pid: shown.pid })}
          </button>
          <a class="button full" href={`/popup/login?${new URLSearchParams({ c: request.id, other: '1' })}`}>
            {texts.anotherAccount}
          </a>
        </>
      )}
      <button type="submit" name="decision" value="denied" class="full">
        {texts.cancel}
      </button>
    </form>
  );
}

interface StartProps extends CardProps {
  readonly provider: { readonly id: string; readonly name: string };
  readonly href: string;
}

/** The popup was opened to link an account of one provider: it goes there by itself. */
export function StartCard({ locale, request, provider, href }: StartProps) {
  const texts = popupTexts[locale];
  return (
    <section class="card">
      <h1>{texts.linkTitle}</h1>
      <Opener {...{ locale, request }} />
      <a class="button main full" href={href} data-away={provider.id}>
        {fill(texts.goTo, { provider: provider.name })}
      </a>
      <noscript>
        <meta http-equiv="refresh" content={`0;url=${href}`} />
      </noscript>
    </section>
  );
}

/** The window is there before its request; the script looks for it, and so does a browser without script. */
export function WaitCard({ locale, next }: { locale: Locale; next: string | null }) {
  const texts = popupTexts[locale];
  return (
    <section class="card">
      <div data-late="" role="status">
        <h1>{texts.waiting}</h1>
        <p>{texts.waitingText}</p>
      </div>
      <div data-late="" hidden>
        <NoRequest locale={locale} />
      </div>
      {next !== null && (
        <noscript>
          <meta http-equiv="refresh" content={`2;url=${next}`} />
        </noscript>
      )}
    </section>
  );
}

export function NoRequestCard({ locale }: { locale: Locale }) {
  return (
    <section class="card">
      <NoRequest locale={locale} />
    </section>
  );
}

function NoRequest({ locale }: { locale: Locale }) {
  const texts = popupTexts[locale];
  return (
    <>
      <h1>{texts.noRequest}</h1>
      <p class="last">{texts.noRequestText}</p>
    </>
  );
}

/** What came of it. The script closes the window; where it cannot, the person does. */
export function EndCard({ locale, request }: CardProps) {
  const texts = popupTexts[locale];
  return (
    <section class="card">
      <h1>{titleOf(locale, request)}</h1>
      <p class="last">
        {`${texts.closeWindow} `}
        <strong class="origin">{request.origin}</strong>
      </p>
    </section>
  );
}

export function titleOf(locale: Locale, { status, link }: PopupRequest): string {
  const texts = popupTexts[locale];
  if (status === 'denied') return texts.deniedTitle;
  if (status !== 'approved' && status !== 'redeemed') return texts.endedTitle;
  return link === null ? texts.doneTitle : texts.linkedTitle;
}
