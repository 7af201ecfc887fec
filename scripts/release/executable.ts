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
 * Builds the executable of one architecture: Bun, the service and its command line as bytecode, the migrations and the
 * public files. It needs only the C library. Equal services yield equal executables. The one for arm64 has never been
 * started.
 * @param service the service's folder (`buildService`)
 * @param order the functions whose bytecode is stored together (`recordOrder`)
 */
export function buildExecutable(
  architecture: Architecture,
  service: ReadonlyMap<string, Buffer>,
  order?: string,
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'peridot-executable-'));
  try {
    for (const [name, content] of service) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    writeFileSync(join(folder, 'src/peridot.js'), main);
    writeFileSync(join(folder, 'bun'), fetchBun(architecture), { mode: 0o755 });
    if (order !== undefined) writeFileSync(join(folder, 'order.txt'), order);
    const options = [
      ...['--compile', '--bytecode', '--format=esm', '--splitting', '--external=wrangler'],
      ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
      ...[`--target=${machines[architecture].target}`, '--compile-executable-path=bun'],
      ...['--asset=public', '--asset=migrations', '--asset=package.json'],
      ...(order === undefined ? [] : ['--bytecode-order=order.txt']),
    ];
    execFileSync(bun, ['build', ...options, '--outfile=peridot', ...entries], { cwd: folder, stdio: 'pipe' });
    return readFileSync(join(folder, 'peridot'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
