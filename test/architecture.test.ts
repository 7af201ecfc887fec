import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkArchitecture } from './support/architecture.ts';
import { RULES } from './support/layer-checker.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FIXTURES = fileURLToPath(new URL('fixtures/architecture', import.meta.url));
const CODE = /\.[cm]?[jt]sx?$/;

/** Reads the code under the given folders of a tree as path to source; fixtures are trees of their own. */
function readTree(root: string, folders: string[]): Map<string, string> {
  const files = new Map<string, string>();
  const present = readdirSync(root);
  for (const folder of folders.filter((name) => present.includes(name))) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${name.split(sep).join('/')}`;
      if (CODE.test(path) && !path.startsWith('test/fixtures/'))
        files.set(path, readFileSync(join(root, path), 'utf8'));
    }
  }
  return files;
}

function checkFixture(name: string): ReturnType<typeof checkArchitecture> {
  return checkArchitecture(readTree(join(FIXTURES, name), ['src', 'test', 'scripts']));
}

describe('the layers of this project', () => {
  const tree = readTree(ROOT, ['src', 'test', 'scripts']);

  it('are kept by every file', () => {
    expect([...tree.keys()]).toContain('src/deps.ts');
    expect(checkArchitecture(tree).map(({ message }) => message)).toEqual([]);
  });
});

describe('the architecture checker', () => {
  const broken = readdirSync(join(FIXTURES, 'refused')).sort();

  it('accepts a tree that keeps every rule', () => {
    const sources = readTree(join(FIXTURES, 'accepted'), ['src', 'test', 'scripts']);
    expect(sources.size).toBeGreaterThan(20);
    expect(checkArchitecture(sources)).toEqual([]);
  });

  it.each(broken)('refuses the fixture %s with its message and no other', (name) => {
    const expected = readFileSync(join(FIXTURES, 'refused', name, 'expected.txt'), 'utf8')
      .trim()
      .split('\n');
    expect(checkFixture(join('refused', name)).map(({ message }) => message)).toEqual(expected);
  });

  it('has a broken fixture for every rule', () => {
    const shown = new Set(
      broken.flatMap((name) => checkFixture(join('refused', name)).map(({ rule }) => rule)),
    );
    expect([...shown].sort()).toEqual([...RULES].sort());
  });
});
