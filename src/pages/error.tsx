import type { Deps } from '../deps.ts';
import type { AppError, ErrorCode, ErrorStatus } from '../errors.ts';
import type { ErrorPage } from '../middleware/errors.ts';
import { renderPage } from './page.tsx';
import { PopupFrame } from './popup/frame.tsx';
import { popupScript } from './popup/popup-script.ts';

const headings: Record<ErrorStatus, string> = {
  400: 'That did not work',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Nothing is here',
  409: 'Already in use',
  410: 'Too late',
  413: 'Too much at once',
  415: 'Not understood',
  429: 'One moment, please',
  500: 'Something went wrong',
  502: 'The other side did not answer',
  503: 'Not available now',
};

/** What to do next, for errors a person can do something about. */
const advice: Partial<Record<ErrorCode, string>> = {
  sign_in_cancelled: 'Nothing was changed. You can start again whenever you like.',
  provider_error: 'Nothing was changed. Start again, and accept the request if you want to sign in.',
  state_invalid: 'Start the sign-in again, in this browser.',
  email_conflict:
    'This email address already belongs to another PID. Sign in the way you did when you claimed that one.',
  ticket_gone: 'A claim must be finished soon after signing in. Sign in again for a fresh one.',
  unauthenticated: 'Your session may have ended.',
  refresh_refused: 'Your session has ended.',
  not_fresh: 'This needs a recent sign-in.',
  identity_suspended: 'Ask support if you think this is a mistake.',
  provider_failed: 'Nothing was changed. Try again in a moment.',
  provider_not_configured: 'Whoever runs this service has to set up an identity provider first.',
  unavailable: 'Try again in a moment.',
  internal: 'This is our fault. Try again; if it happens again, tell support the request id below.',
};

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
]);

/** The page for people of any error answer: the same status and message, and what to do next. */
export function errorPage(deps: Deps): ErrorPage {
  return (c, error) => {
    const title = headings[error.status];
    const body = (
      <ErrorCard {...{ heading: title, error, requestId: c.get('requestId'), popup: c.get('popup') }} />
    );
    const popup = c.get('popup');
    if (popup === undefined) return renderPage(c, deps, { title, status: error.status }, body);
    const frame = <PopupFrame {...{ popup, phase: 'error' }}>{body}</PopupFrame>;
    return renderPage(c, deps, { title, status: error.status, script: popupScript }, frame);
  };
}

interface ErrorCardProps {
  readonly heading: string;
  readonly error: AppError;
  readonly requestId: string;
  readonly popup: string | undefined;
}

function ErrorCard({ heading, error, requestId, popup }: ErrorCardProps) {
  // Whose session has just turned out to be over is not asked again whether they continue with it.
  const other = error.code === 'unauthenticated' ? '&other=1' : '';
  const signIn = popup === undefined ? '/signin' : `/popup/login?c=${popup}${other}`;
  const texts = typeof error.texts === 'string' ? [error.texts] : error.texts;
  const wait = error.retryAfterSeconds;
  return (
    <section class="card">
      <h1>{heading}</h1>
      <div class="problems">
        {texts.map((text) => (
          <p class="last" lang={error.code === 'email_conflict' ? 'id' : undefined}>
            {text}
          </p>
        ))}
      </div>
      {advice[error.code] !== undefined && <p>{advice[error.code]}</p>}
      {wait !== undefined && <p>{`Try again in ${wait} second${wait === 1 ? '' : 's'}.`}</p>}
      {signsInAgain.has(error.code) && (
        <p>
          <a class="button main full" href={signIn}>
            Sign in
          </a>
        </p>
      )}
      <p class="quiet">
        Request id <code>{requestId}</code>
      </p>
    </section>
  );
}
