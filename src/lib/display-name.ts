/** Characters that break the line or the text around a name: controls, line separators, lone surrogates. */
const breaking = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}`;
/** Invisible characters. Scripts and emoji need joiners and variation selectors. */
const invisible = String.raw`(?![\u200c\u200d\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}`;

const forbidden = new RegExp(`[${breaking}]|${invisible}`, 'u');
const breakingRuns = new RegExp(`[${breaking}]+`, 'gu');
const everyInvisible = new RegExp(invisible, 'gu');
/** U+2800 is the Braille blank. */
const visible = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether a name is visible, and cannot be mistaken for another name or disturb the surrounding text. */
export function isFitForName(text: string): boolean {
  return visible.test(text) && !forbidden.test(text);
}

/**
 * Removes forbidden characters from a provider's name, and truncates it to 64 UTF-16 units; null if nothing visible is
 * left.
 */
export function readableName(text: string): string | null {
  let name = '';
  for (const character of text.replace(breakingRuns, ' ').replace(everyInvisible, '').trim()) {
    if (name.length + character.length > 64) break;
    name += character;
  }
  return visible.test(name) ? name.trim() : null;
}

/** Anything but letters, marks, digits, emoji and a few signs: dots, slashes, colons, `@` and their look-alikes. */
const notPlain = /[^\p{L}\p{M}\p{Nd}\p{Emoji}\p{Join_Control}'’&()+!?%-]+/gu;
/**
 * The letters and digits of an address, and all others, separated by a space, because some look like a dot (`ꓸ`, `ꞏ`,
 * `٠`) or a slash (`ノ`).
 */
const latin = String.raw`[[\p{Script=Latin}&&\p{Cased}]0-9]`;
const foreign = String.raw`[[\p{L}\p{Mc}\p{Nd}\p{Emoji}]--[\p{Script=Latin}&&\p{Cased}]--[0-9#*]]`;
const marks = String.raw`[\p{Mn}\p{Me}\p{Join_Control}]*`;
const borders = new RegExp(`${latin}${marks}(?=${foreign})|${foreign}${marks}(?=${latin})`, 'gv');

/**
 * The replacements that `withoutLinks` makes, in this order, here and in page scripts. None looks behind, so the time
 * is proportional to the length of the text.
 */
export const linkParts: readonly (readonly [part: RegExp, by: string])[] = [
  [notPlain, ' '],
  [borders, '$& '],
];

/**
 * Text chosen by someone else, changed so that neither email programs nor people mistake it for an address. Empty if
 * nothing is left.
 */
export function withoutLinks(text: string): string {
  return linkParts.reduce((plain, [part, by]) => plain.replace(part, by), text).trim();
}

/** A person in one line. The PID comes first: names can look alike, and a long one is truncated. */
export function partyLine(pid: string, name: string | null): string {
  const shown = withoutLinks(name ?? '');
  return shown === '' ? pid : `${pid} (${shown})`;
}
