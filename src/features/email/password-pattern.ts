import { commonPasswords } from './common-passwords.data.ts';

/** What fingers and tongues find by themselves; each also counts backwards. */
const walks = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
].flatMap((walk) => [walk, [...walk].reverse().join('')]);

/** A year, or a day with its month and year. */
const date = /^((19|20)\d\d|(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(19|20)?\d\d)$/;

const shortestWalk = 3;
const shortestWord = 4;

/** Characters that stand for letters to those who must use a digit or a sign. */
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
 * The common passwords, unpacked at first use. Each entry is a capital letter that says how many characters it
 * shares with the one before, and the rest of it.
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
 * How many guesses of a knowing attacker a password is put together from: common passwords and the given words, runs
 * along the alphabet or the keyboard, one character again and again, dates; what is none of these counts by
 * character. What stands between words does not count, and a part that repeats itself counts once.
 */
export function countPieces(password: string, words: readonly string[]): number {
  const text = password.toLowerCase();
  const unit = repeatedPart(text);
  if (unit.length < text.length && unit.length <= 5) return 1;
  const known = new Set(words.map((word) => word.toLowerCase()).filter((word) => word.length >= 3));
  const joined = unit.replace(/[\s._-]+/g, '');
  return Math.min(fewestPieces(unit, known), fewestPieces(joined, known));
}

/** The shortest part that gives the text when it is repeated, the last time perhaps not to its end. */
function repeatedPart(text: string): string {
  for (let period = 1; period * 2 <= text.length; period += 1) {
    if (text.startsWith(text.slice(period))) return text.slice(0, period);
  }
  return text;
}

function fewestPieces(text: string, known: ReadonlySet<string>): number {
  const words = commonWords();
  const plain = [...text].map((character) => disguises[character] ?? character).join('');
  const reach = Math.max(longest, ...[...known].map((word) => word.length));
  const fewest = [0];
  const offer = (end: number, pieces: number) => {
    fewest[end] = Math.min(fewest[end] ?? Number.POSITIVE_INFINITY, pieces);
  };
  for (let start = 0; start < text.length; start += 1) {
    const before = fewest[start];
    // The second half of a character outside the basic plane: nothing ends before it.
    if (before === undefined) continue;
    const pieces = before + 1;
    offer(start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1), pieces);
    const run = runLength(text, start);
    for (
      let length = shortestWalk;
      length <= Math.max(run, Math.min(reach, text.length - start));
      length += 1
    ) {
      const part = text.slice(start, start + length);
      const isWord = [part, plain.slice(start, start + length)].some(
        (word) => (length >= shortestWord && words.has(word)) || known.has(word),
      );
      if (length <= run || isWord || date.test(part)) offer(start + length, pieces);
    }
  }
  return fewest[text.length] ?? 0;
}

/** How far a walk, or one character again and again, goes from here; 0 when it is too short to be one. */
function runLength(text: string, start: number): number {
  let same = 1;
  while (text[start + same] === text[start]) same += 1;
  let walked = 1;
  while (start + walked < text.length) {
    const part = text.slice(start, start + walked + 1);
    if (!walks.some((walk) => walk.includes(part))) break;
    walked += 1;
  }
  const length = Math.max(same, walked);
  return length >= shortestWalk ? length : 0;
}
