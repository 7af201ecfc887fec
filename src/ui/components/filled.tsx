import type { Child } from 'hono/jsx';

/** A text with markup, such as a time, in place of its one `{placeholder}`. */
export function Filled({ text, children }: { text: string; children: Child }) {
  const [before = '', after = ''] = text.split(/\{\w+\}/);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}
