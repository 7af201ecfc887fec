import type { Child } from 'hono/jsx';

/** A text whose one `{placeholder}` is filled with markup, such as a time. */
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
