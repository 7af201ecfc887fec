/**
 * `npm run verify`: everything a change must pass besides its tests. Runs all steps, even after a failure, in parallel
 * on all processors, and reports the failed ones at the end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from './installed.ts';

// The longest steps start first, so that no long step is left at the end.
const steps = [
  ['SDK without drift, its size and its package', 'sdk:check'],
  ['deploy dry run and size', 'size'],
  ['contract by the rules of Redocly', 'openapi:lint'],
  ['dead code', 'dead'],
  ['types', 'types'],
  ['format and lint', 'lint'],
  ['migrations without drift', 'migrations'],
  ['contract without drift', 'openapi:check'],
  ['contract that keeps what was released', 'contract:check'],
  ['requirements without drift', 'conformance:check'],
] as const;

interface Result {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** Runs a step and prints its output at the end, so that the output of parallel steps is not mixed. */
async function runStep([name, script]: (typeof steps)[number]): Promise<Result> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  console.log(`\n== ${name} (npm run ${script})\n${output.trimEnd()}`);
  return { name, ok: status === 0, seconds: (performance.now() - startedAt) / 1000 };
}

ensureInstalled(join(import.meta.dirname, '../checks'));

const waiting = steps.values();
const results: Result[] = [];
async function work(): Promise<void> {
  for (const step of waiting) results.push(await runStep(step));
}
await Promise.all(Array.from({ length: availableParallelism() }, work));

console.log('');
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${name}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
