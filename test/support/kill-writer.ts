import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endsWithUs } from './ends-with-us.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Lets a program write on Bun until it has printed this many lines, and kills it during further writes.
 * @param program a file in this folder that prints a line as soon as the database has acknowledged its contents
 * @returns the lines
 */
export async function writeUntilKilled(
  program: string,
  args: readonly string[],
  enough: number,
): Promise<string[]> {
  const writer = endsWithUs(
    spawn(join(root, 'node_modules/.bin/bun'), [join(import.meta.dirname, program), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let text = '';
  writer.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > enough) writer.kill('SIGKILL');
  });
  await once(writer, 'close');
  // The last line may be truncated.
  return text.split('\n').slice(0, -1);
}
