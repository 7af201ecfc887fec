import type { Child } from 'hono/jsx';

/**
 * A question in front of the page. A script opens it when the link or button that names it in `data-opens` is pressed;
 * without script, that link or button does its own work.
 */
export function Dialog({ id, title, children }: { id: string; title: string; children: Child }) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The buttons of a question: the way back, then the action. */
export function Ending({ children }: { children: Child }) {
  return <div class="end">{children}</div>;
}
