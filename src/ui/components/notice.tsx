import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';

interface NoticeProps {
  readonly kind?: 'info' | 'warning' | 'problem';
  readonly title?: string;
  /** The language of the text where it is not that of the page. */
  readonly lang?: string | undefined;
  readonly children?: Child;
}

const looks = {
  info: { className: 'note', icon: 'info' },
  warning: { className: 'warning', icon: 'alert' },
  problem: { className: 'problems', icon: 'alert' },
} as const;

/** Something to know before going on. It stands where it belongs, so nothing reads it out by itself. */
export function Notice({ kind = 'info', title, lang, children }: NoticeProps) {
  const { className, icon } = looks[kind];
  return (
    <div class={`${className} icon`} lang={lang}>
      <Icon name={icon} />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

/** Problems of a form, read out and focused when the page opens; each leads to its field. */
export function ProblemSummary({
  title,
  problems,
}: {
  title: string;
  problems: readonly { text: string; field?: string; lang?: string | undefined }[];
}) {
  if (problems.length === 0) return null;
  return (
    <div class="problems" role="alert" tabindex={-1} autofocus>
      <h2>{title}</h2>
      <ul>
        {problems.map(({ text, field, lang }) => (
          <li lang={lang}>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

/** Says that something has just been done. */
export function Toast({ children }: { children: Child }) {
  return (
    <div class="toast" role="status" data-toast>
      <Icon name="check" />
      <span>{children}</span>
    </div>
  );
}

/** What stands where a list would, when there is nothing to list. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <p class="last">
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
