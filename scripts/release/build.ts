import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipped, tarOf } from '../archive.ts';
import type { Architecture } from './bun-binary.ts';
import { recordOrder } from './bytecode-order.ts';
import { billOf, componentsOf, licencesOf } from './components.ts';
import { buildExecutable } from './executable.ts';
import { buildImage } from './image.ts';
import { below, buildService, migrationNames } from './service.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name));

/** The files of a release by their names, except the list of them. */
export async function buildRelease(): Promise<Map<string, Buffer>> {
  const { version }: { version: string } = JSON.parse(read('package.json').toString());
  const service = await buildService();
  const worker = buildWorker();
  const components = componentsOf([service.metafile, JSON.parse(read('dist/worker.meta.json').toString())]);
  const licences = Buffer.from(licencesOf(components));
  const withLicences = new Map([...service.files, ['LICENSES.txt', licences]]);
  const image = (architecture: Architecture) => buildImage(architecture, withLicences, version).archive;
  const order = await recordOrder(service.files);
  const executable = (architecture: Architecture) =>
    gzipped(buildExecutable(architecture, service.files, order));
  return new Map([
    [`peridot-${version}-linux-amd64.gz`, executable('amd64')],
    [`peridot-${version}-linux-arm64.gz`, executable('arm64')],
    [`peridot-${version}.tar.gz`, packed(`peridot-${version}`, withLicences)],
    [`peridot-worker-${version}.tar.gz`, packed(`peridot-worker-${version}`, worker)],
    [`peridot-sdk-${version}.tgz`, read('public/sdk/peridot-sdk.tgz')],
    [`peridot-${version}-linux-amd64.oci.tar`, image('amd64')],
    [`peridot-${version}-linux-arm64.oci.tar`, image('arm64')],
    ['compose.yaml', read('compose.yaml')],
    ['openapi.json', read('public/openapi.json')],
    ['sbom.cdx.json', Buffer.from(billOf(version, components))],
    ['LICENSES.txt', licences],
  ]);
}

/** The Worker as `npm run deploy` deploys it: built, with its assets, its migrations and its settings. */
function buildWorker(): Map<string, Buffer> {
  const script = join(root, 'scripts/build-worker.ts');
  execFileSync(process.execPath, [script, '--production'], { cwd: root, stdio: 'inherit' });
  const settings = read('wrangler.toml').toString();
  const built = settings.replace(
    /^(# Builds [^\n]*\n)?\[(env\.production\.)?build\]\n(\w[^\n]*\n)*\n?/gm,
    '',
  );
  const copied = ['LICENSE', ...below('dist/worker'), ...below('public'), ...migrationNames()];
  const files = copied.map((name) => [name, read(name)] as const);
  return new Map([...files, ['wrangler.toml', Buffer.from(built)] as const]);
}

function packed(folder: string, files: ReadonlyMap<string, Buffer>): Buffer {
  const entries = [...files].map(([name, content]) => ({ name: `${folder}/${name}`, content }));
  return gzipped(tarOf(entries.sort((a, b) => (a.name < b.name ? -1 : 1))));
}
