import { expect, it } from 'vitest';
import { claimProblems } from '../scripts/security-claims.ts';

const tested = new Set(['D-01', 'S-02', 'case 3']);
const problemsOf = (list: string) =>
  claimProblems(
    `# Security\n\nNothing here counts.\n\n## Guarantees\n\n**Cookies**\n\n${list}\n\n## Known limits\n\n- No id.`,
    tested,
  );

it('each sentence under Guarantees in SECURITY.md refers to existing tests', () => {
  expect(
    problemsOf('- One claim over\n  two lines [D-01].\n- Two: `a.b` [S-02]. `c` too [D-01, case 3].'),
  ).toEqual([]);
  expect(problemsOf('- A claim.')).toEqual([
    expect.stringContaining('"A claim." names no test. End the sentence with'),
  ]);
  expect(problemsOf('- One of two [D-01]. The other.')).toEqual([
    expect.stringContaining('"The other." names no test'),
  ]);
  expect(problemsOf('- A claim with a rest [D-01]')).toHaveLength(1);
  expect(problemsOf('- A claim [D-01, D-99].')).toEqual([
    `SECURITY.md: "A claim [D-01, D-99]." names D-99, which is in no test's title`,
  ]);
  expect(claimProblems('# Security', tested)).toEqual(['SECURITY.md: has no list under "## Guarantees"']);
});
