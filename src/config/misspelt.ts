/**
 * Names that differ from a known name by one or two letters, each with the known name.
 * @param given the names to check; unknown ones usually belong to other programs
 */
export function misspelt(given: readonly string[], known: readonly string[]): [string, string][] {
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      // In short names, two letters make a different word: HOST, PORT and POST.
      const nearest = known.find((one) => one.length >= 8 && hasThird(name, one) && distance(name, one) <= 2);
      return nearest === undefined ? [] : [[name, nearest] satisfies [string, string]];
    });
}

/**
 * Two wrong letters leave one third of a name unchanged. Searching for this third costs much less than the distance.
 */
function hasThird(name: string, one: string): boolean {
  const third = Math.ceil(one.length / 3);
  return [0, third, 2 * third].some((at) => name.includes(one.slice(at, at + third)));
}

/** The number of letters to insert, delete or replace (Levenshtein distance); 3 means any number above 2. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(row[b.length] ?? 3, 3);
}
