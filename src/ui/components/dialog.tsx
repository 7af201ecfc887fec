import type { Child } from 'hono/jsx';

/**
 * A question in front of the page. A script opens it in place of the link or button that names it by `data-opens`;
 * without script that one leads to a page which asks the same.
 */
export function Dialog({ id, title, children }: { id: string; title: string; children: Child }) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a question: what it asks for last, the way back before it. */
export function Ending({ children }: { children: Child }) {
  return <div class="end">{children}</div>;
}
