import type { DatabaseSync } from 'node:sqlite';
import { parseConfig } from '../src/config.ts';
import { sandboxSecrets } from '../src/features/gateway/sandbox.ts';
import { signWebhook } from '../src/lib/secret.ts';
import { type Contender, preparePeridot } from './contenders.ts';
import { openFile } from './database.ts';
import { postRequest, WrongAnswer, withConnections } from './load.ts';
import type { Service } from './processes.ts';
import type { Bar } from './report.ts';
import { change, median, residentMiB } from './webhooks.ts';

const notices = 1_000;
const connections = 16;
const dueRows = 10_000;

/** Measures a storm of notifications for one order, and one run of the jobs over a backlog of deposits. */
export async function deposits(service: Service, rounds: number): Promise<Bar[]> {
  const ours = await preparePeridot(service);
  const database = openFile(service);
  try {
    return [...(await storms(service, { ours, database, rounds })), ...(await sweep(service, database))];
  } finally {
    database.close();
  }
}

async function storms(
  service: Service,
  { ours, database, rounds }: { ours: Contender; database: DatabaseSync; rounds: number },
): Promise<Bar[]> {
  const cookies = ours.targets[0]?.cookies ?? '';
  await change(ours.port, cookies, '/v1/wallet', {});
  const path = '/v1/fiat/deposits/checkout';
  const { id } = await change<{ id: string }>(ours.port, cookies, path, { amount: 50_000 });
  database.exec('UPDATE deposits SET next_at = NULL');
  await storm(service, id);
  const before = rowsIn(database);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) rates.push(await storm(service, id));
  const more = rowsIn(database) - before;
  return [
    { name: 'Bun: notifications of one order', value: median(rates), unit: '/s', least: 1_000 },
    { name: 'Bun: rows that they add', value: more, unit: 'rows', most: 0 },
  ];
}

/** Sends notifications for one order on all connections. @returns the number of responses per second */
async function storm(service: Service, order: string): Promise<number> {
  const [secret = ''] = sandboxSecrets(parseConfig(service.settings).secretKeys);
  const requests = Array.from({ length: notices }, (_, index) => noticeOf(order, `evt_${index}`, secret));
  return withConnections(service.port, connections, async (open) => {
    const startedAt = performance.now();
    await Promise.all(
      open.map(async (connection) => {
        for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
          const answer = await connection.exchange(next);
          if (answer.status !== 200) throw new WrongAnswer('200', answer);
        }
      }),
    );
    return (notices / (performance.now() - startedAt)) * 1000;
  });
}

/** A notification as the sandbox signs it. */
function noticeOf(orderId: string, id: string, secret: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ type: 'payment.paid', data: { orderId } });
  const signature = signWebhook(secret, `${id}.${timestamp}.${body}`);
  const lines = { id, timestamp, signature };
  const headers = Object.entries(lines).map(([name, value]) => `webhook-${name}: ${value}\r\n`);
  return postRequest('/v1/gateways/sandbox/webhook', '', 'application/json', body, headers.join(''));
}

function rowsIn(database: DatabaseSync): number {
  const rows = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all();
  const counts = rows.map(({ name }) => `(SELECT count(*) FROM "${name}")`);
  return Number(database.prepare(`SELECT ${counts.join(' + ')} AS count`).get()?.['count']);
}

/** One run of the jobs while this many deposits are due: the calls to the provider, and the added memory. */
async function sweep(service: Service, database: DatabaseSync): Promise<Bar[]> {
  database
    .prepare(`INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, created_at, updated_at,
        expires_at, next_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      SELECT 'dep_due' || i, a.owner, a.id, 'IDR', 10000, 0, 0, 10000, 'sandbox', ?2, 1, ?2, i
      FROM n JOIN accounts a ON a.kind = 'wallet'`)
    .run(dueRows, Date.now());
  database.exec(`UPDATE deposits SET status = 'pending', session = 's', url = 'u' WHERE id LIKE 'dep_due%'`);
  // The first run also loads modules that every run needs.
  await runJobs(service);
  const asked = askedIn(database);
  const before = residentMiB(service.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMiB(service.pid));
  }, 5);
  await runJobs(service);
  clearInterval(watch);
  const calls = askedIn(database) - asked;
  return [
    { name: 'Bun: calls of a run over 10,000 due deposits', value: calls, unit: 'calls', most: 250 },
    { name: 'Bun: memory growth while it runs', value: most - before, unit: 'MiB', most: 20 },
  ];
}

async function runJobs({ port }: Service): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/dev/scheduled`, { method: 'POST' });
  if (!answer.ok) throw new Error(`The jobs answered ${answer.status}`);
  await answer.arrayBuffer();
}

/** The number of provider calls about the backlog's deposits: each check of a pending deposit is one call. */
function askedIn(database: DatabaseSync): number {
  const row = database.prepare(`SELECT sum(tries) AS n FROM deposits WHERE id LIKE 'dep_due%'`).get();
  return Number(row?.['n']);
}
