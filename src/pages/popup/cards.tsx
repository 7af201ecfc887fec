import { raw } from 'hono/html';
import type { PopupRequest } from '../../features/popup/popup.ts';
import { Button, LinkButton } from '../../ui/components/button.tsx';
import { Card } from '../../ui/components/card.tsx';
import { Notice } from '../../ui/components/notice.tsx';
import { ProviderLink } from '../../ui/components/provider.tsx';
import { fill, type Locale } from '../../ui/locale.ts';
import { commonTexts } from '../../ui/messages.ts';
import { useTexts, useView } from '../../ui/view.ts';
import { EmailSignIn } from '../email/forms.tsx';
import { popupTexts } from '../messages/popup.ts';
import { PasskeySignIn } from '../passkey/ceremony.tsx';
import { ContinueTo, SignInCard } from '../sign-in/sign-in-card.tsx';

interface CardProps {
  readonly request: PopupRequest;
}

/** Always there, and never the app's to change: for whom this sign-in is. */
export function Opener({ request }: CardProps) {
  return (
    <p class="lead">
      <ContinueTo place={{ host: request.origin }} />
    </p>
  );
}

interface ChoiceProps extends CardProps {
  readonly providers: readonly { readonly id: string; readonly name: string | null }[];
}

/** The ways to sign in, for somebody who is not, or wants to be somebody else. */
export function ChoiceCard({ request, providers }: ChoiceProps) {
  const { linkFirst } = useTexts(popupTexts);
  const pid = `${request.handle}@pid`;
  return (
    <SignInCard
      providers={providers}
      place={{ host: request.origin }}
      startOf={(id) => `/v1/auth/${id}?popup=${request.id}`}
      email={<EmailSignIn way={{ returnTo: null, popup: request.id, toLink: false }} />}
      passkey={
        <PasskeySignIn
          next={`/popup/done?c=${request.id}`}
          claim={`/popup/claim?c=${request.id}`}
          popup={request.id}
        />
      }
      notice={request.link !== null && <Notice>{fill(linkFirst, { pid })}</Notice>}
    >
      <DecisionForm request={request} />
    </SignInCard>
  );
}

/** Somebody is signed in already: they say whether it is they who continue. */
export function ContinueCard({ request, pid, token }: CardProps & { pid: string; token: string }) {
  const texts = useTexts(popupTexts);
  return (
    <Card title={fill(texts.continueQuestion, { pid })}>
      <Opener request={request} />
      <p>{texts.signedInHere}</p>
      <DecisionForm {...{ request, shown: { token, pid } }} />
    </Card>
  );
}

interface DecisionProps extends CardProps {
  /** Whom the person was shown as, and the proof of it; without, they can only cancel. */
  readonly shown?: { readonly pid: string; readonly token: string };
}

/** Posts what the person decides, and what of: the digest of what they saw. */
function DecisionForm({ request, shown }: DecisionProps) {
  const texts = useTexts(popupTexts);
  return (
    <form method="post" action={`/popup/requests/${request.id}/decision`}>
      <input type="hidden" name="digest" value={request.digest} />
      {shown !== undefined && <input type="hidden" name="token" value={shown.token} />}
      <div class="stack">
        {shown !== undefined && (
          <>
            <Button name="decision" value="approved" look="main" full>
              {fill(texts.continueAs, { pid: shown.pid })}
            </Button>
            <LinkButton href={`/popup/login?${new URLSearchParams({ c: request.id, other: '1' })}`} full>
              {texts.anotherAccount}
            </LinkButton>
          </>
        )}
        <Button name="decision" value="denied" full>
          {useTexts(commonTexts).cancel}
        </Button>
      </div>
    </form>
  );
}

interface StartProps extends CardProps {
  readonly provider: { readonly id: string; readonly name: string };
  readonly href: string;
}

/** The popup was opened to link an account of one provider: it goes there by itself. */
export function StartCard({ request, provider, href }: StartProps) {
  const texts = useTexts(popupTexts);
  const text = fill(texts.goTo, { provider: provider.name });
  return (
    <Card title={texts.linkTitle}>
      <Opener request={request} />
      <ProviderLink provider={provider.id} text={text} href={href} main />
      <GoWithoutScript seconds={0} href={href} />
    </Card>
  );
}

/** The window is there before its request; the script looks for it, and so does a browser without script. */
export function WaitCard({ next }: { next: string }) {
  const texts = useTexts(popupTexts);
  return (
    <div role="status">
      <Card title={texts.waiting} lead={texts.waitingText} />
      <GoWithoutScript seconds={2} href={next} />
    </div>
  );
}

/** Written as text, because a `meta` element would be moved to the head, where it counts with a script as well. */
function GoWithoutScript({ seconds, href }: { seconds: number; href: string }) {
  const address = new URL(href, 'http://local.invalid');
  const path = `${address.pathname}${address.search}`.replaceAll('&', '&amp;').replaceAll('"', '%22');
  return <noscript>{raw(`<meta http-equiv="refresh" content="${seconds};url=${path}">`)}</noscript>;
}

export function NoRequestCard() {
  const texts = useTexts(popupTexts);
  return <Card title={texts.noRequest} lead={texts.noRequestText} />;
}

/** What came of it. The script closes the window; where it cannot, the person does. */
export function EndCard({ request }: CardProps) {
  const { locale } = useView();
  return (
    <Card title={titleOf(locale, request)}>
      <p class="last">
        {`${popupTexts[locale].closeWindow} `}
        <a href={request.origin}>
          <strong>{request.origin}</strong>
        </a>
      </p>
    </Card>
  );
}

export function titleOf(locale: Locale, { status, link }: PopupRequest): string {
  const texts = popupTexts[locale];
  if (status === 'denied') return texts.deniedTitle;
  if (status !== 'approved' && status !== 'redeemed') return texts.endedTitle;
  return link === null ? texts.doneTitle : texts.linkedTitle;
}
