import type { Brand } from '../brand/brand-settings.ts';
import type { Theme } from '../brand/colour.ts';
import type { Locale } from '../http/context.ts';
import type { Catalogue } from '../lib/texts.ts';

/** A page's presentation to its reader. Every component can read it without props. */
export interface View {
  readonly locale: Locale;
  /** The requested theme; null follows the browser's setting. */
  readonly theme: Theme | null;
  readonly now: number;
  readonly brand: Brand;
  /** The page's own address, path and query. */
  readonly here: string;
  /** The Content-Security-Policy nonce of the page's own scripts and styles. */
  readonly nonce: string;
}

/** Rendering is synchronous, so only one page is rendered at a time. */
let current: View | null = null;

/** Renders a page whose components read its view. */
export function renderWith(view: View, page: { toString(): string | Promise<string> }): string {
  current = view;
  try {
    const text = page.toString();
    if (typeof text === 'string') return text;
  } finally {
    current = null;
  }
  throw new Error('a page must render synchronously: load its data first');
}

/** The view of the page being rendered. */
export function useView(): View {
  if (current === null) throw new Error('useView works only while a page is rendered');
  return current;
}

/** The texts of an area in the language of the page being rendered. */
export function useTexts<Key extends string>(texts: Catalogue<Key>): Readonly<Record<Key, string>> {
  return texts[useView().locale];
}

/** Fills the `{placeholders}` of text; null becomes empty. */
export function fill(text: string, values: Readonly<Record<string, string | number | null>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] === undefined ? whole : String(values[name] ?? ''),
  );
}
