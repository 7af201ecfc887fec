import type { Deps } from '../deps.ts';
import { AppError, type ErrorCode, errors } from '../errors.ts';
import { idpEndpoints } from '../features/idp/endpoints.ts';
import { popupEndpoints } from '../features/popup/endpoints.ts';
import { type AppContext, isNavigation, type Locale, localeOf } from '../http/context.ts';
import type { ErrorPage } from '../http/errors.ts';
import { accountPaths, signInPath } from '../lib/page-paths.ts';
import { withQuery } from '../lib/with-query.ts';
import { Card, Notice } from '../ui/components/card.tsx';
import { LinkButton } from '../ui/components/form.tsx';
import { Countdown } from '../ui/components/text.tsx';
import { renderPage } from '../ui/page.tsx';
import { fill, useTexts, useView } from '../ui/view.ts';
import { errorAdvice, errorHeadings, errorPageTexts } from './messages/errors.ts';
import { countdownScript } from './scripts/countdown.ts';
import { errorText } from './shared/error-text.ts';
import { popupUrl, signInFor } from './shared/paths.ts';
import { renderInPopup } from './shared/popup-frame.tsx';

const signsInAgain = new Set<ErrorCode>([
  'sign_in_cancelled',
  'provider_error',
  'state_invalid',
  'email_conflict',
  'ticket_gone',
  'unauthenticated',
  'no_session',
  'refresh_refused',
  'not_fresh',
  'provider_failed',
  'identity_closed',
]);

/** Renders an error for people: the status and message of the API response, and the next step. */
export function errorPage(deps: Deps): ErrorPage {
  return (c, error, status = error.status) => {
    const title = headingOf(error, localeOf(c));
    const popup = c.get('popup');
    const script = error.retryAfterSeconds === undefined ? undefined : countdownScript;
    const isRepeatable = canRepeat(c);
    const back = c.get('back') ?? null;
    const here = popup === undefined ? (back ?? `/error/${error.code}`) : popupUrl('login', popup);
    const options = { title, status, script, ...(isRepeatable ? {} : { here }) };
    const card = (
      <ErrorCard
        {...{ error, isRepeatable, signIn: signInOf(c, error.code), back }}
        requestId={c.get('requestId')}
      />
    );
    return popup === undefined
      ? renderPage(c, deps, options, card)
      : renderInPopup(c, deps, { ...options, frame: { popup, phase: 'error' } }, card);
  };
}

/**
 * The sign-in page to offer: the popup's own, one that returns to the account after a rejected link, or the default.
 */
function signInOf(c: AppContext, code: ErrorCode): string {
  const popup = c.get('popup');
  // The session was just found to be revoked, so the popup must not offer to continue with it.
  const isSuspended = code === 'identity_suspended';
  const other = code === 'unauthenticated' || isSuspended ? '1' : null;
  if (popup !== undefined) return withQuery(popupEndpoints.showPopup.path, { c: popup, other });
  const { credentials } = accountPaths;
  const isLink = c.req.path === idpEndpoints.getLinkUrl.path || c.get('back') === credentials;
  if (isSuspended) return withQuery(signInPath, { other });
  return isLink ? signInFor(credentials, 'login') : withQuery(signInPath, { returnTo: c.get('returnTo') });
}

/**
 * Returns whether opening the URL again may help. It does not help after a callback, whose code is used, or after a
 * form, or if another site led here for its own popup, which we must not link to.
 */
function canRepeat(c: AppContext): boolean {
  const isForeign = c.req.query('popup') !== undefined && c.get('popup') === undefined;
  return c.req.method === 'GET' && !c.req.path.endsWith('/callback') && !isForeign;
}

/**
 * The page at `/error/:code`, where an unrepeatable error page changes its language. Nothing has failed here, so it is
 * neither counted nor logged as an error, and its status is 200.
 */
export function shownError(c: AppContext, deps: Deps): Response | Promise<Response> {
  const code = c.req.param('code') ?? '';
  if (!isErrorCode(code) || !isNavigation(c)) throw new AppError('not_found');
  return errorPage(deps)(c, new AppError(code), 200);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}

