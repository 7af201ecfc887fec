import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { gzipped } from '../scripts/archive.ts';
import { isReleased, packageTar, sdkHeaders, versionOf, withVersion } from '../scripts/sdk-publish.ts';

const { version } = packageJson;
const draft = '# Changelog\n\n## Unreleased\n\n- `## 9.9.9`\n';
const released = `${draft}\n## ${version} (2026-11-22)\n\n## 0.0.9\n`;
const files = new Map([
  ['pid.js', 'var Pid;'],
  ['index.d.ts', 'export {};'],
]);

describe('a version of the SDK', () => {
  it('is released when the changelog has a heading for it', () => {
    expect(isReleased(version, draft)).toBe(false);
    expect(isReleased('9.9.9', draft)).toBe(false);
    expect(['0.0.9', version, '0.0'].map((each) => isReleased(each, released))).toEqual([true, true, false]);
  });

  it('has a different name for each content until its release', () => {
    const name = versionOf(files, draft);
    expect(name).toMatch(new RegExp(`^${version}-dev-[0-9a-f]{8}$`));
    expect(versionOf(new Map([...files].reverse()), draft)).toBe(name);
    expect(versionOf(new Map([...files, ['pid.js', 'var Pid = 1;']]), draft)).not.toBe(name);
    expect(versionOf(files, released)).toBe(version);
  });

  it('is listed with the hashes of its scripts, alongside all released versions', () => {
    const known = { latest: 'x', versions: { '0.0.9': { 'pid.js': 'sha384-old' }, '0.0.9-dev-1': {} } };
    const list = withVersion(version, files, known, released);
    expect(list.latest).toBe(version);
    expect(Object.keys(list.versions)).toEqual(['0.0.9', version]);
    expect(list.versions[version]).toEqual({ 'pid.js': expect.stringMatching(/^sha384-[\w+/]{64}$/) });
    const blocks = sdkHeaders(list).split('\n\n');
    const lasting = blocks
      .filter((block) => block.includes('immutable'))
      .map((block) => block.trim().split('\n')[0]);
    expect(lasting).toEqual(['/sdk/0.0.9/*', `/sdk/${version}/*`]);
  });
});

it('the package archive depends only on its files and unpacks to them', () => {
  const text = `${'é'.repeat(400)}\n`;
  const content = new Map([...files, ['README.md', text]]);
  const archive = packageTar(content);
  expect(packageTar(new Map([...content].reverse())).equals(archive)).toBe(true);
  const unpack = (...args: string[]) =>
    execFileSync('tar', [...args], { input: gzipped(archive) }).toString();
  expect(unpack('tzf', '-').trim().split('\n')).toEqual([
    'package/README.md',
    'package/index.d.ts',
    'package/pid.js',
  ]);
  expect(unpack('xzOf', '-', 'package/README.md')).toBe(text);
});
