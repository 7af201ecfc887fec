/**
 * `bun bench/passwords.ts`: measures the cost of a password sign-in compared with the bare hash, on Bun and in workerd,
 * and with better-auth at the same cost; whether the timing reveals known addresses; and how twenty simultaneous
 * sign-ins affect session reads. `ROUNDS`, `SECONDS` and the names of the parts (see `parts`) select what runs.
 */
import { join } from 'node:path';
import { ensureInstalled } from '../scripts/installed.ts';
import { openServer } from '../src/platform/database/libsql-server.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { installLibsqlServer, startLibsqlServer } from '../test/support/libsql-server.ts';
import { Connection, drive, type Round } from './load.ts';
import {
  type Load,
  type Login,
  loginHere,
  loginThere,
  post,
  readsAtRate,
  registerHere,
  registerThere,
  signInAtFloor,
  tenASecond,
  twentyAtOnce,
  twentyInStep,
  wrongPassword,
} from './password-load.ts';
import { projectRoot, type Service, startService, stopEverything, stopOnSignals } from './processes.ts';
import { describeMachine } from './report.ts';
import { startPeridotOnBun, startPeridotOnWorkers } from './services.ts';
import { signInPeople } from './sign-in.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 6);
/** As many parallel hashes as the service allows. */
const atOnce = 2;

/** Sign-ins on sixteen connections, with one person each. */
function signIns(port: number, emails: string[], login: Login, expected: number): Promise<Round> {
  return drive(port, seconds, async (connection, index) => {
    const status = await login(connection, emails[index] ?? '');
    if (status !== expected) throw new Error(`a sign-in answered ${status}`);
    return true;
  });
}

/** The number of bare hashes that the runtime computes per second, with the service's own parallelism. */
async function bareRate(port: number, atOnce: number): Promise<number> {
  const count = 12 * seconds;
  const startedAt = performance.now();
  await (await fetch(`http://127.0.0.1:${port}/run?count=${count}&atOnce=${atOnce}`)).text();
  return (count / (performance.now() - startedAt)) * 1000;
}

