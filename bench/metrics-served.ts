import { preparePeridot } from './contenders.ts';
import { withCpu } from './money.ts';
import type { Bar } from './report.ts';
import { readsInCycles, refreshChains, type Scenario } from './scenarios.ts';
import { startPeridotOnBun } from './services.ts';
import { median } from './webhooks.ts';

interface Loads {
  readonly read: Scenario;
  readonly refresh: Scenario;
}

/**
 * Measures what metrics add to the CPU time of a request over HTTP, by a service with them and one without in turn. A
 * second service without them shows the machine's noise, below which nothing can be said.
 */
export async function metricsServed(rounds: number, seconds: number): Promise<Bar[]> {
  const start = async (settings = {}): Promise<Loads> => {
    const service = await startPeridotOnBun('.', settings);
    const { port, targets, refreshTokens } = await preparePeridot(service);
    return {
      read: withCpu(service, readsInCycles(port, targets)),
      refresh: withCpu(service, refreshChains(port, refreshTokens)),
    };
  };
  const without = await start();
  const again = await start();
  const counted = await start({ METRICS_TOKEN: 'a-token-that-reads-the-metrics-0' });
  const bars: Bar[] = [];
  for (const [name, load] of [
    ['a session read', 'read'],
    ['a refresh', 'refresh'],
  ] as const) {
    console.error(`measuring ${name} with metrics`);
    const sides = [without[load], again[load], counted[load]];
    const took = await inTurn(sides, rounds, seconds);
    const toFirst = (side: number) => median(took.map((round) => (round[side] ?? 0) / (round[0] ?? 1)));
    bars.push(
      { name: `Bun: CPU time of ${name} with metrics`, value: toFirst(2), unit: 'of without', most: 1.01 },
      { name: 'Bun: noise of that', value: Math.abs(toFirst(1) - 1), unit: 'of itself', most: 0.005 },
    );
  }
  return bars;
}

/** The CPU time of a request on each side, round by round. Each round begins with another side. */
async function inTurn(sides: readonly Scenario[], rounds: number, seconds: number): Promise<number[][]> {
  for (const side of sides) await side(seconds);
  const taken: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const micros: number[] = [];
    for (let turn = 0; turn < sides.length; turn += 1) {
      const at = (round + turn) % sides.length;
      micros[at] = (await sides[at]?.(seconds))?.cpuMicros ?? 0;
    }
    console.error(`  ${micros.map((each) => each.toFixed(1)).join('  ')} µs`);
    taken.push(micros);
  }
  return taken;
}
