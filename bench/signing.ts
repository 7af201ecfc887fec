/**
 * `bun bench/signing.ts`: measures the cost of signing and verifying an access token with ES256 and with EdDSA, on Bun
 * and in workerd, in one run. Prints microseconds; docs/performance.md has the conclusions.
 */
import { type Service, startService, stopEverything, stopOnSignals } from './processes.ts';
import type { Algorithm } from './signing-work.ts';

const rounds = Number(process.env['ROUNDS'] ?? 7);
const count = Number(process.env['COUNT'] ?? 2_000);

const starts: Record<string, () => Promise<Service>> = {
  Bun: () =>
    startService({
      name: 'signing on bun',
      command: () => ['bun', 'bench/signing-bun.ts'],
      settings: (port) => ({ PORT: String(port), NODE_ENV: 'production' }),
    }),
  workerd: () =>
    startService({
      name: 'signing on workers',
      command: (port, folder) => [
        ...['wrangler', 'dev', '--config', 'bench/signing.wrangler.toml', '--ip', '127.0.0.1'],
        ...['--port', String(port), '--inspector-port', '0', '--persist-to', folder],
      ],
      settings: () => ({ WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }),
    }),
};

interface Measure {
  readonly runtime: string;
  readonly service: Service;
  readonly algorithm: Algorithm;
  readonly work: 'sign' | 'verify';
  readonly microseconds: number[];
}

async function timeOf({ service, algorithm, work }: Measure, times: number): Promise<number> {
  const query = new URLSearchParams({ algorithm, work, count: String(times) });
  const startedAt = performance.now();
  const answer = await fetch(`http://127.0.0.1:${service.port}/run?${query}`);
  if ((await answer.text()) !== 'done') throw new Error(`${service.name} answered ${answer.status}`);
  return performance.now() - startedAt;
}

/** One round of one measurement: the time for many minus the time for none. */
async function measure(one: Measure): Promise<void> {
  const none = await timeOf(one, 0);
  one.microseconds.push((((await timeOf(one, count)) - none) / count) * 1000);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

stopOnSignals();
try {
  const measures: Measure[] = [];
  for (const [runtime, start] of Object.entries(starts)) {
    const service = await start();
    for (const algorithm of ['ES256', 'EdDSA'] as const) {
      for (const work of ['sign', 'verify'] as const) {
        measures.push({ runtime, service, algorithm, work, microseconds: [] });
      }
    }
  }
  for (const one of measures) await timeOf(one, count);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? measures : measures.toReversed()) await measure(one);
  }
  console.log(`Microseconds each, median of ${rounds} rounds of ${count} (least to most)\n`);
  for (const { runtime, algorithm, work, microseconds } of measures) {
    const range = `${Math.min(...microseconds).toFixed(1)} to ${Math.max(...microseconds).toFixed(1)}`;
    console.log(
      `${runtime.padEnd(9)}${work.padEnd(8)}${algorithm.padEnd(7)}${median(microseconds).toFixed(1).padStart(7)}  (${range})`,
    );
  }
} finally {
  await stopEverything();
}
