/** Characters that break the line or the text around a name: controls, line separators, lone surrogates. */
const breaking = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}`;
/** Invisible characters. Scripts and emoji need joiners and variation selectors. */
const invisible = String.raw`(?![\u200c\u200d\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}`;

const forbidden = new RegExp(`[${breaking}]|${invisible}`, 'u');
const breakingRuns = new RegExp(`[${breaking}]+`, 'gu');
const everyInvisible = new RegExp(invisible, 'gu');
/** U+2800 is the Braille blank. */
const visible = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether a name is visible, and cannot pass for another or disturb the text around it. */
export function isFitForName(text: string): boolean {
  return visible.test(text) && !forbidden.test(text);
}

/** A provider's name without forbidden characters, at most 64 UTF-16 units; null when nothing visible is left. */
export function readableName(text: string): string | null {
  let name = '';
  for (const character of text.replace(breakingRuns, ' ').replace(everyInvisible, '').trim()) {
    if (name.length + character.length > 64) break;
    name += character;
  }
  return visible.test(name) ? name.trim() : null;
}
