/**
 * Characters no name may hold: controls, marks that turn the reading direction or take no room, and halves of a
 * surrogate pair. They let one name pass for another, or spoil the text around it. Joiners stay: some scripts
 * and emoji need them.
 */
const unfit = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const unfitRuns = new RegExp(`(?:${unfit.source})+`, 'gu');

export function isFitForName(text: string): boolean {
  return !unfit.test(text);
}

/** A name from outside as it can be shown: without unfit characters, at most 64 UTF-16 units, or null when nothing is left. */
export function readableName(text: string): string | null {
  let name = '';
  for (const character of text.replace(unfitRuns, ' ').trim()) {
    if (name.length + character.length > 64) break;
    name += character;
  }
  return name.trim() || null;
}
