/**
 * `npm run verify`: everything a change must pass besides its tests. Runs every step even after one has failed, and
 * reports at the end which did.
 */
import { spawnSync } from 'node:child_process';

const steps = [
  ['format and lint', 'lint'],
  ['types', 'types'],
  ['dead code', 'dead'],
  ['migrations without drift', 'migrations'],
  ['contract without drift', 'openapi:check'],
  ['contract by the rules of Redocly', 'openapi:lint'],
  ['requirements without drift', 'conformance:check'],
  ['SDK without drift, its size and its package', 'sdk:check'],
  ['deploy dry run and size', 'size'],
] as const;

const results = steps.map(([name, script]) => {
  console.log(`\n== ${name} (npm run ${script})`);
  const startedAt = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
  return { name, ok: status === 0, seconds: (performance.now() - startedAt) / 1000 };
});

console.log('');
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${name}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
