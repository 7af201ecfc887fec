import { type Contender, prepareFloor, preparePeridot, sampleBodies } from './contenders.ts';
import { deposits } from './deposits.ts';
import { withProofs } from './dpop.ts';
import type { Round } from './load.ts';
import { metricsServed } from './metrics-served.ts';
import {
  confirmsOverHttp,
  inTheThread,
  memoryOfHistory,
  throughTheDatabase,
  withCpu,
  withoutGroups,
} from './money.ts';
import {
  appEndpoint,
  appRefreshChains,
  codeExchanges,
  memoryOfAppSessions,
  oidcProviderEndpoint,
} from './oauth.ts';
import { type Service, stopEverything, stopOnSignals } from './processes.ts';
import { type Bar, describeMachine, printBars, printTable, type Result, writeResults } from './report.ts';
import {
  claims,
  lostRaces,
  newcomers,
  readsInCycles,
  readsOfNewTokens,
  refreshChains,
  returningPeople,
  type Scenario,
} from './scenarios.ts';
import {
  startFloorOnBun,
  startFloorOnWorkers,
  startOidcProvider,
  startPeridotOnBun,
  startPeridotOnWorkers,
} from './services.ts';
import { confirmsBesideStatement, pagesOfWallets } from './wallet.ts';
import { drains, readsByOrigin, registerApp } from './webhooks.ts';

interface Measure {
  name: string;
  ours: Scenario;
  other?: Scenario;
  target?: number;
}

const rounds = positiveNumber('ROUNDS', 3);
const seconds = positiveNumber('SECONDS', 5);
const warmUpSeconds = Math.min(1, seconds);

const groups: Record<string, () => Promise<Result[]>> = {
  bun: onBun,
  webhooks: ofWebhooks,
  oauth: ofApps,
  money: ofMoney,
  deposits: ofDeposits,
  wallet: ofWallets,
  metrics: ofMetrics,
  workers: onWorkers,
  noise: floorAgainstItself,
};
const published = ['bun', 'webhooks', 'oauth', 'workers'];
const bars: Bar[] = [];

async function onBun(): Promise<Result[]> {
  const [service, floorService] = await startBoth(() => startPeridotOnBun(), startFloorOnBun);
  const ours = await preparePeridot(service);
  const floor = await prepareFloor(floorService, bodiesOf(ours));
  const app = await registerApp(ours);
  const reads = await readsByOrigin(service, ours, app);
  return await measureAll('Bun', [
    {
      name: 'session read, a new token each time',
      ours: readsOfNewTokens(ours.port, await ours.signingKey(), ours.targets),
      other: readsOfNewTokens(floor.port, await floor.signingKey(), floor.targets),
      target: 0.9,
    },
    {
      name: 'session read, 100 live sessions',
      ours: readsInCycles(ours.port, ours.targets),
      other: readsInCycles(floor.port, floor.targets),
      target: 1.5,
    },
    {
      name: 'refresh with rotation',
      ours: refreshChains(ours.port, ours.refreshTokens),
      other: refreshChains(floor.port, floor.refreshTokens),
      target: 0.5,
    },
    {
      name: "session read from an app's origin, against one from the service's own",
      ours: reads.app,
      other: reads.own,
      target: 0.95,
    },
    ...unratedMeasures(ours),
  ]);
}

/** The speed and the cost of delivering events. */
async function ofWebhooks(): Promise<Result[]> {
  const service = await startPeridotOnBun();
  const ours = await preparePeridot(service);
  console.error('measuring Bun: delivery of webhooks');
  bars.push(...(await drains(service, ours, rounds)));
  return [];
}

