type Texts = Readonly<Record<'CHANGELOG.md' | 'package.json' | 'package-lock.json', string>>;

const unreleased = '## Unreleased\n';

/**
 * @param changed the output of `git status --porcelain`
 * @returns the reason why the tree cannot become this version and what to do, or null
 */
export function problemWith(version: string, files: Texts, changed: string): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is no version: give three numbers, such as 0.2.0`;
  if (changed !== '') return `Commit or stash your changes first:\n${changed.trimEnd()}`;
  const { version: current }: { version: string } = JSON.parse(files['package.json']);
  const [, entries = ''] = files['CHANGELOG.md'].split(unreleased);
  const [text = '', newest = '0.0.0'] = entries.split(/^## (\S+)/m);
  if (!isGreater(version, newest)) return `${version} is not greater than ${newest}: give a greater version`;
  // The version in package.json may already have been raised for the SDK, but was not released.
  if (isGreater(current, version))
    return `${version} is less than ${current} in package.json: give a greater version`;
  if (!/^- /m.test(text)) return 'CHANGELOG.md has no entry under "Unreleased": say there what has changed';
  return null;
}

/** The files with "Unreleased" moved to the version. */
export function withVersion(version: string, files: Texts, date: string): Texts {
  const [head, ...rest] = files['CHANGELOG.md'].split(unreleased);
  const raised = (text: string, times: number) => {
    let left = times;
    return text.replace(/^ +"version": "[^"]*"/gm, (line) =>
      left-- > 0 ? line.replace(/: ".*/, `: "${version}"`) : line,
    );
  };
  return {
    'CHANGELOG.md': `${head}${unreleased}\n## ${version} (${date})\n${rest.join(unreleased)}`,
    'package.json': raised(files['package.json'], 1),
    // The version of the file, and that of the root package.
    'package-lock.json': raised(files['package-lock.json'], 2),
  };
}

function isGreater(version: string, than: string): boolean {
  const parts = (text: string) =>
    text
      .split('.')
      .map((part) => part.padStart(9, '0'))
      .join();
  return parts(version) > parts(than);
}