/** All sides take turns within a round, so that a busy machine affects all of them. */
async function alternate(sides: Record<string, () => Promise<number>>): Promise<void> {
  const taken = Object.fromEntries(Object.keys(sides).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    const order = Object.entries(sides);
    for (const [name, measure] of round % 2 === 0 ? order : order.toReversed()) {
      taken[name]?.push(await measure());
    }
  }
  const [first = ''] = Object.keys(sides);
  for (const [name, rates] of Object.entries(taken)) {
    const ratios = rates.map((rate, round) => (taken[first]?.[round] ?? 0) / rate);
    const beside = name === first ? '' : `  ${first} is ${median(ratios).toFixed(3)} of it`;
    console.log(`  ${name.padEnd(28)}${median(rates).toFixed(2).padStart(8)}/s${beside}`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function startBetterAuth(atOnce?: number): Promise<Service> {
  ensureInstalled(import.meta.dirname);
  return startService({
    name: `better-auth ${atOnce ?? ''} on bun`,
    command: () => ['bun', 'bench/better-auth.ts'],
    settings: (port, folder) => ({
      PORT: String(port),
      DATABASE_FILE: join(folder, 'better-auth.db'),
      NODE_ENV: 'production',
      ...(atOnce === undefined ? {} : { AT_ONCE: String(atOnce) }),
    }),
  });
}

function startBareOnBun(): Promise<Service> {
  return startService({
    name: 'bare hash on bun',
    command: () => ['bun', 'bench/password-bun.ts'],
    settings: (port) => ({ PORT: String(port), NODE_ENV: 'production' }),
  });
}

function startBareOnWorkers(): Promise<Service> {
  return startService({
    name: 'bare hash on workers',
    command: (port, folder) => [
      ...['wrangler', 'dev', '--config', 'bench/password.wrangler.toml', '--ip', '127.0.0.1'],
      ...['--port', String(port), '--inspector-port', '0', '--persist-to', folder],
    ],
    settings: () => ({ WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }),
  });
}

async function rate(): Promise<void> {
  const [here, bare] = [await startPeridotOnBun(), await startBareOnBun()];
  const [bound, free] = [await startBetterAuth(atOnce), await startBetterAuth()];
  const ours = await registerHere(here.port, 16);
  const theirs = await registerThere(bound.port, 16);
  await registerThere(free.port, 16);
  await signIns(here.port, ours, loginHere, 204);
  const better = async (port: number) => (await signIns(port, theirs, loginThere, 200)).requestsPerSecond;
  console.log(
    `Sign-ins on Bun, 16 at once, better-auth 1.6.9 at the same cost, median of ${rounds} rounds of ${seconds} s`,
  );
  await alternate({
    Peridot: async () => (await signIns(here.port, ours, loginHere, 204)).requestsPerSecond,
    [`the bare hash, ${atOnce} at once`]: () => bareRate(bare.port, atOnce),
    [`better-auth, ${atOnce} at once`]: () => better(bound.port),
    'better-auth as it is': () => better(free.port),
  });
}

async function workers(): Promise<void> {
  const [here, bare] = [await startPeridotOnWorkers(), await startBareOnWorkers()];
  const ours = await registerHere(here.port, 20);
  await signIns(here.port, ours, loginHere, 204);
  console.log(`Sign-ins in wrangler dev, 16 at once, median of ${rounds} rounds of ${seconds} s`);
  await alternate({
    Peridot: async () => (await signIns(here.port, ours, loginHere, 204)).requestsPerSecond,
    'the bare hash': () => bareRate(bare.port, 1),
    'a hash between two D1 batches': async () =>
      (await signIns(bare.port, ours, signInAtFloor, 204)).requestsPerSecond,
  });
  const alone = await oneAfterTheOther(here.port, ours);
  console.log(`  one alone: p50 ${median(alone).toFixed(1)} ms, p95 ${quantile(alone, 0.95).toFixed(1)} ms`);
}

/** As in a deployment, the database does not run in the hashing thread. */
async function workersApart(): Promise<void> {
  installLibsqlServer();
  const server = await startLibsqlServer();
  try {
    await migrate(openServer({ url: server.url }), join(projectRoot, 'migrations'));
    const [here, bare] = [await startPeridotOnWorkers(server.url), await startBareOnWorkers()];
    const ours = await registerHere(here.port, 20);
    await signIns(here.port, ours, loginHere, 204);
    console.log(
      `Sign-ins in wrangler dev over a libSQL server, 16 at once, median of ${rounds} rounds of ${seconds} s`,
    );
    await alternate({
      Peridot: async () => (await signIns(here.port, ours, loginHere, 204)).requestsPerSecond,
      'the bare hash': () => bareRate(bare.port, 1),
    });
  } finally {
    await server.close();
  }
}

async function workerReads(): Promise<void> {
  const here = await startPeridotOnWorkers();
  const ours = await registerHere(here.port, 20);
  console.log('300 session reads a second in wrangler dev, whose one isolate hashes in its own thread');
  await readsBeside(here.port, ours, { 'beside twenty at once': twentyAtOnce });
}

async function oneAfterTheOther(port: number, emails: string[]): Promise<number[]> {
  const connection = await Connection.open(port);
  const times: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    times.push(await timed(() => loginHere(connection, emails[count % emails.length] ?? '')));
  }
  connection.close();
  return times;
}

async function verify(): Promise<void> {
  const here = await startPeridotOnBun();
  const times = await oneAfterTheOther(here.port, await registerHere(here.port, 10));
  console.log('A sign-in alone on Bun, 100 one after the other (at most 300 ms at p95)');
  console.log(`  p50 ${median(times).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`);
}

/** Known and unknown addresses alternately. */
async function known(): Promise<void> {
  const here = await startPeridotOnBun();
  const emails = await registerHere(here.port, 100);
  const connection = await Connection.open(here.port);
  console.log('Whether the time tells a known address, 200 samples each (medians 0.9 to 1.1)');
  for (const [name, path, more] of [
    ['login', '/v1/auth/email/login', { password: wrongPassword }],
    ['register', '/v1/auth/email/register', { password: wrongPassword }],
    ['forgot', '/v1/auth/email/forgot', {}],
  ] as const) {
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
    for (let count = 0; count < 200; count += 1) {
      const sides = { known: emails[count % 100] ?? '', unknown: `nobody.${name}.${count}@example.com` };
      const order = Object.entries(sides) as ['known' | 'unknown', string][];
      for (const [side, email] of count % 2 === 0 ? order : order.toReversed()) {
        times[side].push(await timed(() => post(connection, path, { email, ...more })));
      }
    }
    const [one, other] = [median(times.known), median(times.unknown)];
    console.log(
      `  ${name.padEnd(10)}known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms, ratio ${(one / other).toFixed(3)}`,
    );
  }
  connection.close();
}

/** Session reads at 300 a second, alone and alongside sign-ins. */
async function reads(): Promise<void> {
  const here = await startPeridotOnBun();
  const emails = await registerHere(here.port, 20);
  // Twelve seconds of both, so that the runtime has compiled their code.
  const stopWarming = twentyAtOnce(here.port, emails);
  await readsAtRate(here.port, await cookieOfSomebody(here.port), 12);
  await stopWarming();
  console.log(`300 session reads a second, median of ${rounds} rounds of ${seconds} s`);
  await readsBeside(here.port, emails, {
    'beside twenty at once (at most 3 times)': twentyAtOnce,
    'beside twenty in step': twentyInStep,
    'beside ten a second': tenASecond,
  });
}

async function cookieOfSomebody(port: number): Promise<string> {
  const connection = await Connection.open(port);
  const [session] = await signInPeople(connection, 1);
  connection.close();
  return `pid_access=${session?.accessToken}`;
}

async function readsBeside(port: number, emails: string[], loads: Record<string, Load>): Promise<void> {
  const cookie = await cookieOfSomebody(port);
  const sides: Record<string, Load> = { alone: () => async () => 0, ...loads };
  const taken = Object.keys(sides).map(() => [] as Round[]);
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of Object.values(sides).entries()) {
      const stop = load(port, emails);
      await readsAtRate(port, cookie, 1);
      taken[index]?.push(await readsAtRate(port, cookie, seconds));
      done += await stop();
    }
  }
  for (const [index, name] of Object.keys(sides).entries()) {
    const p50 = median(taken[index]?.map(({ p50Ms }) => p50Ms) ?? []);
    const p99 = median(taken[index]?.map(({ p99Ms }) => p99Ms) ?? []);
    const times = median(
      taken[index]?.map((one, round) => one.p99Ms / (taken[0]?.[round]?.p99Ms ?? 0)) ?? [],
    );
    const figures = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${times.toFixed(2)} times its own`;
    console.log(`  ${name.padEnd(40)}${figures}`);
  }
  console.log(`  ${done} sign-ins, none refused`);
}

const parts: Record<string, () => Promise<void>> = {
  verify,
  known,
  rate,
  reads,
  workers,
  'workers-apart': workersApart,
  'worker-reads': workerReads,
};

stopOnSignals();
try {
  console.log(`${describeMachine()}\n`);
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
  for (const name of chosen) {
    const part = parts[name];
    if (part === undefined)
      throw new Error(`There is no part ${name}; there are ${Object.keys(parts).join(', ')}`);
    await part();
    await stopEverything();
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stopEverything();
}
