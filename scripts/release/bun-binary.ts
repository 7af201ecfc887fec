import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getOrInsert } from '../../src/lib/memoize.ts';

interface Machine {
  /** The package of Bun's binary. */
  readonly bun: string;
  /** Its name for `bun build`. */
  readonly target: string;
  readonly loader: string;
  /**
   * The folders of the C library, in order of preference, and the Debian package that contains it for another
   * architecture.
   */
  readonly libraries: readonly string[];
  readonly debian: string;
}

export type Architecture = keyof typeof machines;

/** The arm64 build has never been started. */
export const machines = {
  amd64: {
    bun: '@oven/bun-linux-x64',
    target: 'bun-linux-x64',
    loader: 'lib64/ld-linux-x86-64.so.2',
    libraries: ['/lib/x86_64-linux-gnu', '/usr/x86_64-linux-gnu/lib'],
    debian: 'libc6-amd64-cross',
  },
  arm64: {
    bun: '@oven/bun-linux-aarch64',
    target: 'bun-linux-arm64',
    loader: 'lib/ld-linux-aarch64.so.1',
    libraries: ['/lib/aarch64-linux-gnu', '/usr/aarch64-linux-gnu/lib'],
    debian: 'libc6-arm64-cross',
  },
} satisfies Record<string, Machine>;

export const hostArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

const fetched = new Map<Architecture, Buffer>();

/** Bun's binary from the registry, as pinned in package-lock.json; npm compares the hash and keeps a copy. */
export function fetchBun(architecture: Architecture): Buffer {
  return getOrInsert(fetched, architecture, () => packedBun(architecture));
}

function packedBun(architecture: Architecture): Buffer {
  const { bun: name } = machines[architecture];
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`];
  const folder = mkdtempSync(join(tmpdir(), 'peridot-bun-'));
  try {
    const pack = ['pack', '--json', '--prefer-offline', `${name}@${version}`];
    const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }));
    if (packed.integrity !== integrity) throw new Error(`${name} is not what package-lock.json pins`);
    const options = { cwd: folder, maxBuffer: 1 << 30 };
    return execFileSync('tar', ['xzOf', packed.filename, 'package/bin/bun'], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
