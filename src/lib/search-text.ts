const quotes = '"\'`“”„‘’‚«»‹›';
const before = new RegExp(`^[\\s${quotes}<>()[\\]{},;:]+`, 'u');
const after = new RegExp(`[\\s${quotes}<>()[\\]{},;:.!?…]+$`, 'u');
const idPattern = /^(?:crd|ses|aps|dep|wdr|adj|trf|inq|rev)_[0-9a-z]{26}(?:\.\d+)?$/i;

/** An `@` before a handle or a PID. Before a common domain it is the end of an email address. */
const handleSign = /^@(?=[^@]+(?:@pid)?$)(?!.*\.(?:com|net|org|edu|gov|co|id|io)$)/i;

/**
 * A search text without what copying adds to it: invisible characters, quotes, brackets, punctuation at the end,
 * `mailto:`, the name before an address (`Budi <budi@example.com>`), spaces around an `@`, and an `@` before a handle.
 * Ids, which have no upper case, become lower case.
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

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789._-'];
const handlePattern = /^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]$/;

/**
 * The handles that differ from a text by one letter too many, too few, wrong or swapped with the next, or by the
 * character that replaces its spaces: at most 2,500.
 */
export function similarHandles(text: string): string[] {
  const typed = text.toLowerCase();
  if (!/^[a-z0-9._ -]{3,31}$/.test(typed)) return [];
  const similar = typed.includes(' ')
    ? ['', '.', '-', '_'].map((one) => typed.replaceAll(' ', one))
    : typos(typed);
  return [...new Set(similar)].filter((handle) => handle !== typed && handlePattern.test(handle));
}

function typos(typed: string): string[] {
  return Array.from({ length: typed.length + 1 }, (_, at) => {
    const [start, letter = '', rest] = [typed.slice(0, at), typed[at], typed.slice(at + 1)];
    const [next = ''] = rest;
    return [
      start + rest,
      start + next + letter + rest.slice(1),
      ...letters.flatMap((other) => [start + other + rest, start + other + letter + rest]),
    ];
  }).flat();
}
