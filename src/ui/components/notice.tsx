import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';

interface NoticeProps {
  readonly kind?: 'info' | 'warning' | 'problem';
  readonly title?: string;
  /** One paragraph; `children` for more. */
  readonly text?: string;
  /** The language of the text, if not the page's. */
  readonly lang?: string | undefined;
  readonly children?: Child;
}

const looks = {
  info: { className: 'note', icon: 'info' },
  warning: { className: 'warning', icon: 'alert' },
  problem: { className: 'problems', icon: 'alert' },
} as const;

/** Something to know before going on. Part of the page's flow, so screen readers do not announce it. */
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

interface Problem {
  readonly text: string;
  readonly field?: string;
  readonly lang?: string | undefined;
}

/** The problems of a form, announced and focused when the page opens; each links to its field. One of no field needs no title. */
export function ProblemSummary({ title, problems }: { title: string; problems: readonly Problem[] }) {
  const [first] = problems;
  if (first === undefined) return null;
  const isAlone = problems.length === 1 && first.field === undefined;
  return isAlone ? (
    <div class="problems" role="alert" tabindex={-1} autofocus>
      <h2 lang={first.lang}>{first.text}</h2>
    </div>
  ) : (
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

/** Confirms the last action. A script replaces the page's address by `here` if it is given. */
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