/** Token requests of apps, compared with a session refresh and with oidc-provider. */
async function ofApps(): Promise<Result[]> {
  const [service, rival] = await startBoth(() => startPeridotOnBun(), startOidcProvider);
  const ours = await preparePeridot(service);
  const [rs256, es256] = [
    await appEndpoint(service, ours, 'RS256'),
    await appEndpoint(service, ours, 'ES256'),
  ];
  const other = oidcProviderEndpoint(rival.port);
  const results = await measureAll('Bun', [
    {
      name: 'refresh by an app, against the refresh of a session',
      ours: await appRefreshChains(rs256),
      other: refreshChains(ours.port, ours.refreshTokens),
      target: 0.85,
    },
    {
      name: 'refresh by an app, against oidc-provider',
      ours: await appRefreshChains(rs256),
      other: await appRefreshChains(other),
      target: 4,
    },
    {
      name: 'refresh by an app with DPoP, against one without',
      ours: await appRefreshChains(await withProofs(es256)),
      other: await appRefreshChains(es256),
      target: 0.6,
    },
    // Exchanges come last, because they end the sign-ins of their app.
    {
      name: 'code exchange, against oidc-provider',
      ours: codeExchanges(rs256),
      other: codeExchanges(other),
    },
    { name: 'code exchange, RS256 against ES256', ours: codeExchanges(rs256), other: codeExchanges(es256) },
    {
      name: 'code exchange with DPoP, against one without (ES256)',
      ours: codeExchanges(await withProofs(es256)),
      other: codeExchanges(es256),
      target: 0.6,
    },
  ]);
  bars.push(await memoryOfAppSessions(startPeridotOnBun));
  return results;
}

/** Pages and statements of long wallets. */
async function ofWallets(): Promise<Result[]> {
  console.error('measuring a page of a wallet');
  bars.push(...(await pagesOfWallets(rounds)));
  console.error('measuring Bun: confirmations beside a statement');
  bars.push(await confirmsBesideStatement(await startPeridotOnBun(), rounds, seconds));
  return [];
}

/** Confirmations of transfers, compared with the minimum cost of a transfer and with the same without group commit. */
async function ofMoney(): Promise<Result[]> {
  const sources = withoutGroups();
  const [inThread, throughDatabase] = [await inTheThread(), await throughTheDatabase(sources)];
  const results: Result[] = [];
  try {
    results.push(...(await measureAll('Bun', [...inThread.pairs, ...throughDatabase.pairs])));
  } finally {
    inThread.close();
    await throughDatabase.close();
  }
  const [service, ungrouped] = await startBoth(
    () => startPeridotOnBun(),
    () => startPeridotOnBun(sources),
  );
  const [ours, other] = [await preparePeridot(service), await preparePeridot(ungrouped)];
  const refreshes = (one: Contender, of: Service, count: number) =>
    withCpu(of, refreshChains(one.port, one.refreshTokens, count));
  // In sequence, because these people's tokens change with each refresh.
  const lone = await measureAll('Bun', [
    {
      name: 'a lone refresh, against one without group commit',
      ours: refreshes(ours, service, 1),
      other: refreshes(other, ungrouped, 1),
      target: 0.95,
    },
  ]);
  const [fresh, wallets] = [await preparePeridot(service), await preparePeridot(service)];
  const overHttp = await measureAll('Bun', [
    {
      name: 'confirm over HTTP at 64 connections, against refresh',
      ours: await confirmsOverHttp(service, wallets, 64),
      other: refreshes(fresh, service, 64),
      target: 0.5,
    },
  ]);
  console.error('measuring Bun: memory');
  bars.push(memoryOfHistory());
  return [...results, ...overHttp, ...lone];
}

async function ofDeposits(): Promise<Result[]> {
  bars.push(...(await deposits(await startPeridotOnBun(), rounds)));
  return [];
}

async function ofMetrics(): Promise<Result[]> {
  bars.push(...(await metricsServed(rounds, seconds)));
  return [];
}

async function onWorkers(): Promise<Result[]> {
  const [service, floorService] = await startBoth(startPeridotOnWorkers, startFloorOnWorkers);
  const ours = await preparePeridot(service);
  const floor = await prepareFloor(floorService, bodiesOf(ours));
  return await measureAll('Workers', [
    {
      name: 'session read, 100 live sessions',
      ours: readsInCycles(ours.port, ours.targets),
      other: readsInCycles(floor.port, floor.targets),
      target: 0.85,
    },
    {
      name: 'refresh with rotation',
      ours: refreshChains(ours.port, ours.refreshTokens),
      other: refreshChains(floor.port, floor.refreshTokens),
      target: 0.85,
    },
    ...unratedMeasures(ours),
  ]);
}

