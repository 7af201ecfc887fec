import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import { openFile } from './database.ts';
import { Connection, postRequest, WrongAnswer } from './load.ts';
import { readsAtRate } from './password-load.ts';
import type { Service } from './processes.ts';
import type { Bar } from './report.ts';
import { readsInCycles, type Scenario } from './scenarios.ts';

/** An app owned by one of a contender's people. */
export interface BenchApp {
  readonly id: string;
  /** One of its origins. */
  readonly origin: string;
}

const eventCount = 1000;

/** Registers an app. */
export async function registerApp({ port, targets }: Contender): Promise<BenchApp> {
  const origin = 'https://shop.example.com';
  const fields = { name: 'Bench', type: 'web', redirectUris: [], allowedOrigins: [origin] };
  const { id } = await change<{ id: string }>(port, targets[0]?.cookies ?? '', '/v1/apps', fields);
  return { id, origin };
}

/** Session reads of the same sessions: by a page of a first-party app, and by a page on the service's own origin. */
export async function readsByOrigin(
  service: Service,
  ours: Contender,
  { id, origin }: BenchApp,
): Promise<Record<'app' | 'own', Scenario>> {
  const database = openFile(service);
  database.exec('UPDATE apps SET checked_at = 1, first_party_at = 1');
  database.close();
  const own = `Origin: http://127.0.0.1:${ours.port}\r\n`;
  return {
    app: readsInCycles(ours.port, ours.targets, `Origin: ${origin}\r\nX-App-Id: ${id}\r\n`),
    own: readsInCycles(ours.port, ours.targets, own),
  };
}

/** A receiver in this process, and an outbox filled in the same way as by the triggers. */
class Webhook {
  received = 0;
  /** The receiver's response; none if it hangs. */
  readonly status: number | undefined;
  readonly #service: Service;
  readonly #app: string;
  readonly #database;
  readonly #receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      this.received += 1;
      if (this.status)
        response.writeHead(this.status, { Location: `http://127.0.0.1:${this.#service.port}/` }).end();
    });
  });

  constructor(service: Service, app: string, status: number | undefined) {
    this.status = status;
    this.#service = service;
    this.#app = app;
    this.#database = openFile(service);
  }

  async open(cookies: string): Promise<void> {
    await new Promise<void>((resolve) => this.#receiver.listen(0, '127.0.0.1', resolve));
    const address = this.#receiver.address();
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
    const url = `http://127.0.0.1:${address.port}/hooks`;
    await change(this.#service.port, cookies, `/v1/apps/${this.#app}/webhook`, { url });
  }

  emit(count: number): void {
    this.#database
      .prepare(`INSERT INTO webhook_events (id, app_id, type, data, at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        SELECT 'evt_' || lower(hex(randomblob(13))), ?, 'app.secret_rotated', json_object('n', i), ? FROM n`)
      .run(count, this.#app, Date.now());
  }

  /** One run of the scheduled jobs, as started every minute. */
  async work(): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.#service.port}/dev/scheduled`, { method: 'POST' });
    if (!answer.ok) throw new Error(`The jobs answered ${answer.status}`);
    await answer.arrayBuffer();
  }

  waiting(): number {
    const text = 'SELECT count(*) AS n FROM webhook_events WHERE next_at IS NOT NULL';
    return Number(this.#database.prepare(text).get()?.['n']);
  }

  close(): void {
    this.#database.exec('UPDATE webhook_events SET next_at = NULL WHERE next_at IS NOT NULL');
    this.#database.close();
    this.#receiver.closeAllConnections();
    this.#receiver.close();
  }
}

/**
 * Measures the delivery rate of a backlog to a receiver on this machine, the growth of the service's memory, and the
 * effect on other requests.
 */
export async function drains(service: Service, ours: Contender, rounds: number): Promise<Bar[]> {
  const app = await registerApp(ours);
  const webhook = new Webhook(service, app.id, 204);
  await webhook.open(ours.targets[0]?.cookies ?? '');
  try {
    await drain(webhook);
    const before = residentMiB(service.pid);
    const rates: number[] = [];
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, residentMiB(service.pid));
    }, 20);
    for (let round = 0; round < rounds; round += 1) rates.push(await drain(webhook));
    clearInterval(watch);
    return [
      { name: 'Bun: events delivered', value: median(rates), unit: '/s', least: 200 },
      { name: 'Bun: memory growth while they are', value: most - before, unit: 'MiB', most: 20 },
      await besideBacklog(service, ours),
    ];
  } finally {
    webhook.close();
  }
}

/** Delivers a backlog; returns the events per second. */
async function drain(webhook: Webhook): Promise<number> {
  webhook.emit(eventCount);
  const [startedAt, first] = [performance.now(), webhook.received];
  while (webhook.waiting() > 0) await webhook.work();
  const delivered = webhook.received - first;
  if (delivered !== eventCount) throw new Error(`${delivered} of ${eventCount} events arrived`);
  return (eventCount / (performance.now() - startedAt)) * 1000;
}

/** The responses of ten apps' receivers; receivers without a status never respond. */
const receivers = [...Array<number>(5).fill(204), undefined, undefined, undefined, 302, 410];
const perApp = 100;
/** The time within which the healthy receivers must have received all their events. */
const windowSeconds = 120;

/** Measures the effect on session reads at a steady rate of 1,000 events for ten apps, of which five are broken. */
async function besideBacklog(service: Service, ours: Contender): Promise<Bar> {
  const cookies = ours.targets[0]?.cookies ?? '';
  const webhooks = await Promise.all(
    receivers.map(async (status) => {
      const webhook = new Webhook(service, (await registerApp(ours)).id, status);
      await webhook.open(cookies);
      return webhook;
    }),
  );
  const read = () => p99OfReads(ours.port, cookies);
  const alone = await read();
  for (const webhook of webhooks) webhook.emit(perApp);
  let isOver = false;
  const working = (async () => {
    for (; !isOver; await sleep(1000)) await webhooks[0]?.work();
  })();
  const beside = await read();
  isOver = true;
  const delivered = webhooks.filter(({ status }) => status === 204).map(({ received }) => received);
  for (const webhook of webhooks) webhook.close();
  await working;
  if (delivered.some((count) => count !== perApp)) throw new Error(`${delivered} of ${perApp} events each`);
  console.log(`  p99 of session reads: ${alone.toFixed(2)} ms alone, ${beside.toFixed(2)} ms beside`);
  const value = beside / alone;
  return { name: 'Bun: p99 of session reads beside 1,000 events', value, unit: 'times', most: 1.2 };
}

/**
 * The median of the p99 over periods of five seconds, so that an occasional stall of the machine does not distort it.
 */
async function p99OfReads(port: number, cookie: string): Promise<number> {
  const found: number[] = [];
  for (let second = 0; second < windowSeconds; second += 5)
    found.push((await readsAtRate(port, cookie, 5)).p99Ms);
  return median(found);
}

export async function change<Body>(
  port: number,
  cookies: string,
  path: string,
  fields: object,
): Promise<Body> {
  const connection = await Connection.open(port);
  try {
    const headers = `Origin: http://127.0.0.1:${port}\r\n`;
    const body = JSON.stringify(fields);
    const answer = await connection.exchange(postRequest(path, cookies, 'application/json', body, headers));
    if (answer.status !== 200) throw new WrongAnswer('200', answer);
    return JSON.parse(answer.body);
  } finally {
    connection.close();
  }
}

/** A process's resident memory (proc_pid_statm(5), pages of 4 KiB); zero if the system does not report it. */
export function residentMiB(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) / 256;
  } catch {
    return 0;
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
