/**
 * Characters that a name must not have, because it could pass for another or spoil the text around it: controls,
 * direction marks, invisible marks and lone surrogates. Joiners are allowed: some scripts and emoji need them.
 */
const forbidden = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const forbiddenRuns = new RegExp(`(?:${forbidden.source})+`, 'gu');

export function isFitForName(text: string): boolean {
  return !forbidden.test(text);
}

/** A provider's name without forbidden characters, at most 64 UTF-16 units; null when nothing is left. */
export function readableName(text: string): string | null {
  let name = '';
  for (const character of text.replace(forbiddenRuns, ' ').trim()) {
    if (name.length + character.length > 64) break;
    name += character;
  }
  return name.trim() || null;
}
