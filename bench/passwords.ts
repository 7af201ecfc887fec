/**
 * `bun bench/passwords.ts`: what a sign-in by password costs beside the bare hash, on Bun and in workerd, and beside
 * better-auth at the same cost; whether the time tells a known address; what twenty sign-ins at once do to session
 * reads. `ROUNDS`, `SECONDS` and the names of the parts (`rate`, `verify`, `known`, `reads`, `workers`) choose.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Answer, Connection, drive, getRequest, type Round, summarize, WrongAnswer } from './load.ts';
import { type Service, startService, stopEverything, stopOnSignals } from './processes.ts';
import { describeMachine } from './report.ts';
import { startPeridotOnBun, startPeridotOnWorkers } from './services.ts';
import { signInPeople } from './sign-in.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 6);
/** As many hashes at once as the service allows itself while few wait. */
const atOnce = availableParallelism() > 2 ? 2 : 1;
const password = 'merpati hijau naik kereta';
const wrongPassword = 'merpati merah naik kereta';

type Login = (connection: Connection, email: string, given?: string) => Promise<number>;

async function loginHere(connection: Connection, email: string, given = password): Promise<number> {
  return (await post(connection, '/v1/auth/email/login', { email, password: given })).status;
}

async function loginThere(connection: Connection, email: string): Promise<number> {
  return (await post(connection, '/api/auth/sign-in/email', { email, password })).status;
}

/** Posts JSON as a page of the service's own origin does: better-auth asks for that. */
function post(connection: Connection, path: string, body: unknown, cookie?: string): Promise<Answer> {
  const text = JSON.stringify(body);
  const host = `127.0.0.1:${connection.port}`;
  return connection.exchange(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\n` +
      `${cookie === undefined ? '' : `Cookie: ${cookie}\r\n`}Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}

function people(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `person.${index}@example.com`);
}

/** People with an address and a password at the service: each takes a hash and a mail. */
async function registerHere(port: number, count: number): Promise<string[]> {
  const connection = await Connection.open(port);
  for (const [index, email] of people(count).entries()) {
    const asked = await post(connection, '/v1/auth/email/register', { email, password });
    const mails = await connection.exchange(getRequest(`/dev/mail.json?to=${email}`, ''));
    const code = /"code":"(\d{6})"/.exec(mails.body)?.[1];
    const cookie = cookieOf(asked, 'pid_email');
    const verified = await post(connection, '/v1/auth/email/verify', { email, code }, cookie);
    const handle = `password${String(index).padStart(4, '0')}`;
    const claimed = await post(connection, '/v1/auth/claim', { handle }, cookieOf(verified, 'pid_claim'));
    if (claimed.status !== 200) throw new WrongAnswer('200 for a claim', claimed);
  }
  connection.close();
  return people(count);
}

function cookieOf({ head }: Answer, name: string): string {
  return new RegExp(`set-cookie: *(${name}=[^;]+)`, 'i').exec(head)?.[1] ?? '';
}

async function registerThere(port: number, count: number): Promise<string[]> {
  const connection = await Connection.open(port);
  for (const email of people(count)) {
    const made = await post(connection, '/api/auth/sign-up/email', { email, password, name: 'Somebody' });
    if (made.status !== 200) throw new WrongAnswer('200 for a sign-up', made);
  }
  connection.close();
  return people(count);
}

/** Sign-ins on sixteen connections, each with a person of its own. */
function signIns(port: number, emails: string[], login: Login, expected: number): Promise<Round> {
  return drive(port, seconds, async (connection, index) => {
    const status = await login(connection, emails[index] ?? '');
    if (status !== expected) throw new Error(`a sign-in answered ${status}`);
    return true;
  });
}

/** How many bare hashes a second the runtime makes, as many at once as the service allows itself. */
async function bareRate(port: number, atOnce: number): Promise<number> {
  const count = 12 * seconds;
  const startedAt = performance.now();
  await (await fetch(`http://127.0.0.1:${port}/run?count=${count}&atOnce=${atOnce}`)).text();
  return (count / (performance.now() - startedAt)) * 1000;
}

/** All sides in turn within a round, so that a busy machine strikes all of them. */
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
  if (!existsSync(join(import.meta.dirname, 'node_modules/better-auth'))) {
    const args = ['install', '--prefix', import.meta.dirname, '--no-package-lock', '--no-audit', '--no-fund'];
    execFileSync('npm', args, { stdio: 'inherit' });
  }
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
  const ours = await registerHere(here.port, 16);
  await signIns(here.port, ours, loginHere, 204);
  console.log(`Sign-ins in wrangler dev, 16 at once, median of ${rounds} rounds of ${seconds} s`);
  await alternate({
    Peridot: async () => (await signIns(here.port, ours, loginHere, 204)).requestsPerSecond,
    'the bare hash': () => bareRate(bare.port, 1),
  });
  const alone = await oneAfterTheOther(here.port, ours);
  console.log(`  one alone: p50 ${median(alone).toFixed(1)} ms, p95 ${quantile(alone, 0.95).toFixed(1)} ms`);
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