/** Two copies of each floor are compared. The deviation of the ratios from 1 is this machine's noise. */
async function floorAgainstItself(): Promise<Result[]> {
  const results: Result[] = [];
  for (const [runtime, start] of [
    ['Bun', startFloorOnBun],
    ['Workers', startFloorOnWorkers],
  ] as const) {
    const [one, other] = await startBoth(start, start);
    const [left, right] = [
      await prepareFloor(one, sampleBodies()),
      await prepareFloor(other, sampleBodies()),
    ];
    const measures: Measure[] = [
      {
        name: 'floor against itself: read, a new token each time',
        ours: readsOfNewTokens(left.port, await left.signingKey(), left.targets),
        other: readsOfNewTokens(right.port, await right.signingKey(), right.targets),
      },
      {
        name: 'floor against itself: read, 100 live sessions',
        ours: readsInCycles(left.port, left.targets),
        other: readsInCycles(right.port, right.targets),
      },
      {
        name: 'floor against itself: refresh',
        ours: refreshChains(left.port, left.refreshTokens),
        other: refreshChains(right.port, right.refreshTokens),
      },
    ];
    results.push(...(await measureAll(runtime, measures)));
    await Promise.all([one.stop(), other.stop()]);
  }
  return results;
}

/** Figures without a floor. The contender's last session is used for the race. */
function unratedMeasures({ port, refreshTokens }: Contender): Measure[] {
  return [
    { name: 'refresh, lost races', ours: lostRaces(port, refreshTokens.at(-1) ?? '') },
    { name: 'claim', ours: claims(port, 400) },
    { name: 'sign-in of new people, with claim', ours: newcomers(port) },
    { name: 'sign-in of returning people', ours: returningPeople(port) },
  ];
}

async function measureAll(runtime: string, measures: Measure[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const measure of measures) {
    const name = `${runtime}: ${measure.name}`;
    console.error(`measuring ${name}`);
    results.push({ ...(await alternate(measure)), name });
  }
  return results;
}

/** Both sides alternate, and the second in a round goes first in the next, so that drift affects both. */
async function alternate({ name, ours, other, target }: Measure): Promise<Result> {
  const taken: { ours: Round[]; other: Round[] } = { ours: [], other: [] };
  await ours(warmUpSeconds);
  await other?.(warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['ours', 'other'] as const) : (['other', 'ours'] as const);
    for (const side of order) {
      const scenario = side === 'ours' ? ours : other;
      if (scenario === undefined) continue;
      const figures = await scenario(seconds);
      console.error(`  ${side} ${Math.round(figures.requestsPerSecond)}/s`);
      taken[side].push(figures);
    }
  }
  return {
    name,
    ours: taken.ours,
    ...(other === undefined ? {} : { other: taken.other }),
    ...(target === undefined ? {} : { target }),
  };
}

async function startBoth(
  startOurs: () => Promise<Service>,
  startOther: () => Promise<Service>,
): Promise<[Service, Service]> {
  return [await startOurs(), await startOther()];
}

function bodiesOf(contender: Contender): string[] {
  return contender.targets.map(({ body }) => body);
}

function positiveNumber(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a positive number`);
  return value;
}

async function main(): Promise<void> {
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : published;
  console.log(`${describeMachine()}\n${rounds} rounds of ${seconds} s each, 16 connections\n`);
  const results: Result[] = [];
  for (const name of chosen) {
    const group = groups[name];
    if (group === undefined)
      throw new Error(`There is no group ${name}; there are ${Object.keys(groups).join(', ')}`);
    results.push(...(await group()));
    await stopEverything();
  }
  if (results.length > 0) printTable(results);
  printBars(bars);
  // A subset of the figures must not replace all of them.
  if (published.every((name) => chosen.includes(name))) {
    console.log(`\nWritten to ${writeResults(results, bars, { rounds, seconds })}`);
  }
}

stopOnSignals();
try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stopEverything();
}
