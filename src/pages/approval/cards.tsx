import type { Child } from 'hono/jsx';
import type { ApprovalScreen } from '../../features/approval/approval.ts';
import { startSignInEndpoint } from '../../features/idp/endpoints.ts';
import { popupEndpoints } from '../../features/popup/endpoints.ts';
import { pidOf } from '../../lib/id.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { ProviderLink } from '../../ui/components/icon.tsx';
import { Foreign, Initials, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { EmailSignIn } from '../email/forms.tsx';
import { approvalTexts, popupTexts } from '../messages/popup.ts';
import { signInTexts } from '../messages/sign-in.ts';
import { depositTexts, walletTexts } from '../messages/wallet.ts';
import { PasskeyAgain } from '../passkey/ceremony.tsx';
import { AppDoubt } from '../shared/app-doubt.tsx';
import { popupUrl } from '../shared/paths.ts';
import type { ConfiguredProvider } from '../sign-in/sign-in-card.tsx';

interface ScreenProps {
  readonly screen: ApprovalScreen;
}

function useAmount(): (amount: number) => string {
  const { locale } = useView();
  return (amount) => formatAmount(locale, amount);
}

/** Requests the payer's approval. */
export function ApprovalCard({ screen, token }: ScreenProps & { token: string }) {
  const { approve, escapeDenies, movesNothing, holdsNothing } = useTexts(approvalTexts);
  const amount = useAmount();
  const text = fill(approve, { amount: amount(screen.terms.totalDebit) });
  return (
    <Request screen={screen}>
      <Terms screen={screen} />
      <DecisionForm screen={screen} token={token}>
        <Button name="decision" value="approved" look="main" text={text} />
      </DecisionForm>
      <p class="hint">
        <span class="keys">{escapeDenies} </span>
        {screen.terms.operation === 'hold' ? holdsNothing : movesNothing}
      </p>
    </Request>
  );
}

interface CannotPayProps extends ScreenProps {
  /** The top-up that covers the shortfall; null if there is no way to top up. */
  readonly topUp: number | null;
}

/**
 * The same for a wallet that cannot pay. If the balance is too low, the person can top up in another tab, while a
 * script checks whether the money has arrived.
 */
export function CannotPayCard({ screen, topUp }: CannotPayProps) {
  const texts = useTexts(approvalTexts);
  const { noGateway } = useTexts(depositTexts);
  const { openHeading } = useTexts(walletTexts);
  const amount = useAmount();
  const { request, terms, available, blocked } = screen;
  const isLow = blocked === null;
  const values = { balance: amount(available), missing: amount(terms.totalDebit - available) };
  const reasons = {
    ledger: [texts.ledgerTitle, texts.ledgerText],
    wallet: [texts.walletTitle, texts.walletText],
    no_wallet: [texts.noWalletTitle, texts.noWalletText],
    own_wallet: [texts.ownWalletTitle, texts.ownWalletText],
    low: [texts.lowTitle, fill(texts.lowText, values)],
  } as const;
  const [title, text] = reasons[blocked ?? 'low'];
  return (
    <Request screen={screen}>
      <Notice kind="warning" title={title} text={text}>
        {isLow && <p class="quiet">{topUp === null ? noGateway : texts.topUpHint}</p>}
      </Notice>
      <DecisionForm screen={screen}>
        {blocked === 'no_wallet' && (
          <a class="button main" href={accountPaths.wallet} target="_blank" rel="noopener">
            {openHeading}
          </a>
        )}
        {isLow && topUp !== null && (
          <a
            class="button main"
            href={withQuery(accountPaths.topUp, { amount: String(topUp) })}
            target="_blank"
            rel="noopener"
          >
            {fill(texts.topUp, { amount: amount(topUp) })}
          </a>
        )}
      </DecisionForm>
      {blocked !== 'no_wallet' && blocked !== 'own_wallet' && (
        <p>
          <a href={popupUrl('approval', request.id)} data-low={isLow ? 'on' : undefined}>
            {texts.checkAgain}
          </a>
        </p>
      )}
    </Request>
  );
}

interface StepUpProps extends ScreenProps {
  /** The configured sign-in methods. */
  readonly providers: readonly ConfiguredProvider[];
}

/** Requests the sign-in that this person needs to approve this amount: with a passkey if they have one. */
export function StepUpCard({ screen, providers }: StepUpProps) {
  const texts = useTexts(approvalTexts);
  const { continueWith, or } = useTexts(signInTexts);
  const amount = useAmount();
  const { request, ways, stepUpAmount } = screen;
  const popup = request.id;
  const text = fill(texts.stepUpText, { limit: amount(stepUpAmount ?? 0) });
  return (
    <Request screen={screen}>
      <Notice title={texts.stepUpTitle} text={text} />
      <div class="stack">
        {ways.includes('passkey') ? (
          <>
            <PasskeyAgain next={popupUrl('done', popup)} />
            <noscript>
              <p>{texts.noScript}</p>
            </noscript>
          </>
        ) : (
          providers
            .filter(({ id }) => ways.includes(id))
            .map(({ id, name }) => (
              <ProviderLink
                provider={id}
                href={withQuery(startSignInEndpoint(id).path, { popup, prompt: 'login' })}
                text={fill(continueWith, { provider: name ?? id })}
              />
            ))
        )}
      </div>
      {ways.includes('email') && !ways.includes('passkey') && (
        <>
          {ways.length > 1 && <p class="or">{or}</p>}
          <EmailSignIn way={{ returnTo: null, popup, toLink: false }} />
        </>
      )}
      <DecisionForm screen={screen} />
    </Request>
  );
}

/**
 * For anyone but the payer, who learns nothing about the payment, and about the payer only if the app is first-party.
 */
export function OtherPersonCard({ screen: { request, acting } }: ScreenProps) {
  const texts = useTexts(approvalTexts);
  const { anotherAccount } = useTexts(popupTexts);
  const pid = pidOf(present(acting, 'the person who is signed in'));
  const payer = request.shownHandle === null ? null : pidOf(request.shownHandle);
  return (
    <Card title={texts.otherTitle}>
      <p>
        {payer === null
          ? fill(texts.otherUnnamed, { acting: pid })
          : fill(texts.otherText, { acting: pid, payer })}
      </p>
      <LinkButton
        href={withQuery(popupEndpoints.showApproval.path, { c: request.id, other: '1' })}
        look="main"
        full
        text={payer === null ? anotherAccount : fill(texts.signInAs, { pid: payer })}
      />
    </Card>
  );
}

/**
 * Shows the app, the amount and the payee. The origin is on a separate line below the app's name, so that no name can
 * be mistaken for an origin.
 */
function Request({ screen: { request, terms }, children }: ScreenProps & { children: Child }) {
  const texts = useTexts(approvalTexts);
  const amount = useAmount();
  const { to, app, operation, totalDebit } = terms;
  return (
    <Card title={texts.title}>
      <p class="lead">
        <strong>
          <bdi>{app.name}</bdi>
        </strong>{' '}
        {texts.asks}
        <br />
        <span class="mono">{request.origin}</span>
      </p>
      <AppDoubt doubt={request.doubt} text={texts.knowHost} host={new URL(request.origin).host} />
      <p class="amount">{amount(totalDebit)}</p>
      {operation === 'hold' && <p>{texts.holdFirst}</p>}
      <div class="person">
        <Initials name={to.displayName} />
        <span>
          <Foreign text={to.displayName} usual={to.pid} />
          <small class="mono">{to.pid}</small>
        </span>
      </div>
      {children}
    </Card>
  );
}

/** The remaining terms of the approval. */
function Terms({ screen: { terms, available } }: ScreenProps) {
  const texts = useTexts(approvalTexts);
  const amount = useAmount();
  const { fees, totalDebit, memo } = terms;
  const fee = totalDebit - terms.amount;
  return (
    <>
      <p class="hint">{texts.checkPid}</p>
      <dl class="facts">
        {fee > 0 && (
          <>
            <Line name={texts.amount} value={amount(terms.amount)} />
            <Line name={texts.fee} value={amount(fee)} />
          </>
        )}
        {terms.netAmount !== terms.amount && <Line name={texts.receives} value={amount(terms.netAmount)} />}
        <Line name={texts.balanceAfter} value={amount(available - totalDebit)} />
        {memo !== null && (
          <>
            <dt>{texts.memo}</dt>
            <dd>
              <Foreign text={memo} />
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>{texts.details}</summary>
        <dl class="facts">
          <Line name={texts.from} value={terms.from} />
          <Line name={texts.app} value={terms.app.id} />
          <Line name={texts.inquiry} value={terms.inquiryId} />
          {fees.total > fee && <Line name={texts.fee} value={amount(fees.total)} />}
          <dt>{texts.until}</dt>
          <dd>
            <Moment at={terms.expiresAt} />
          </dd>
        </dl>
      </details>
    </>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
    </>
  );
}

interface DecisionProps extends ScreenProps {
  /** The proof of the page's content, required to approve. */
  readonly token?: string;
  /** Placed before the button that denies. */
  readonly children?: Child;
}

function DecisionForm({ screen: { request }, token, children }: DecisionProps) {
  const action = popupEndpoints.decidePopup.path.replace(':id', request.id);
  return (
    <Form action={action} hidden={{ kind: request.kind, digest: request.digest, token }} class="act">
      {children}
      <Button name="decision" value="denied" text={useTexts(approvalTexts).deny} />
    </Form>
  );
}
