import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const root = join(import.meta.dirname, '../..');

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The packages whose code is in the bundles, and Bun. */
export function componentsOf(metafiles: readonly Metafile[]): Component[] {
  const inputs = metafiles.flatMap(({ inputs: each }) => Object.keys(each));
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set([...folders, 'node_modules/bun'])].sort().map(componentIn);
}

function componentIn(folder: string): Component {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  const text =
    file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), 'utf8') : '';
  return { name: manifest.name, version: manifest.version, license: manifest.license ?? 'NOASSERTION', text };
}

/** The bill of materials, as CycloneDX 1.6 defines it. */
export function billOf(version: string, components: readonly Component[]): string {
  const described = components.map(({ name, version: each, license }) => ({
    type: 'library',
    'bom-ref': purl(name, each),
    name,
    version: each,
    licenses: [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
    purl: purl(name, each),
  }));
  const self = { type: 'application', 'bom-ref': `peridot@${version}`, name: 'peridot', version };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: self },
    components: described,
    dependencies: [
      { ref: self['bom-ref'], dependsOn: described.map((each) => each['bom-ref']) },
      ...described.map((each) => ({ ref: each['bom-ref'] })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

export function licencesOf(components: readonly Component[]): string {
  const texts = components.map(
    ({ name, version, license, text }) =>
      `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text || 'The package has no licence text.'}\n`,
  );
  const libc = 'The images also have the GNU C library of Debian (LGPL-2.1-or-later).';
  return `${readFileSync(join(root, 'LICENSE'), 'utf8')}\n${libc}\n\n${texts.join('\n')}`;
}
