/** Text in English and in Indonesian: a pair or, if too long for a line, one line each. */
export type Text = readonly [en: string, id: string] | `${string}\n${string}`;

/** The texts of an area by language. */
export type Catalogue<Key extends string> = Readonly<Record<'en' | 'id', Readonly<Record<Key, string>>>>;

/** One of the languages of a text. */
export function inLanguage(locale: 'en' | 'id', text: Text): string {
  const [en = '', id = ''] = typeof text === 'string' ? text.split(/\n\s*/) : text;
  return locale === 'en' ? en : id;
}

/** The texts of an area by key, with both languages side by side. A test compares their `{placeholders}`. */
export function catalogue<Key extends string>(texts: Readonly<Record<Key, Text>>): Catalogue<Key> {
  const all = Object.entries<Text>(texts);
  const inOne = (locale: 'en' | 'id') =>
    Object.fromEntries(all.map(([key, text]) => [key, inLanguage(locale, text)]));
  return { en: inOne('en'), id: inOne('id') } as Catalogue<Key>;
}
