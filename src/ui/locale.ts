import type { Locale } from '../http/locale.ts';

/** The texts of an area. The type requires the same keys in both languages, a test the same `{placeholders}`. */
export type Catalogue<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>;

export function catalogue<Key extends string>(texts: {
  en: Readonly<Record<Key, string>>;
  id: Readonly<Record<NoInfer<Key>, string>>;
}): Catalogue<Key> {
  return texts;
}

/** Fills the `{placeholders}` of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
