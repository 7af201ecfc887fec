import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Returns whether the process is running; an exited process that waits for its parent is not. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

// Only Linux has /proc.
it.runIf(process.platform === 'linux').each(['SIGINT', 'SIGTERM'] as const)(
  'a child process is killed when %s interrupts its test',
  async (signal) => {
    const program = `
    const { spawn } = await import('node:child_process');
    const { endsWithUs } = await import('${join(import.meta.dirname, 'ends-with-us.ts')}');
    const options = { detached: true, stdio: ['ignore', 'pipe', 'ignore'] };
    const shell = endsWithUs(spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], options));
    const alone = endsWithUs(spawn('sleep', ['600'], { stdio: 'ignore' }));
    shell.stdout.once('data', (text) => process.send([shell.pid, Number(text), alone.pid]));
  `;
    const test = fork('-', [], { execArgv: ['--input-type=module', '-e', program] });
    const [pids] = (await once(test, 'message')) as [number[]];
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    test.kill(signal);
    const [code, by] = await once(test, 'exit');
    expect([code, by]).toEqual([null, signal]);
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false, false]);
  },
);
