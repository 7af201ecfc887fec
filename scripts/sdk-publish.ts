import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionsPolicy } from '../src/lib/permissions-policy.ts';
import { tarOf } from './archive.ts';
import { integrityOf } from './sdk-bundle.ts';

const root = join(import.meta.dirname, '..');

/** The files served under /sdk/. */
export const publicFolder = join(root, 'public/sdk');

export const versionsFile = join(publicFolder, 'versions.json');

/** The address of the current version for pages that do not pin one. */
export const movingFolder = 'v1';

type Texts = ReadonlyMap<string, string>;

/** The hashes of each version's scripts, in the format of `integrity` attributes, and the newest version. */
export interface Versions {
  readonly latest: string;
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const changelogFile = join(root, 'CHANGELOG.md');

/** A version never changes after the changelog has a heading for it. */
export function isReleased(version: string, changelog = readFileSync(changelogFile, 'utf8')): boolean {
  return changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
}

/**
 * The version of these files: that of package.json, with part of the files' hash until the release, because files
 * served under a version may be cached forever.
 */
export function versionOf(files: Texts, changelog?: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (isReleased(version, changelog)) return version;
  const hash = createHash('sha256')
    .update(JSON.stringify([...files].sort()))
    .digest('hex');
  return `${version}-dev-${hash.slice(0, 8)}`;
}

export function readVersions(): Versions {
  if (!existsSync(versionsFile)) return { latest: '', versions: {} };
  return JSON.parse(readFileSync(versionsFile, 'utf8'));
}

/** The list of versions with this one as the newest. Only released versions are kept. */
export function withVersion(
  version: string,
  files: Texts,
  known = readVersions(),
  changelog?: string,
): Versions {
  const others = Object.entries(known.versions).filter(([other]) => isReleased(other, changelog));
  const scripts = [...files].filter(([name]) => name.endsWith('.js')).sort();
  const hashes = Object.fromEntries(scripts.map(([name, text]) => [name, integrityOf(text)]));
  return { latest: version, versions: { ...Object.fromEntries(others), [version]: hashes } };
}

/** The package as npm packs it, below `package/`. */
export function packageTar(files: Texts): Buffer {
  return tarOf(
    [...files].sort().map(([name, text]) => ({ name: `package/${name}`, content: Buffer.from(text) })),
  );
}

/** A cache has to check whether the file has changed. */
export const revalidated = 'Cache-Control: public, max-age=0, must-revalidate';

/** A block of `public/_headers`. */
export function headerBlock(path: string, lines: readonly string[]): string {
  const common = [
    'X-Content-Type-Options: nosniff',
    `Permissions-Policy: ${permissionsPolicy}`,
    'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  ];
  return [path, ...[...lines, ...common].map((line) => `  ${line}`), ''].join('\n');
}

/**
 * The end of `public/_headers`. Each version has a separate block: Workers also send these headers with a 404, which
 * must not be cached for a future version.
 */
export function sdkHeaders({ versions }: Versions): string {
  const open = [
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy: strict-origin-when-cross-origin',
    'Access-Control-Allow-Origin: *',
    'Cross-Origin-Resource-Policy: cross-origin',
  ];
  const changing = [`/sdk/${movingFolder}/pid.js`, '/sdk/versions.json', '/sdk/peridot-sdk.tgz'];
  const blocks = [
    ...changing.map((path) => headerBlock(path, [...open, revalidated])),
    ...Object.keys(versions).map((version) =>
      headerBlock(`/sdk/${version}/*`, [...open, 'Cache-Control: public, max-age=31536000, immutable']),
    ),
  ];
  return blocks.map((block) => `\n${block}`).join('');
}
