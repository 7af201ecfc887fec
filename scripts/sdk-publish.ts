import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { permissionsPolicy } from '../src/lib/permissions-policy.ts';
import { integrityOf } from './sdk-bundle.ts';

const root = join(import.meta.dirname, '..');

/** What the service serves under /sdk/. */
export const publicFolder = join(root, 'public/sdk');

export const versionsFile = join(publicFolder, 'versions.json');

/** Where the current version is also served, for pages that do not pin one. */
export const movingFolder = 'v1';

type Texts = ReadonlyMap<string, string>;

/** The hashes of each version's scripts, in the format of `integrity` attributes, and the newest version. */
export interface Versions {
  readonly latest: string;
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const changelogFile = join(root, 'CHANGELOG.md');

/** After the changelog has a heading for it, a version never changes again. */
export function isReleased(version: string, changelog = readFileSync(changelogFile, 'utf8')): boolean {
  return changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
}

/**
 * These files' version: that of package.json, with part of the files' hash until it is released, because anything
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

/** The list of versions with this one as the newest. Of the others only released ones stay. */
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

/**
 * The package as npm packs it: a tar archive (POSIX.1-1988 ustar) below `package/`. Names, order, modes and times depend
 * only on the files, so equal files make equal archives.
 */
export function tarOf(files: Texts): Buffer {
  const blocks = [...files].sort().flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [tarHeader(`package/${name}`, content.length), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

/** The time that npm also gives every file, in seconds. */
const packedAt = 499_162_500;

function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(bytes, 11), 124);
  header.write(octal(packedAt, 11), 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}

export function gzipped(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 9 });
}

/** A cache must ask whether the file has changed. */
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
 * The end of `public/_headers`. Each version has a separate block: Workers also sends these headers with a 404, which
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