/** Known and unknown addresses in turn. */
async function known(): Promise<void> {
  const here = await startPeridotOnBun();
  const emails = await registerHere(here.port, 100);
  const connection = await Connection.open(here.port);
  console.log('Whether the time tells a known address, 200 samples each (medians 0.9 to 1.1)');
  for (const [name, path, more] of [
    ['login', '/v1/auth/email/login', { password: wrongPassword }],
    ['register', '/v1/auth/email/register', { password }],
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

/** Session reads at 300 a second, alone and beside sign-ins. */
async function reads(): Promise<void> {
  const here = await startPeridotOnBun();
  const emails = await registerHere(here.port, 20);
  const connection = await Connection.open(here.port);
  const [session] = await signInPeople(connection, 1);
  connection.close();
  const cookie = `pid_access=${session?.accessToken}`;
  await readsAtRate(here.port, cookie, 2);
  console.log(
    `300 session reads a second, median of ${rounds} rounds of ${seconds} s (p99 at most 3 times as long)`,
  );
  const idle = () => async () => 0;
  const sides = { alone: idle, 'beside twenty at once': twentyAtOnce, 'beside ten a second': tenASecond };
  const taken = Object.keys(sides).map(() => [] as Round[]);
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of Object.values(sides).entries()) {
      const stop = load(here.port, emails);
      taken[index]?.push(await readsAtRate(here.port, cookie, seconds));
      done += await stop();
    }
  }
  const own = median(taken[0]?.map(({ p99Ms }) => p99Ms) ?? []);
  for (const [index, name] of Object.keys(sides).entries()) {
    const p50 = median(taken[index]?.map(({ p50Ms }) => p50Ms) ?? []);
    const p99 = median(taken[index]?.map(({ p99Ms }) => p99Ms) ?? []);
    console.log(
      `  ${name.padEnd(24)}p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${(p99 / own).toFixed(2)} times`,
    );
  }
  console.log(`  ${done} sign-ins, none refused`);
}

async function readsAtRate(port: number, cookie: string, lasts: number): Promise<Round> {
  const idle = await Promise.all(Array.from({ length: 16 }, () => Connection.open(port)));
  const all = [...idle];
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < lasts * 300; count += 1) {
    const due = startedAt + (count * 1000) / 300;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const connection = idle.pop() ?? (await Connection.open(port));
    if (!all.includes(connection)) all.push(connection);
    const sentAt = performance.now();
    pending.push(
      connection.exchange(getRequest('/v1/auth/session', cookie)).then((answer) => {
        if (answer.status !== 200) throw new WrongAnswer('200', answer);
        latencies.push(performance.now() - sentAt);
        idle.push(connection);
      }),
    );
  }
  await Promise.all(pending);
  for (const connection of all) connection.close();
  return summarize(latencies, performance.now() - startedAt);
}

type StopLoad = () => Promise<number>;

/** Twenty sign-ins at once, and twenty more as soon as they are done. */
function twentyAtOnce(port: number, emails: string[]): StopLoad {
  let running = true;
  let done = 0;
  const work = (async () => {
    const connections = await Promise.all(emails.map(() => Connection.open(port)));
    while (running) {
      const statuses = await Promise.all(
        connections.map((one, index) => loginHere(one, emails[index] ?? '')),
      );
      if (statuses.some((status) => status !== 204)) throw new Error(`sign-ins answered ${statuses}`);
      done += statuses.length;
    }
    for (const connection of connections) connection.close();
  })();
  return async () => {
    running = false;
    await work;
    return done;
  };
}

function tenASecond(port: number, emails: string[]): StopLoad {
  let done = 0;
  const pending: Promise<void>[] = [];
  const timer = setInterval(() => {
    const email = emails[pending.length % emails.length] ?? '';
    pending.push(
      Connection.open(port).then(async (connection) => {
        const status = await loginHere(connection, email);
        connection.close();
        if (status !== 204) throw new Error(`a sign-in answered ${status}`);
        done += 1;
      }),
    );
  }, 100);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    return done;
  };
}

const parts: Record<string, () => Promise<void>> = { verify, known, rate, reads, workers };

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
