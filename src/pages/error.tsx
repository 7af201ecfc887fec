import type { Deps } from '../deps.ts';
import { AppError, type ErrorCode, statusByCode } from '../errors.ts';
import type { AppContext } from '../http/context.ts';
import type { ErrorPage } from '../http/errors.ts';
import { LinkButton } from '../ui/components/button.tsx';
import { Card } from '../ui/components/card.tsx';
import { Notice } from '../ui/components/notice.tsx';
import { fill, localeOf } from '../ui/locale.ts';
import { renderPage } from '../ui/page.tsx';
import { useTexts, useView } from '../ui/view.ts';
import { errorAdvice, errorHeadings, errorPageTexts, errorTexts } from './messages/errors.ts';
import { countdownScript } from './scripts/countdown.ts';
import { renderInPopup } from './shared/popup-frame.tsx';
import { signInFor } from './shared/return-to.ts';

const signsInAgain = new Set<ErrorCode>([
  'sign_in_cancelled',
  'provider_error',
  'state_invalid',
  'email_conflict',
  'ticket_gone',
  'unauthenticated',
  'refresh_refused',
  'not_fresh',
  'provider_failed',
  'identity_closed',
]);

/** The page for people of any error answer: the same status and message, and what to do next. */
export function errorPage(deps: Deps): ErrorPage {
  return (c, error) => {
    const title = errorHeadings[localeOf(c)][`s${error.status}`];
    const popup = c.get('popup');
    const script = error.retryAfterSeconds === undefined ? undefined : countdownScript;
    const isRepeatable = canRepeat(c);
    const here = popup === undefined ? `/error/${error.code}` : `/popup/login?c=${popup}`;
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

/**
 * Where one signs in: in a popup in its own page, so that it still answers who opened it, and after a link that was
 * refused so that one comes back to the account.
 */
function signInOf(c: AppContext, code: ErrorCode): string {
  const popup = c.get('popup');
  // Whose session has just turned out to be over is not asked again whether they continue with it.
  const other = code === 'unauthenticated' ? '&other=1' : '';
  if (popup !== undefined) return `/popup/login?c=${popup}${other}`;
  const account = '/account/credentials';
  const isLink = c.req.path === '/v1/credentials/link' || c.get('back') === account;
  return isLink ? signInFor(account) : '/signin';
}

/**
 * Whether opening the address again may answer something better: a callback's code is spent, and a form is not sent
 * twice. What another site has led here for a popup of its own must not be led on by a link of ours.
 */
function canRepeat(c: AppContext): boolean {
  const isForeign = c.req.query('popup') !== undefined && c.get('popup') === undefined;
  return c.req.method === 'GET' && !c.req.path.endsWith('/callback') && !isForeign;
}

/** An error of a code, as `/error/:code` shows it to who changes the language of a page that cannot be opened again. */
export function errorOfCode(code: string): AppError {
  return new AppError(isErrorCode(code) ? code : 'not_found');
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(statusByCode, code);
}

interface ErrorCardProps {
  readonly error: AppError;
  readonly requestId: string;
  readonly isRepeatable: boolean;
  readonly signIn?: string;
  /** Where a link began that has failed, if this is about one: its person is signed in already. */
  readonly back?: string | null;
}

export function ErrorCard(props: ErrorCardProps) {
  const { error, requestId, isRepeatable, signIn = '/signin' } = props;
  const asksForSession = error.code === 'unauthenticated' || error.code === 'not_fresh';
  const isPopup = signIn.startsWith('/popup/');
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
        {back !== null && (
          <LinkButton href={back} look="main" full>
            {texts.back}
          </LinkButton>
        )}
        {back === null && (signsInAgain.has(error.code) || isPopup) && (
          <LinkButton href={signIn} look="main" full>
            {texts.signIn}
          </LinkButton>
        )}
        {retries && (
          <LinkButton href={here} full>
            {texts.tryAgain}
          </LinkButton>
        )}
      </p>
      <p class="quiet">
        {texts.requestId} <code>{requestId}</code>
      </p>
    </Card>
  );
}

/** What the error says: in the page's language where it is one of the known texts, and else as the API says it. */
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

/** How long to wait; without script it is a sentence that was true when it was written. */
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
