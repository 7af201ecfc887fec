import type { Child } from 'hono/jsx';

/** What a page of the popup is for, as its script needs to know it. */
export type Phase = 'wait' | 'choose' | 'start' | 'claim' | 'done' | 'error';

interface FrameProps {
  readonly popup: string;
  readonly phase: Phase;
  /** The opener's. A page that does not know it leaves it to what an earlier one has kept. */
  readonly origin?: string;
  /** What the page says once it has waited for too long. */
  readonly late?: { readonly title: string; readonly text: string };
  readonly children: Child;
}

/** A page's content, with what the popup's script reads. */
export function PopupFrame({ popup, phase, origin, late, children }: FrameProps) {
  return (
    <div
      data-popup={popup}
      data-phase={phase}
      data-origin={origin}
      data-title={late?.title}
      data-text={late?.text}
    >
      {children}
    </div>
  );
}
