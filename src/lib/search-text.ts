const quotes = '"\'`“”„‘’‚«»‹›';
const before = new RegExp(`^[\\s${quotes}<>()[\\]{},;:]+`, 'u');
const after = new RegExp(`[\\s${quotes}<>()[\\]{},;:.!?…]+$`, 'u');
const idPattern = /^(?:crd|ses|aps|dep|wdr|adj|trf|inq|rev)_[0-9a-z]{26}(?:\.\d+)?$/i;

/** An `@` before a handle or a PID. Before a common domain it is the end of an email address. */
const handleSign = /^@(?=[^@]+(?:@pid)?$)(?!.*\.(?:com|net|org|edu|gov|co|id|io)$)/i;

/**
 * A search text without the characters that copying adds: invisible characters, quotes, brackets, punctuation at the
 * end, `mailto:`, the name before an address (`Budi <budi@example.com>`), spaces around an `@`, and an `@` before a
 * handle. Ids, which have no upper case, become lower case.
 */
export function searchText(given: string): string {
  const plain = given.replace(/\p{Cf}/gu, '').replace(/\s+/gu, ' ');
  const [, address] = /<([^<>]+)>\s*$/.exec(plain) ?? [];
  const bare = (address ?? plain)
    .replace(before, '')
    .replace(after, '')
    .replace(/^mailto:/i, '');
  const joined = bare.replace(/\s*@\s*/g, '@').replace(handleSign, '');
  return idPattern.test(joined) ? joined.toLowerCase() : joined;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/** A handle as typed from hearing or memory: without separators and spaces, which all count as equal. Null for other text. */
export function plainHandle(text: string): string | null {
  const plain = text
    .toLowerCase()
    .replace(/@pid$/, '')
    .replace(/[ ._-]/g, '');
  return /^[a-z0-9]{2,30}$/.test(plain) ? plain : null;
}

/** The texts with one letter too many, too few, wrong, or swapped with the next: at most 2,500. */
export function typosOf(plain: string): string[] {
  return Array.from({ length: plain.length + 1 }, (_, at) => {
    const [start, letter = '', rest] = [plain.slice(0, at), plain[at], plain.slice(at + 1)];
    const [next = ''] = rest;
    return [
      start + rest,
      start + next + letter + rest.slice(1),
      ...letters.flatMap((other) => [start + other + rest, start + other + letter + rest]),
    ];
  }).flat();
}

/** The number of such typos between two short texts. */
export function typosBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const [before = [], last = [], row] = [rows[i - 2], rows[i - 1], [i]];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        ...(isSwap ? [(before[j - 2] ?? 0) + 1] : []),
      );
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
