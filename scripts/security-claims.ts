/** The ids of a claim, before the full stop: `[D-37, S-02]`. */
const idsAtEnd = /\[((?:[A-Z]+-\d+|case \d+)(?:, (?:[A-Z]+-\d+|case \d+))*)\]\.$/;

/** Each sentence of the lists between `## Guarantees` and the next heading of that level. */
function claimsOf(page: string): string[] {
  const [, section = ''] = page.split(/^## Guarantees$/m);
  const [guarantees = ''] = section.split(/^## /m);
  return guarantees
    .split(/^- /m)
    .slice(1)
    .map((item) => item.split(/\n\n/)[0] ?? '')
    .flatMap((item) =>
      item
        .trim()
        .replace(/\s+/g, ' ')
        .split(/(?<=\.) (?=[A-Z`])/),
    );
}

/**
 * Lists the problems with the guarantees in `SECURITY.md`: each sentence must end with the ids of its requirements,
 * and a test must name each of them.
 *
 * @param page the text of `SECURITY.md`
 * @param tested the ids in test titles
 */
export function claimProblems(page: string, tested: ReadonlySet<string>): string[] {
  const claims = claimsOf(page);
  if (claims.length === 0) return ['SECURITY.md: has no list under "## Guarantees"'];
  return claims.flatMap((claim) => {
    const ids = idsAtEnd.exec(claim)?.[1]?.split(', ');
    if (!ids) {
      return [
        `SECURITY.md: "${claim}" names no test. End the sentence with the ids of the tests that show it, as in "Nothing changes [D-90]." If no test does, write one with a new id at the end of its title, describe the id in scripts/requirements.json and run npm run conformance, or remove the sentence.`,
      ];
    }
    return ids
      .filter((id) => !tested.has(id))
      .map((id) => `SECURITY.md: "${claim}" names ${id}, which is in no test's title`);
  });
}
