import type { Locale } from '../http/locale.ts';

/** The texts of an area by language. */
export type Catalogue<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>;

/** A text in English and in Indonesian: a pair, or where that is too long for a line, one line each. */
type Text = readonly [en: string, id: string] | `${string}\n${string}`;

/** The texts of an area by key, with both languages next to each other. A test compares their `{placeholders}`. */
export function catalogue<Key extends string>(texts: Readonly<Record<Key, Text>>): Catalogue<Key> {
  const both = Object.entries<Text>(texts).map(
    ([key, text]) => [key, typeof text === 'string' ? text.split(/\n\s*/) : text] as const,
  );
  const inOne = (at: 0 | 1) => Object.fromEntries(both.map(([key, pair]) => [key, pair[at]]));
  return { en: inOne(0), id: inOne(1) } as Catalogue<Key>;
}

/** Fills the `{placeholders}` of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
