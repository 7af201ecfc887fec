import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobNames } from '../src/lib/job-names.ts';
import { countedEvents, createMeter, signInOutcomes } from '../src/metrics.ts';
import { type BunProcess, startBun } from './support/bun-process.ts';
import { holdWriteLock } from './support/write-lock.ts';

const root = join(import.meta.dirname, '..');
const token = 'a-token-that-reads-the-metrics-0';
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let server: BunProcess;
let provider: Server;
/** The traces with which the provider was called. */
const traces: unknown[] = [];
beforeAll(async () => {
  provider = createServer((request, response) => {
    traces.push(request.headers['traceparent']);
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  server = await startBun({
    METRICS_TOKEN: token,
    ACCESS_LOG: 'on',
    IDP_ISSUER: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
  });
});
afterAll(async () => {
  await server?.close();
  provider?.close();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(server.origin + path, { redirect: 'manual', ...init });
const read = async () => (await ask('/metrics', { headers: { Authorization: `Bearer ${token}` } })).text();

async function countOf(line: string): Promise<number> {
  const found = (await read()).split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
}

describe('GET /metrics', () => {
  it('returns 404 without the token, with another token, and with another method', async () => {
    const shown = async (path: string, init: RequestInit) => {
      const answer = await ask(path, init);
      const headers = [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
      return [answer.status, headers, await answer.text()];
    };
    const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } });
    const accept = { headers: { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' } };
    const wrong = [{}, bearer(''), bearer(`${token}0`), bearer(token.slice(1)), accept];
    for (const init of [...wrong, { ...bearer(token), method: 'POST' }, { ...bearer(token), method: 'HEAD' }])
      expect(await shown('/metrics', init)).toEqual(await shown('/metricz', init));
    expect((await ask('/metrics')).status).toBe(404);
    expect((await ask('/metrics', bearer(token))).status).toBe(200);
  });

  it('counts a response by its route pattern, and a rejection by its code', async () => {
    const counted = [
      'peridot_http_requests_total{route="GET /v1/auth/session",status="401"}',
      'peridot_http_requests_total{route="GET /v1/fiat/deposits/:id",status="401"}',
      'peridot_http_requests_total{route="POST /v1/auth/login",status="403"}',
      'peridot_http_requests_total{route="unknown",status="404"}',
      'peridot_http_request_seconds_count{route="GET /v1/auth/session"}',
      'peridot_refusals_total{code="origin_not_allowed"}',
      'peridot_refusals_total{code="not_found"}',
    ];
    const before = await Promise.all(counted.map(countOf));
    await ask('/v1/auth/session');
    await ask('/v1/fiat/deposits/dep_of_somebody');
    await ask('/v1/auth/login', { method: 'POST', headers: { Origin: 'https://other.example' } });
    await ask('/no/such/path');
    const after = await Promise.all(counted.map(countOf));
    expect(after.map((value, at) => value - (before[at] ?? 0))).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('never uses client input as a label value', async () => {
    const mark = 'c4n4ry';
    const json = { 'Content-Type': 'application/json', Origin: server.origin };
    const body = JSON.stringify({ email: `${mark}@example.com`, password: `${mark} ${mark} ${mark}` });
    await ask(`/${mark}?${mark}=1`, { headers: { 'User-Agent': mark, 'X-App-Id': mark } });
    await ask(`/v1/identities/${mark}@pid`);
    await ask(`/v1/sessions/${mark}`, { method: 'DELETE', headers: json });
    await ask(`/v1/auth/email/login`, { method: 'POST', headers: json, body });
    await ask('/v1/auth/login', { method: mark.toUpperCase() });
    const text = await read();
    expect(text).toContain('peridot_sign_ins_total{kind="email",outcome="password_refused"} 1');
    expect(text.toLowerCase()).not.toContain(mark);
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
    expect(routes.size).toBeGreaterThan(5);
    for (const route of routes) expect(route).toMatch(/^(unknown|[A-Z]+ \/[a-z0-9_.:/*-]*)$/i);
  });

  it('exports the ledger, the queues, the disk and the recent jobs', async () => {
    // The jobs first run a second after the start.
    await expect.poll(read).toContain('peridot_jobs_total{job="ledger",outcome="done"} 1\n');
    const text = await read();
    for (const line of [
      'peridot_database_up 1',
      'peridot_ledger_mode{mode="open"} 1',
      'peridot_ledger_mode{mode="frozen"} 0',
      'peridot_ledger_legs_total 0',
      'peridot_queue_length{queue="webhooks"} 0',
      'peridot_unexplained{kind="withdrawal"} 0',
      'peridot_jobs_total{job="ledger",outcome="done"} 1',
      'peridot_jobs_total{job="ledger",outcome="failed"} 0',
    ])
      expect(text).toContain(`${line}\n`);
    for (const name of [
      'peridot_database_free_bytes',
      'peridot_database_commit_seconds_count',
      'peridot_database_group_size_count',
      'process_resident_memory_bytes',
    ])
      expect(Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]), name).toBeGreaterThan(0);
  });
});

describe('the metrics of an alert', () => {
  it('show a failing provider, by its route', async () => {
    const failed = 'peridot_http_requests_total{route="GET /v1/auth/idp",status="502"}';
    const before = await countOf(failed);
    await ask('/v1/auth/idp');
    expect(await countOf(failed)).toBe(before + 1);
  });

  it('show a database locked by another process, while the rest stays readable', async () => {
    const { released } = await holdWriteLock(server.file, 3_500);
    const text = await read();
    expect(text).toContain('peridot_database_up 0\n');
    expect(text).toContain('peridot_database_batch_seconds_count{outcome="unavailable"} 1\n');
    expect(text).toContain('peridot_refusals_total{code="no_session"}');
    await released;
    expect(await read()).toContain('peridot_database_up 1\n');
  });

  it('show a ledger frozen by a violated invariant', async () => {
    const database = new DatabaseSync(server.file);
    database.exec("UPDATE ledger SET mode = 'frozen', reason = 'balance: 1' WHERE id = 1");
    database.close();
    expect(await read()).toContain('peridot_ledger_mode{mode="open"} 0\n');
    expect(await read()).toContain('peridot_ledger_mode{mode="frozen"} 1\n');
  });
});

it('the access log has the route, the status, the time, the request id and the trace id', async () => {
  const answer = await ask('/v1/auth/session?secret=1', { headers: { traceparent } });
  const id = answer.headers.get('X-Request-Id');
  const lines = () =>
    server
      .output()
      .split('\n')
      .filter((one) => one.includes('"event":"access"') && one.includes(`"requestId":"${id}"`));
  await expect.poll(lines).toHaveLength(1);
  const [line = ''] = lines();
  expect(JSON.parse(line)).toEqual({
    time: expect.any(String),
    level: 'info',
    event: 'access',
    route: 'GET /v1/auth/session',
    status: 401,
    micros: expect.any(Number),
    requestId: id,
    traceparent,
  });
});

it('only a valid trace is passed on to a provider', async () => {
  await ask('/v1/auth/idp', { headers: { traceparent } });
  await ask('/v1/auth/idp', { headers: { traceparent: traceparent.replace('0af7', 'zzzz') } });
  await ask('/v1/auth/idp', { headers: { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` } });
  await ask('/v1/auth/idp');
  expect(traces.slice(-4)).toEqual([traceparent, undefined, undefined, undefined]);
});

it('docs/metrics.md lists exactly the exported metrics', async () => {
  const names = [...(await read()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  const rows = readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(/^\| (`\w+_[^|]+)/gm);
  const documented = [...rows].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  expect(documented.sort()).toEqual(names.sort());
});

describe('counted events', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );

  it('include every event logged as a warning or an error', () => {
    const named = sources.flatMap((text) => [
      ...text.matchAll(/log\.(?:warn|error)\(\s*'([^']+)'|warnOnceAMinute\(\s*\w+,\s*'([^']+)'/g),
    ]);
    const logged = new Set(named.map(([, one, other]) => one ?? other));
    expect(logged.size).toBeGreaterThan(30);
    expect([...logged].filter((event) => !countedEvents.includes(event as never))).toEqual([]);
  });

  it('include only logged events', () => {
    const all = sources.filter((text) => !text.includes('export const countedEvents')).join('');
    expect(countedEvents.filter((event) => !all.includes(`'${event}'`))).toEqual([]);
  });

  it('include every job and every outcome of a sign-in', () => {
    const source = (file: string) => readFileSync(join(root, file), 'utf8');
    const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    expect(named(source('src/scheduled.ts'), /name: '(\w+)'/g)).toEqual([...jobNames]);
    const [, decision = ''] = source('src/features/sign-in/sign-in.ts').split('requirements: {');
    const verdicts = [
      ...named(decision.split('    verdict:')[0] ?? '', /^ {6}(\w+): sql/gm),
      ...named(source('src/features/email/login.ts'), /verdict(?: = .+ \?|:) '(\w+)'/g),
    ];
    expect(verdicts.length).toBeGreaterThan(8);
    expect(verdicts.filter((one) => !signInOutcomes.includes(one as never))).toEqual([]);
  });
});

it('on Workers each increment is a data point, whose labels come from the same closed sets', async () => {
  const points: unknown[] = [];
  const meter = createMeter(
    () => 0,
    (...one) => points.push(one),
  );
  meter.route('GET /v1/auth/session')(401, 250);
  meter.refused('no_session');
  meter.refused('made up');
  await meter.database({ batch: async () => [] as never }).batch([]);
  expect(points).toEqual([
    ['peridot_http_requests_total', ['GET /v1/auth/session', 401], 1],
    ['peridot_http_request_seconds', ['GET /v1/auth/session'], 0.25],
    ['peridot_refusals_total', ['no_session'], 1],
    ['peridot_refusals_total', ['other'], 1],
    ['peridot_database_batch_seconds', ['done'], 0],
  ]);
});

it('replays by one person, or one app owner, are counted once a minute', () => {
  let now = 0;
  const points: unknown[] = [];
  const meter = createMeter(
    () => now,
    (_, [event]) => points.push(event),
  );
  const lines: string[] = [];
  const write = (event: string) => lines.push(event);
  const { warn } = meter.log({ debug: write, info: write, warn: write, error: write });
  const replay = () => {
    for (let index = 0; index < 21; index += 1)
      warn('app_session.replay', { app: `app_${index}`, owner: 'ayu', sid: `aps_${index}` });
    warn('session.replay', { handle: 'ayu' });
    warn('session.replay', { handle: 'budi' });
  };
  replay();
  now += 60_000;
  replay();
  expect(points).toEqual(['app_session.replay', 'session.replay', 'app_session.replay', 'session.replay']);
  expect(lines.length).toBe(46);
});
