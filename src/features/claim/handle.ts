import { handleSkeleton } from '../../lib/look-alike.ts';
import { randomText } from '../../lib/oslo.ts';
import { present } from '../../lib/present.ts';
import { reservedHandles } from './reserved-handles.data.ts';

const minLength = 3;
const maxLength = 30;

/** Random endings avoid vowels, which could form words, and characters that have a look-alike. */
const randomAlphabet = '23456789bcdfghjk';

/** Latin letters that Unicode does not decompose into an ASCII letter and a mark. */
const undecomposedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

let reservedSkeletons: ReadonlySet<string> | undefined;

type ParsedHandle = { ok: true; handle: string } | { ok: false; problems: string[] };

/**
 * Parses a handle that a person typed. Only ASCII capitals are folded: Unicode normalisation could turn input in
 * another script into someone else's handle, and a PID is permanent.
 */
export function parseHandle(input: string): ParsedHandle {
  const problems: string[] = [];
  if (input.length < minLength || input.length > maxLength) {
    problems.push(`handle must be ${minLength} to ${maxLength} characters long`);
  }
  // The characters are checked before lower-casing, which maps the Kelvin sign to an ASCII k.
  if (/[^A-Za-z0-9._-]/.test(input)) {
    problems.push('handle must contain only letters a-z, digits, dots, underscores and hyphens');
  }
  if (/^[._-]|[._-]$/.test(input)) {
    problems.push('handle must start and end with a letter or digit');
  }
  if (/[._-]{2}/.test(input)) {
    problems.push('handle must not have two separators in a row');
  }
  return problems.length === 0 ? { ok: true, handle: input.toLowerCase() } : { ok: false, problems };
}

/** Returns whether a handle is a reserved name or a look-alike of one. */
export function isReservedHandle(handle: string): boolean {
  reservedSkeletons ??= new Set(Object.values(reservedHandles).flatMap(skeletonsOf));
  return reservedSkeletons.has(handleSkeleton(handle));
}

function skeletonsOf(names: string): string[] {
  return (names.match(/\S+/g) ?? []).map(handleSkeleton);
}

/**
 * Suggests up to `count` handles for a name, an email address or a handle, best first: the base itself, the base with 2
 * and 3, with two random digits, and from the seventh on with six random characters, so that a list of eight ends with
 * two that are almost certainly available. No two are look-alikes of each other, and none is reserved. The caller
 * checks availability. A reserved base is not extended, because `admin2` is as misleading as `admin`; like an empty
 * base, it yields `user-xxxxxx`. The list is shorter than `count` only if the random bytes repeat.
 */
export function suggestHandles(base: string | null, randomBytes: (n: number) => Uint8Array, count: number) {
  const stem = toStem(base ?? '');
  const usable = stem !== '' && !isReservedHandle(stem);
  const suggestions = new Map<string, string>();
  for (let round = 0; suggestions.size < count && round < 16 + 4 * count; round++) {
    const handle = usable
      ? decorate(stem, round, randomBytes)
      : `user-${randomText(randomBytes, randomAlphabet, 6)}`;
    if (isClaimable(handle)) suggestions.set(handleSkeleton(handle), handle);
  }
  return [...suggestions.values()];
}

/**
 * The handle to suggest to a newcomer, or null if neither part yields one. The display name is preferred: it is already
 * public, whereas the local part of an address in a permanent PID would reveal most of the address to everyone. Numbers
 * alone (phone numbers, account numbers) are not suggested.
 */
export function handleFrom(parts: { email?: string | null; displayName?: string | null }): string | null {
  for (const part of [parts.displayName, parts.email]) {
    const stem = toStem(part ?? '');
    if (/[a-z]/.test(stem) && isClaimable(stem)) return stem;
  }
  return null;
}

function isClaimable(handle: string): boolean {
  return parseHandle(handle).ok && !isReservedHandle(handle);
}

/** Keeps the part of a name that is valid in a handle, at most 30 characters. The result may be too short or empty. */
function toStem(text: string): string {
  const stem = nameIn(text.slice(0, 256))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => present(undecomposedLetters[letter], letter))
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, (run) => (run === '-' || run === '_' ? run : '.'))
    .replace(/^[._-]|[._-]$/g, '');
  return shorten(stem, maxLength);
}

/** The local part of an address or a PID. An address tag (`ada+news@`) is private and omitted. */
function nameIn(text: string): string {
  const [local = '', domain] = text.replace(/^@/, '').split('@', 2);
  return domain === undefined ? local : local.replace(/\+.*$/s, '');
}

/** Cuts between words, unless the cut would lose more than half of the allowed length. */
function shorten(stem: string, length: number): string {
  if (stem.length <= length) return stem;
  const wordEnd = stem.slice(0, length + 1).search(/[._-][a-z0-9]*$/);
  return stem.slice(0, wordEnd * 2 >= length ? wordEnd : length).replace(/[._-]$/, '');
}

function decorate(stem: string, round: number, randomBytes: (n: number) => Uint8Array): string {
  if (round === 0) return stem;
  if (round <= 2) return withNumber(stem, round + 1);
  const random =
    round <= 5
      ? randomText(randomBytes, randomAlphabet.slice(0, 8), 2)
      : randomText(randomBytes, randomAlphabet, 6);
  return `${shorten(stem, maxLength - 1 - random.length)}.${random}`;
}

/** Two adjacent digits would look like another number, so a dot separates them. */
function withNumber(stem: string, number: number): string {
  const name = shorten(stem, maxLength - 2);
  return /[0-9]$/.test(name) ? `${name}.${number}` : `${name}${number}`;
}
