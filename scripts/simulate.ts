import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from '../test/model/money-simulation.ts';
import { openDatabase } from '../test/support/memory-database.ts';

/**
 * `npm run simulate -- --seed N --steps N [--d1]`: a long run of the money model, on libSQL in memory in one process
 * per core, or on D1 in workerd. The first difference ends it, with the seed that reproduces it.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steps: { type: 'string', default: '100000' },
    d1: { type: 'boolean', default: false },
    part: { type: 'boolean', default: false },
  },
});
const [seed, steps] = [Number(values.seed), Number(values.steps)];
/** The number of runs after which the database is replaced, so that memory use stays low. */
const runsOfDatabase = 100;

async function runPart(): Promise<void> {
  const tally = new Map<string, number>();
  for (let part = seed * 1_000; (tally.get('steps') ?? 0) < steps; part += 1) {
    const { db, close } = await openDatabase();
    // Every second database has a gateway, with deposits, withdrawals and reversals by a provider.
    const counted = await simulate(db, {
      runs: runsOfDatabase,
      commands: 400,
      seed: part,
      withGateway: part % 2 === 1,
    });
    for (const [name, count] of counted) tally.set(name, (tally.get(name) ?? 0) + count);
    await close();
  }
  for (const [name, count] of [...tally].sort())
    console.log(`${name.padEnd(45)}${String(count).padStart(9)}`);
}

function start(command: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function main(): Promise<void> {
  if (values.part) return runPart();
  console.log(`seed ${seed}, ${steps} steps`);
  const env = { MODEL_SEED: String(seed), MODEL_STEPS: String(steps) };
  const vitest = join(import.meta.dirname, '../node_modules/.bin/vitest');
  const parts = values.d1 ? 1 : availableParallelism();
  const codes = await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      values.d1
        ? start(vitest, ['run', '--project', 'worker', 'test/model/money-model.test.ts'], env)
        : start(
            process.execPath,
            [
              import.meta.filename,
              '--part',
              '--seed',
              String(seed + part),
              '--steps',
              String(Math.ceil(steps / parts)),
            ],
            {},
          ),
    ),
  );
  process.exitCode = Math.max(...codes);
}

await main();
