import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';

interface CardProps {
  /** The page's heading; sections have `heading` instead. */
  readonly title?: string;
  readonly heading?: string;
  readonly lead?: Child;
  readonly id?: string;
  /** Shows a tick above the title, after a success. */
  readonly isDone?: boolean;
  readonly children?: Child;
}

/** One topic of a page. Scripts can focus the page's heading. */
export function Card({ title, heading, lead, id, isDone = false, children }: CardProps) {
  return (
    <section class="card" id={id} aria-labelledby={id && `${id}-heading`}>
      {isDone && (
        <div class="tick">
          <Icon name="check" />
        </div>
      )}
      {title !== undefined && <h1 tabindex={-1}>{title}</h1>}
      {heading !== undefined && <h2 id={id && `${id}-heading`}>{heading}</h2>}
      {lead !== undefined && <p class={title === undefined ? 'quiet' : 'lead'}>{lead}</p>}
      {children}
    </section>
  );
}

/**
 * A modal question. A script opens it when a link or button with its id in `data-opens` is clicked; without script, the
 * link or button works as usual.
 */
export function Dialog({ id, title, children }: { id: string; title: string; children: Child }) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The buttons of a question: cancel, then the action. */
export function Ending({ children }: { children: Child }) {
  return <div class="end">{children}</div>;
}

interface NoticeProps {
  readonly kind?: 'info' | 'warning' | 'problem';
  readonly title?: string;
  /** One paragraph; `children` for more. */
  readonly text?: string;
  /** The language of the text, if it differs from the page's. */
  readonly lang?: string | undefined;
  readonly children?: Child;
}

const looks = {
  info: { className: 'note', icon: 'info' },
  warning: { className: 'warning', icon: 'alert' },
  problem: { className: 'problems', icon: 'alert' },
} as const;

/** A notice to read before continuing. It is part of the page's flow, so screen readers do not announce it. */
export function Notice({ kind = 'info', title, text, lang, children }: NoticeProps) {
  const { className, icon } = looks[kind];
  return (
    <div class={`${className} icon`} lang={lang}>
      <Icon name={icon} />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        {text !== undefined && <p>{text}</p>}
        {children}
      </div>
    </div>
  );
}

/** A form's problem without a field, announced and focused when the page opens. */
export function Problem({ text, lang }: Pick<NoticeProps, 'lang'> & { text: string }) {
  return (
    <div role="alert" tabindex={-1} autofocus>
      <Notice kind="problem" text={text} lang={lang} />
    </div>
  );
}

/** Confirms the last action. A script replaces the page's address with `here`, if given. */
export function Toast({ children, here }: { children: Child; here?: string | undefined }) {
  return (
    <div class="toast" role="status" data-toast={here ?? ''}>
      <Icon name="check" />
      <span>{children}</span>
    </div>
  );
}

/** Replaces an empty list. */
export function Empty({ title, advice, children }: { title: string; advice?: string; children?: Child }) {
  return (
    <div class="empty">
      <p class="last">
        <strong>{title}</strong>
      </p>
      {advice !== undefined && <p class="quiet">{advice}</p>}
      {children}
    </div>
  );
}
