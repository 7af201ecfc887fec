/**
 * `npm run openapi`: writes the contract and its pages into `public/`, which Workers and Bun serve as static files.
 * With `--check` it writes nothing, and fails if the existing files are out of date.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../contract/contract.ts';
import packageJson from '../package.json' with { type: 'json' };
import { createDocument } from './openapi-document.ts';
import { createPages, pagePolicy } from './openapi-pages.ts';
import { describeContract } from './operations.ts';
import { headerBlock, readVersions, revalidated, sdkHeaders } from './sdk-publish.ts';

const folder = join(import.meta.dirname, '../public');

/** Every file in `public/`, by name. */
export async function createFiles(): Promise<Record<string, string>> {
  const document = createDocument(await describeContract(contract), packageJson.version);
  return {
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    ...createPages(document),
    _headers: headersOf(),
  };
}

/**
 * Each file's headers, in the format that Workers reads automatically; src/platform/assets.ts reads it on Bun. The
 * contract is public, so any page may read it.
 */
function headersOf(): string {
  const page = [
    `Content-Security-Policy: ${pagePolicy}`,
    'Referrer-Policy: same-origin',
    'X-Frame-Options: DENY',
    'Cross-Origin-Resource-Policy: same-origin',
    revalidated,
  ];
  const blocks = {
    '/docs': page,
    '/docs/*': page,
    // An SVG opened directly runs nothing: no scripts are allowed, and its sandbox has a separate origin.
    '/brand/*': [
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      'Referrer-Policy: no-referrer',
      'Cross-Origin-Resource-Policy: same-origin',
      'Cache-Control: public, max-age=3600',
    ],
    '/openapi.json': [
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy: no-referrer',
      'Access-Control-Allow-Origin: *',
      'Cross-Origin-Resource-Policy: cross-origin',
      revalidated,
    ],
  };
  const texts = Object.entries(blocks).map(([path, lines]) => headerBlock(path, lines));
  return texts.join('\n') + sdkHeaders(readVersions());
}

function write(files: Record<string, string>): void {
  rmSync(join(folder, 'docs'), { recursive: true, force: true });
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(`Wrote ${Object.keys(files).length} files to public/.`);
}

function check(files: Record<string, string>): void {
  const stale = Object.entries(files).filter(([name, text]) => {
    const path = join(folder, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  if (stale.length === 0) {
    console.log('public/ says what the code says.');
  } else {
    console.error(`${stale.map(([name]) => `public/${name}`).join(', ')} differ: run \`npm run openapi\`.`);
    process.exitCode = 1;
  }
}

if (import.meta.main) {
  const files = await createFiles();
  if (process.argv.includes('--check')) check(files);
  else write(files);
}
