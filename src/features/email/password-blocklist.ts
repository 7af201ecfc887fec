import { commonPasswords } from './common-passwords.data.ts';

/** Attackers soon try passwords that combine up to this many common ones. */
const maxCommon = 3;
const shortestContextWord = 3;
const shortestWord = 4;

/** Characters that replace letters if a password must contain a digit or a symbol. */
const disguises: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

let common: ReadonlySet<string> | undefined;
let longest = 0;

/**
 * The common passwords, unpacked on first use. An entry is a capital letter for the number of characters shared with
 * the previous entry (`A` is none), followed by the remaining characters.
 */
export function commonWords(): ReadonlySet<string> {
  if (common !== undefined) return common;
  const words = new Set<string>();
  let last = '';
  for (const [entry] of commonPasswords.matchAll(/[A-Z][^A-Z]*/g)) {
    last = last.slice(0, entry.charCodeAt(0) - 65) + entry.slice(1);
    words.add(last);
    longest = Math.max(longest, last.length);
  }
  common = words;
  return words;
}

/**
 * Returns whether a password must be blocked (NIST SP 800-63B-4, section 3.1.1.2): it consists of context words and at
 * most three common passwords, or of a repeated short piece. Case, separators, and digits and symbols at the ends or in
 * place of letters are ignored.
 * @param options.words names of the person and of the service
 * @param options.minLength repeated pieces at least this long, in characters, are allowed
 */
export function isBlocked(
  password: string,
  { words, minLength }: { readonly words: readonly string[]; readonly minLength: number },
): boolean {
  const context = words
    .map((word) => word.toLowerCase())
    .filter(({ length }) => length >= shortestContextWord);
  const text = password.toLowerCase();
  const bare = text.replace(/^\P{L}+|\P{L}+$/gu, '');
  const forms = [text, bare].flatMap((form) => [form, withoutDisguise(form)]);
  // Separators matter only in the password as typed, where nothing else may remain.
  return [text, ...forms.map((form) => form.replace(/[\s\p{P}\p{S}]+/gu, ''))].some((form) => {
    const piece = repeatedPiece(form);
    return (piece !== form && piece.length < minLength) || isPutTogether(piece, context);
  });
}

function withoutDisguise(text: string): string {
  return [...text].map((character) => disguises[character] ?? character).join('');
}

/** The shortest piece that yields the text when repeated, by the Knuth-Morris-Pratt prefix function. */
function repeatedPiece(text: string): string {
  const borders = [0];
  let border = 0;
  for (let end = 1; end < text.length; end += 1) {
    while (border > 0 && text[end] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[end] === text[border]) border += 1;
    borders.push(border);
  }
  return border * 2 >= text.length ? text.slice(0, text.length - border) : text;
}

/** Returns whether context words and at most three common passwords make up the whole text. */
function isPutTogether(text: string, context: readonly string[]): boolean {
  const words = commonWords();
  /** For each position, the smallest number of common passwords that reach it. */
  const fewest = [0];
  const reach = (position: number, count: number) => {
    fewest[position] = Math.min(fewest[position] ?? count, count);
  };
  for (let start = 0; start < text.length; start += 1) {
    const count = fewest[start];
    if (count === undefined) continue;
    for (const word of context) if (text.startsWith(word, start)) reach(start + word.length, count);
    for (let end = start + shortestWord; end <= Math.min(start + longest, text.length); end += 1)
      if (words.has(text.slice(start, end))) reach(end, count + 1);
  }
  return text !== '' && (fewest[text.length] ?? maxCommon + 1) <= maxCommon;
}
