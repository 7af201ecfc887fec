import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Architecture, fetchBun, machines } from './bun-binary.ts';

const bun = join(import.meta.dirname, '../../node_modules/.bin/bun');

/** Serves, or with arguments runs a command. */
const main =
  "// @bun\nif (process.argv.length === 2) await import('./bun.js');\nelse await import('./cli.js');\n";

/** The entry and the modules of threads, which Bun cannot find by itself. */
const entries = ['src/peridot.js', 'src/libsql-thread.js', 'src/scrypt-thread.js'];

/**
 * Startup runs most functions only a few times, so the runtime compiles none to machine code. `settle` in
 * `src/bun.ts` restores the runtime's own thresholds.
 */
const startPolicy = 1000;

/**
 * Builds the executable of one architecture: Bun, the service and its command line as bytecode, the migrations and the
 * public files. It needs only the C library. Equal services yield equal executables. The one for arm64 has never been
 * started.
 * @param service the service's folder (`buildService`)
 */
export function buildExecutable(architecture: Architecture, service: ReadonlyMap<string, Buffer>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'peridot-executable-'));
  try {
    for (const [name, content] of service) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    writeFileSync(join(folder, 'src/peridot.js'), main);
    writeFileSync(join(folder, 'bun'), fetchBun(architecture), { mode: 0o755 });
    const options = [
      ...['--compile', '--bytecode', '--format=esm', '--splitting', '--external=wrangler'],
      ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
      ...[`--target=${machines[architecture].target}`, '--compile-executable-path=bun'],
      ...[`--compile-jit-policy=${startPolicy}`, '--asset=public', '--asset=migrations'],
    ];
    execFileSync(bun, ['build', ...options, '--outfile=peridot', ...entries], { cwd: folder, stdio: 'pipe' });
    return readFileSync(join(folder, 'peridot'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
