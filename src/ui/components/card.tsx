import type { Child } from 'hono/jsx';

interface CardProps {
  /** The page's heading; sections have `heading` instead. */
  readonly title?: string;
  readonly heading?: string;
  readonly lead?: Child;
  readonly id?: string;
  readonly children?: Child;
}

/** One topic of a page. Scripts can focus the page's heading. */
export function Card({ title, heading, lead, id, children }: CardProps) {
  return (
    <section class="card" id={id} aria-labelledby={id && `${id}-heading`}>
      {title !== undefined && <h1 tabindex={-1}>{title}</h1>}
      {heading !== undefined && <h2 id={id && `${id}-heading`}>{heading}</h2>}
      {lead !== undefined && <p class={title === undefined ? 'quiet' : 'lead'}>{lead}</p>}
      {children}
    </section>
  );
}
