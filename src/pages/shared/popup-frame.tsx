import type { Child } from 'hono/jsx';
import { LinkButton } from '../../ui/components/button.tsx';
import { useTexts } from '../../ui/view.ts';
import { popupTexts } from '../messages/popup.ts';

/** What a page of the popup is for, as its script needs to know it. */
export type Phase = 'wait' | 'choose' | 'start' | 'claim' | 'done' | 'error';

interface FrameProps {
  readonly popup: string;
  readonly phase: Phase;
  /** The opener's. A page that does not know it leaves it to what an earlier one has kept. */
  readonly origin?: string;
  /** How long the opener still waits. The script keeps it for pages that do not know it. */
  readonly secondsLeft?: number;
  /** What the page says once it has waited for too long. */
  readonly late?: { readonly title: string; readonly text: string };
  readonly children: Child;
}

/** A page's content, with what the popup's script reads. */
export function PopupFrame({ popup, phase, origin, secondsLeft, late, children }: FrameProps) {
  return (
    <div
      data-popup={popup}
      data-phase={phase}
      data-origin={origin}
      data-seconds-left={secondsLeft}
      data-title={late?.title}
      data-text={late?.text}
    >
      {children}
      {phase !== 'wait' && phase !== 'done' && <Deadline popup={popup} />}
    </div>
  );
}

/** The time that is left: shown all along, said once shortly before its end, and then the way back (WCAG 2.2.1). */
function Deadline({ popup }: { popup: string }) {
  const texts = useTexts(popupTexts);
  return (
    <div class="stack" data-deadline hidden>
      <p class="hint" role="timer" data-text={texts.timeLeft} />
      <p class="hint" role="status" data-soon={texts.soonOver} data-over={texts.timeOver} />
      <div hidden>
        <LinkButton href={`/popup/done?c=${popup}`} full>
          {texts.backToApp}
        </LinkButton>
      </div>
    </div>
  );
}
