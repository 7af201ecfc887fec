import type { Deps } from '../deps.ts';
import { AppError, type ErrorCode, errors } from '../errors.ts';
import { idpEndpoints } from '../features/idp/endpoints.ts';
import { popupEndpoints } from '../features/popup/endpoints.ts';
import type { AppContext } from '../http/context.ts';
import type { ErrorPage } from '../http/errors.ts';
import { localeOf } from '../http/locale.ts';
import { accountPaths, signInPath } from '../lib/page-paths.ts';
import { LinkButton } from '../ui/components/button.tsx';
import { Card } from '../ui/components/card.tsx';
import { Notice } from '../ui/components/notice.tsx';
import { fill } from '../ui/locale.ts';
import { renderPage } from '../ui/page.tsx';
import { useTexts, useView } from '../ui/view.ts';
import { errorAdvice, errorHeadings, errorPageTexts, errorTexts } from './messages/errors.ts';
import { countdownScript } from './scripts/countdown.ts';
import { popupUrl, signInFor, withQuery } from './shared/paths.ts';
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

/** Renders an error for people: the status and message of the API's answer, and what to do next. */
export function errorPage(deps: Deps): ErrorPage {
  return (c, error) => {
    const title = errorHeadings[localeOf(c)][`s${error.status}`];
    const popup = c.get('popup');
    const script = error.retryAfterSeconds === undefined ? undefined : countdownScript;
    const isRepeatable = canRepeat(c);
    const here = popup === undefined ? `/error/${error.code}` : popupUrl('login', popup);
    const options = { title, status: error.status, script, ...(isRepeatable ? {} : { here }) };
    const card = (
      <ErrorCard
        {...{ error, isRepeatable, signIn: signInOf(c, error.code), back: c.get('back') ?? null }}
        requestId={c.get('requestId')}
      />
    );
    return popup === undefined
      ? renderPage(c, deps, options, card)
      : renderInPopup(c, deps, { ...options, frame: { popup, phase: 'error' } }, card);
  };
}

/** The sign-in to offer: the popup's own page, one that returns to the account after a refused link, or the usual one. */
function signInOf(c: AppContext, code: ErrorCode): string {
  const popup = c.get('popup');
  // The session has just turned out to be over, so the popup must not offer to continue with it.
  const other = code === 'unauthenticated' ? '1' : null;
  if (popup !== undefined) return withQuery(popupEndpoints.showPopup.path, { c: popup, other });
  const { credentials } = accountPaths;
  const isLink = c.req.path === idpEndpoints.getLinkUrl.path || c.get('back') === credentials;
  return isLink ? signInFor(credentials) : withQuery(signInPath, { returnTo: c.get('returnTo') });
}

/**
 * Whether opening the address again may help: not after a callback, whose code is used up, nor after a form. Nor when
 * another site led here for a popup of its own: we must not link onwards for it.
 */
function canRepeat(c: AppContext): boolean {
  const isForeign = c.req.query('popup') !== undefined && c.get('popup') === undefined;
  return c.req.method === 'GET' && !c.req.path.endsWith('/callback') && !isForeign;
}

/** The error that `/error/:code` shows, which is where an unrepeatable error page changes its language. */
export function errorOfCode(code: string): AppError {
  return new AppError(isErrorCode(code) ? code : 'not_found');
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}

interface ErrorCardProps {
  readonly error: AppError;
  readonly requestId: string;
  readonly isRepeatable: boolean;
  readonly signIn?: string;
  /** The page on which a failed link began; its person is signed in. */
  readonly back?: string | null;
}

export function ErrorCard(props: ErrorCardProps) {
  const { error, requestId, isRepeatable, signIn = signInPath } = props;
  const asksForSession = error.code === 'unauthenticated' || error.code === 'not_fresh';
  const isPopup = signIn.startsWith(popupEndpoints.showPopup.path);
  const back = isPopup || asksForSession ? null : (props.back ?? null);
  const texts = useTexts(errorPageTexts);
  const { here } = useView();
  const advice: Readonly<Partial<Record<ErrorCode, string>>> = useTexts(errorAdvice);
  const retries = isRepeatable && (error.status >= 500 || error.status === 429);
  return (
    <Card title={useTexts(errorHeadings)[`s${error.status}`]}>
      <ErrorNotice error={error} />
      {advice[error.code] !== undefined && <p>{advice[error.code]}</p>}
      {error.retryAfterSeconds !== undefined && <Wait seconds={error.retryAfterSeconds} />}
      <p class="stack">
        {back !== null && <LinkButton href={back} look="main" full text={texts.back} />}
        {back === null && (signsInAgain.has(error.code) || isPopup) && (
          <LinkButton href={signIn} look="main" full text={texts.signIn} />
        )}
        {retries && <LinkButton href={here} full text={texts.tryAgain} />}
      </p>
      <p class="quiet">
        {texts.requestId} <code>{requestId}</code>
      </p>
    </Card>
  );
}

/** The error's own text: translated if it is a known one, otherwise as the API says it. */
function ErrorNotice({ error }: { error: AppError }) {
  const { locale } = useView();
  const known = error.texts === errorTexts.en[error.code];
  const said = typeof error.texts === 'string' ? [error.texts] : error.texts;
  const lang = error.code === 'email_conflict' ? 'id' : known || locale === 'en' ? undefined : 'en';
  return (
    <Notice kind={error.status === 429 || error.status === 503 ? 'warning' : 'problem'}>
      {(known ? [errorTexts[locale][error.code]] : said).map((text) => (
        <p class="last" lang={lang}>
          {text}
        </p>
      ))}
    </Notice>
  );
}

/** How long to wait. Without script it does not count down. */
function Wait({ seconds }: { seconds: number }) {
  const texts = useTexts(errorPageTexts);
  return (
    <p>
      <span class="number" data-seconds={seconds} data-text={texts.waitSeconds} data-over={texts.waitOver}>
        {fill(texts.waitSeconds, { seconds })}
      </span>
      <span id="over" role="status" />
    </p>
  );
}
