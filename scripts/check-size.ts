/**
 * `npm run size`: builds the Worker as `npm run deploy` would, without deploying it, prints the size of each part, and
 * fails if a limit is exceeded, or a module that must load on first use is loaded at startup. Each dynamic import has a
 * separate limit.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Gzipped bytes: of everything loaded when the Worker starts, and of each part loaded later. */
const startGate = 86_000;
const lazyGate = 125_000;
/** Code that must cost nothing until it is used: all features except sessions, and drivers. */
const neverAtStart =
  /^(src\/features\/(account|email|oauth|passkey|sign-in|transfer|webhook)|arctic|@simplewebauthn\/|@libsql\/)/;
const root = join(import.meta.dirname, '..');

interface Output {
  readonly entryPoint?: string;
  readonly imports: { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Record<string, { readonly bytesInOutput: number }>;
}

type Outputs = Record<string, Output>;

/** Builds with wrangler, which rejects a Worker that it could not deploy, and returns the files to deploy. */
function dryRun(folder: string): Outputs {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const command = ['deploy', '--dry-run', '--env', 'production', '--outdir', folder];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  execFileSync(process.execPath, [wrangler, ...command], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(readFileSync(join(root, 'dist/worker.meta.json'), 'utf8')).outputs;
}

/** A module with everything that it imports statically. */
function closure(outputs: Outputs, start: string, found = new Set<string>()): Set<string> {
  if (found.has(start)) return found;
  found.add(start);
  for (const { path, kind, external } of outputs[start]?.imports ?? []) {
    if (kind === 'import-statement' && !external) closure(outputs, path, found);
  }
  return found;
}

/** The part of the project, or the package, to which a source file belongs. */
function partOf(file: string): string {
  const inPackage = file.split('node_modules/').at(-1) ?? '';
  if (!file.includes('node_modules/'))
    return (
      file
        .replace(/^.*?src\//, 'src/')
        // The startup code contains the endpoints of groups that are loaded on first use, and purges their tables.
        .replace(/^src\/features\/[\w-]+\/(endpoints|purge|by-\w+)\.ts$/, 'src/start')
        .split('/')
        .slice(0, 3)
        .join('/')
    );
  return inPackage
    .split('/')
    .slice(0, inPackage.startsWith('@') ? 2 : 1)
    .join('/');
}

function weigh(outputs: Outputs, names: Iterable<string>): [string, number][] {
  const bytes = new Map<string, number>();
  for (const name of names) {
    for (const [file, { bytesInOutput }] of Object.entries(outputs[name]?.inputs ?? {})) {
      bytes.set(partOf(file), (bytes.get(partOf(file)) ?? 0) + bytesInOutput);
    }
  }
  return [...bytes].sort((a, b) => b[1] - a[1]);
}

function print(bytes: number, what: string): void {
  console.log(`${bytes.toLocaleString('en').padStart(16)}  ${what}`);
}

function judge(gzipped: number, gate: number): void {
  print(gzipped, `gzipped, of ${gate.toLocaleString('en')} allowed`);
  if (gzipped > gate) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'peridot-size-'));
try {
  const outputs = dryRun(folder);
  const contents = (names: Iterable<string>) =>
    Buffer.concat([...names].map((name) => readFileSync(join(folder, basename(name)))));
  const gzipped = (names: Iterable<string>) => gzipSync(contents(names), { level: 9 }).length;

  const [entry = ''] = Object.keys(outputs).filter((name) => basename(name) === 'worker.mjs');
  const start = closure(outputs, entry);
  console.log('  bytes minified  part');
  for (const [part, bytes] of weigh(outputs, start).filter(([, bytes]) => bytes >= 500)) print(bytes, part);
  print(contents(start).length, 'loaded at start');
  judge(gzipped(start), startGate);
  for (const [part] of weigh(outputs, start).filter(([part]) => neverAtStart.test(part))) {
    console.error(`${part} is loaded at start; it belongs behind a dynamic import.`);
    process.exitCode = 1;
  }

  for (const [name, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined || name === entry) continue;
    const later = [...closure(outputs, name)].filter((each) => !start.has(each));
    console.log('');
    for (const [part, bytes] of weigh(outputs, later).filter(([, bytes]) => bytes >= 5_000))
      print(bytes, part);
    print(contents(later).length, `loaded with ${entryPoint}`);
    judge(gzipped(later), lazyGate);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