function headingOf({ code, status }: AppError, locale: Locale): string {
  return code === 'identity_suspended'
    ? errorPageTexts[locale].suspended
    : errorHeadings[locale][`s${status}`];
}

interface ErrorCardProps {
  readonly error: AppError;
  readonly requestId: string;
  readonly isRepeatable: boolean;
  readonly signIn?: string;
  /** The page with the failed form, or the page on which a failed link started. */
  readonly back?: string | null | undefined;
}

export function ErrorCard(props: ErrorCardProps) {
  const { error, requestId } = props;
  const { locale, brand } = useView();
  const { newestCode, askOperator } = useTexts(errorPageTexts);
  const advice: Readonly<Partial<Record<ErrorCode, string>>> = {
    ...errorAdvice[locale],
    ...(brand.SUPPORT_URL === undefined && { identity_suspended: askOperator }),
  };
  return (
    <Card title={headingOf(error, locale)}>
      <Notice
        kind={error.status === 429 || error.status === 503 ? 'warning' : 'problem'}
        text={advice[error.code] ?? errorText(error, locale)}
      />
      {error.retryAfterSeconds !== undefined && <Wait seconds={error.retryAfterSeconds} />}
      {error.isOfCodes && <p>{newestCode}</p>}
      <WayOn {...props} />
      <Reference {...{ error, requestId }} />
    </Card>
  );
}

/** The most useful next step, which is on every error page. */
function WayOn({ error, isRepeatable, signIn = signInPath, back: from = null }: ErrorCardProps) {
  const texts = useTexts(errorPageTexts);
  const { here, brand } = useView();
  // The same account would only lead here again.
  if (error.code === 'identity_suspended')
    return brand.SUPPORT_URL === undefined ? (
      <LinkButton href={signIn} full text={texts.anotherAccount} />
    ) : (
      <LinkButton href={brand.SUPPORT_URL} look="main" full text={texts.support} />
    );
  const needsSignIn = ['unauthenticated', 'not_fresh', 'ticket_gone'].includes(error.code);
  const isPopup = signIn.startsWith(popupEndpoints.showPopup.path);
  const mayPass = error.status >= 500 || error.status === 429;
  const back = isPopup || needsSignIn ? null : from;
  const [href, text] =
    back !== null
      ? [back, mayPass ? texts.tryAgain : texts.back]
      : mayPass && isRepeatable && !isPopup
        ? [here, texts.tryAgain]
        : signsInAgain.has(error.code) || isPopup
          ? [signIn, texts.signIn]
          : [accountPaths.home, texts.toAccount];
  return <LinkButton href={href} look="main" full text={text} />;
}

/** Details for support: the API's own text, which the interface fixes, and the request id. A suspension's text is the title. */
function Reference({ error, requestId }: Pick<ErrorCardProps, 'error' | 'requestId'>) {
  const texts = useTexts(errorPageTexts);
  return (
    <>
      {(error.code === 'identity_suspended' ? [] : [error.texts].flat()).map((text) => (
        <p class="hint">
          <span lang={error.code === 'email_conflict' ? 'id' : 'en'}>{text}</span>
        </p>
      ))}
      <p class="hint">
        {texts.requestId} <code>{requestId}</code>
      </p>
    </>
  );
}

/** A longer wait ends at a time on the reader's clock, which only a script knows. */
function Wait({ seconds }: { seconds: number }) {
  const texts = useTexts(errorPageTexts);
  return (
    <p>
      {seconds > 120 ? (
        <Countdown
          {...{ seconds, text: texts.waitUntil, over: texts.waitOver }}
          first={fill(texts.waitMinutes, { minutes: Math.ceil(seconds / 60) })}
        />
      ) : (
        <Countdown
          {...{ seconds, text: texts.waitSeconds, over: texts.waitOver }}
          first={fill(texts.waitSeconds, { seconds })}
        />
      )}
    </p>
  );
}
