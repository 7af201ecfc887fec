import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import type { HandOver } from '../../features/popup/hand-over.ts';
import type { AppContext } from '../../http/context.ts';
import { LinkButton } from '../../ui/components/form.tsx';
import { commonTexts } from '../../ui/messages.ts';
import { type PageOptions, renderPage } from '../../ui/page.tsx';
import { useTexts } from '../../ui/view.ts';
import { popupTexts } from '../messages/popup.ts';
import { withPopupScript } from '../scripts/popup.ts';
import { popupUrl } from './paths.ts';

/** The purpose of a popup page, for its script. */
export type Phase = 'wait' | 'choose' | 'start' | 'claim' | 'done' | 'error';

interface Frame {
  readonly popup: string;
  readonly phase: Phase;
  /** The opener's origin. Without it the script uses the one stored by an earlier page. */
  readonly origin?: string;
  /** The remaining time for which the opener waits. The script stores it for pages that lack it. */
  readonly secondsLeft?: number;
  /** The script sends this to the opener, or to a page of the app. */
  readonly handedOver?: HandOver | null;
  /** The text of the page after the deadline. */
  readonly late?: { readonly title: string; readonly text: string };
}

/** Marks a request as part of a popup, so that error pages stay in the popup. */
export function markPopup(c: AppContext, popup: string | null): void {
  if (popup !== null) c.set('popup', popup);
}

/** Renders a popup page, with the popup's script alongside the page's own. */
export function renderInPopup(
  c: AppContext,
  deps: Deps,
  { frame, ...options }: PageOptions & { readonly frame: Frame },
  body: Child,
): Response | Promise<Response> {
  const script = withPopupScript(options.script);
  return renderPage(c, deps, { ...options, script }, <PopupFrame {...frame}>{body}</PopupFrame>);
}

/** The parts around every page of a popup. */
export function PopupFrame({
  popup,
  phase,
  origin,
  secondsLeft,
  handedOver,
  late,
  children,
}: Frame & { children: Child }) {
  return (
    <div
      data-popup={popup}
      data-phase={phase}
      data-origin={origin}
      data-seconds-left={secondsLeft}
      data-result={handedOver?.result}
      data-return={handedOver?.returnUrl}
      data-title={late?.title}
      data-text={late?.text}
    >
      {children}
      {handedOver && <NotTaken />}
      {phase !== 'wait' && phase !== 'done' && <Deadline popup={popup} />}
    </div>
  );
}

/** Shown if the opener is lost and no page of the app can receive the result. */
function NotTaken() {
  const { notTaken } = useTexts(popupTexts);
  return (
    <div role="status">
      <p data-not-taken hidden>
        {notTaken}
      </p>
    </div>
  );
}

/**
 * Reserves space for the remaining time, which a script shows, announces once shortly before the end, and then replaces
 * with a link back (WCAG 2.2.1).
 */
function Deadline({ popup }: { popup: string }) {
  const texts = useTexts(popupTexts);
  return (
    <div class="stack" data-deadline>
      <p
        class="hint number"
        role="timer"
        aria-label={useTexts(commonTexts).timeLeft}
        data-text={texts.timeLeft}
      >
        {'\u00a0'}
      </p>
      <p class="hint" role="status" data-soon={texts.soonOver} data-over={texts.timeOver} />
      <div hidden>
        <LinkButton href={popupUrl('done', popup)} full text={texts.backToApp} />
      </div>
    </div>
  );
}
