/**
 * `npm run size`: builds the Worker as `npm run deploy` would, without sending it anywhere, prints what weighs
 * how much, and fails above the gate.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bytes of the whole Worker, minified and gzipped. */
const gate = 130_000;
const root = join(import.meta.dirname, '..');

interface Metafile {
  outputs: Record<string, { entryPoint?: string; inputs: Record<string, { bytesInOutput: number }> }>;
}

function build(folder: string): void {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const command = [
    'deploy',
    '--dry-run',
    '--env',
    'production',
    '--minify',
    '--metafile',
    '--outdir',
    folder,
  ];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  execFileSync(process.execPath, [wrangler, ...command], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The part of the project, or the package, that a source file belongs to. */
function partOf(file: string): string {
  const inPackage = file.split('node_modules/').at(-1) ?? '';
  if (!file.includes('node_modules/'))
    return file
      .replace(/^.*?src\//, 'src/')
      .split('/')
      .slice(0, 3)
      .join('/');
  return inPackage
    .split('/')
    .slice(0, inPackage.startsWith('@') ? 2 : 1)
    .join('/');
}

function weigh(metafile: Metafile): [string, number][] {
  const bytes = new Map<string, number>();
  for (const output of Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint)) {
    for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
      bytes.set(partOf(file), (bytes.get(partOf(file)) ?? 0) + bytesInOutput);
    }
  }
  return [...bytes].sort((a, b) => b[1] - a[1]);
}

const folder = mkdtempSync(join(tmpdir(), 'peridot-size-'));
try {
  build(folder);
  const worker = readFileSync(join(folder, 'worker.js'));
  const gzipped = gzipSync(worker, { level: 9 }).length;
  const parts = weigh(JSON.parse(readFileSync(join(folder, 'bundle-meta.json'), 'utf8')));
  console.log('  bytes minified  part');
  for (const [part, bytes] of parts.filter(([, bytes]) => bytes >= 500)) {
    console.log(`${bytes.toLocaleString('en').padStart(16)}  ${part}`);
  }
  console.log(`${worker.length.toLocaleString('en').padStart(16)}  whole Worker`);
  console.log(
    `${gzipped.toLocaleString('en').padStart(16)}  gzipped, of ${gate.toLocaleString('en')} allowed`,
  );
  if (gzipped > gate) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
