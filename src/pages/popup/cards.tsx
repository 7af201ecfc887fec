import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import { popupEndpoints } from '../../features/popup/endpoints.ts';
import type { PopupRequest } from '../../features/popup/popup.ts';
import type { Locale } from '../../http/context.ts';
import type { CredentialKind } from '../../lib/credential-kinds.ts';
import { pidOf } from '../../lib/id.ts';
import { stringList } from '../../lib/present.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { ProviderLink } from '../../ui/components/icon.tsx';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import type { EmailProblems } from '../email/entry.ts';
import { approvalTexts, popupTexts } from '../messages/popup.ts';
import { AppDoubt, ScopeList } from '../shared/app-doubt.tsx';
import { Opener } from '../shared/continue-to.tsx';
import { popupUrl } from '../shared/paths.ts';
import { type ConfiguredProvider, SignInCard } from '../sign-in/sign-in-card.tsx';

interface CardProps {
  readonly request: PopupRequest;
}

interface ChoiceProps extends CardProps {
  readonly providers: readonly ConfiguredProvider[];
  /** The sign-in method last used in this browser. */
  readonly lastUsed?: CredentialKind | null;
  readonly email?: string;
  readonly problems?: EmailProblems;
}

/** The sign-in methods, for people who are signed out or want another account. */
export function ChoiceCard({ request, providers, lastUsed = null, email = '', problems = {} }: ChoiceProps) {
  const { linkFirst, again } = useTexts(popupTexts);
  const { signInFirst, signInUnnamed } = useTexts(approvalTexts);
  const { id: popup, kind, origin, app, shownHandle, link, prompt } = request;
  const isApproval = kind === 'approval';
  const why = isApproval ? signInFirst : link === null ? again : linkFirst;
  const unnamed = isApproval && <Notice>{signInUnnamed}</Notice>;
  return (
    <SignInCard
      providers={providers}
      place={{ host: origin, app }}
      startOf={(id) => withQuery(startSignInEndpoint(id).path, { popup, prompt })}
      email={{ way: { returnTo: null, popup, toLink: false }, email, problems }}
      passkey={{ next: popupUrl('done', popup), claim: popupUrl('claim', popup), popup }}
      lastUsed={lastUsed}
      notice={
        <>
          {shownHandle === null ? unnamed : <Notice>{fill(why, { pid: pidOf(shownHandle) })}</Notice>}
          <Doubt request={request} />
        </>
      }
    >
      <AskedScopes request={request} />
      {!isApproval && <DecisionForm request={request} />}
    </SignInCard>
  );
}

/** Asks the signed-in person whether to continue. */
export function ContinueCard({ request, pid, token }: CardProps & { pid: string; token: string }) {
  const texts = useTexts(popupTexts);
  return (
    <Card title={fill(texts.continueQuestion, { pid })}>
      <Opener request={request} />
      <p>{texts.signedInHere}</p>
      <Doubt request={request} />
      <AskedScopes request={request} />
      <DecisionForm {...{ request, shown: { token, pid } }} />
      <p>
        <a href={withQuery(popupEndpoints.showPopup.path, { c: request.id, other: '1' })}>
          {texts.anotherAccount}
        </a>
      </p>
    </Card>
  );
}

/** The warning about an app that requests tokens. */
function Doubt({ request }: CardProps) {
  const { knowHost } = useTexts(popupTexts);
  const { scopes, doubt, origin } = request;
  return scopes !== null && <AppDoubt doubt={doubt} text={knowHost} host={new URL(origin).host} />;
}

/** The permissions of the requested tokens. */
function AskedScopes({ request: { scopes } }: CardProps) {
  const { appGets } = useTexts(popupTexts);
  if (scopes === null) return null;
  return (
    <>
      <p>{appGets}</p>
      <ScopeList scopes={stringList(scopes)} />
    </>
  );
}

interface DecisionProps extends CardProps {
  /** The PID shown on the page, and the proof of it. Without them the person can only cancel. */
  readonly shown?: { readonly pid: string; readonly token: string };
}

/** Posts the decision with a digest of the page's content. */
function DecisionForm({ request, shown }: DecisionProps) {
  const texts = useTexts(popupTexts);
  return (
    <Form
      action={popupEndpoints.decidePopup.path.replace(':id', request.id)}
      hidden={{ digest: request.digest, token: shown?.token }}
      class="act"
    >
      {shown !== undefined && (
        <Button
          name="decision"
          value="approved"
          look="main"
          text={fill(texts.continueAs, { pid: shown.pid })}
        />
      )}
      <Button name="decision" value="denied" text={useTexts(commonTexts).cancel} />
    </Form>
  );
}

interface StartProps extends CardProps {
  readonly provider: { readonly id: string; readonly name: string };
  readonly href: string;
}

/** Continues to the provider whose account the popup links; without script, by a refresh header or tag. */
export function StartCard({ request, provider, href }: StartProps) {
  const texts = useTexts(popupTexts);
  const text = fill(texts.goTo, { provider: provider.name });
  return (
    <Card title={texts.linkTitle}>
      <Opener request={request} />
      <ProviderLink provider={provider.id} text={text} href={href} main />
    </Card>
  );
}

/** Shown until the opener has registered the request. The script checks for it; without script the page reloads. */
export function WaitCard() {
  const texts = useTexts(popupTexts);
  return (
    <div role="status">
      <Card title={texts.waiting} lead={texts.waitingText} />
    </div>
  );
}

export function NoRequestCard() {
  const texts = useTexts(popupTexts);
  return <Card title={texts.noRequest} lead={texts.noRequestText} />;
}

/** The outcome. The script closes the window; if it cannot, the person has to. */
export function EndCard({ request }: CardProps) {
  const { locale } = useView();
  return (
    <Card title={titleOf(locale, request)} isDone={isApproved(request)}>
      {request.kind === 'approval' && <ApprovalEnd request={request} />}
      <p class="last">
        {`${popupTexts[locale].closeWindow} `}
        <a href={request.origin}>
          <strong>{request.origin}</strong>
        </a>
      </p>
    </Card>
  );
}

function isApproved({ status }: PopupRequest): boolean {
  return status === 'approved' || status === 'redeemed';
}

/** Says that nothing was paid, unless the payment was approved. */
function ApprovalEnd({ request }: CardProps) {
  const { changedText, tamperedText, nothingPaid } = useTexts(approvalTexts);
  const { status, reason } = request;
  if (isApproved(request)) return null;
  return <p>{status !== 'invalid' ? nothingPaid : reason === 'tampered' ? tamperedText : changedText}</p>;
}

function titleOfApproval(locale: Locale, request: PopupRequest): string {
  const texts = approvalTexts[locale];
  const { status, reason } = request;
  if (isApproved(request)) return texts.approvedTitle;
  if (status === 'denied') return texts.deniedTitle;
  if (status === 'lapsed') return texts.lapsedTitle;
  if (status === 'invalid') return reason === 'tampered' ? texts.tamperedTitle : texts.changedTitle;
  return status === 'expired' ? texts.expiredTitle : popupTexts[locale].endedTitle;
}

/** Returns a request's outcome, as the title of its last page. */
export function titleOf(locale: Locale, request: PopupRequest): string {
  const { kind, status, link } = request;
  if (kind === 'approval') return titleOfApproval(locale, request);
  const texts = popupTexts[locale];
  if (status === 'denied') return texts.deniedTitle;
  if (!isApproved(request)) return texts.endedTitle;
  return link === null ? texts.doneTitle : texts.linkedTitle;
}
