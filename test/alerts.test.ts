import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BunProcess, startBun } from './support/bun-process.ts';
import { freePort, type RunningProcess, runProcess } from './support/processes.ts';

const root = join(import.meta.dirname, '..');
const ops = join(root, 'docs/ops');
const token = 'a-token-that-reads-the-metrics-0';

/** The reason why the tests below cannot run on this machine. */
const missing =
  spawnSync('promtool', ['--version']).status === 0 ? '' : ' (skipped: Prometheus is not installed)';

const rules = readFileSync(join(ops, 'alerts.yml'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const { panels } = JSON.parse(readFileSync(join(ops, 'dashboard.json'), 'utf8')) as {
  panels: { targets: { expr: string }[] }[];
};
const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-alerts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * For each alert, a series with one value a minute for an hour and a half that fires it, and others that it needs. `+`
 * increments at each step.
 */
const raising: Record<string, Record<string, string>> = {
  PeridotDown: { 'up{job="peridot"}': '0x90' },
  PeridotRestarts: { 'process_start_time_seconds{job="peridot"}': '0+60x90' },
  PeridotErrors: {
    'peridot_http_requests_total{route="POST /v1/auth/refresh",status="503"}': '0+2x90',
    'peridot_http_requests_total{route="POST /v1/auth/refresh",status="204"}': '0+100x90',
  },
  PeridotDatabaseDown: { peridot_database_up: '0x90' },
  PeridotDatabaseSlow: {
    'peridot_database_batch_seconds_bucket{outcome="done",le="0.5"}': '0+90x90',
    'peridot_database_batch_seconds_bucket{outcome="done",le="1"}': '0+100x90',
    'peridot_database_batch_seconds_bucket{outcome="done",le="+Inf"}': '0+100x90',
  },
  PeridotBusy: {
    'peridot_event_loop_lag_seconds_bucket{le="0.1"}': '0+100x90',
    'peridot_event_loop_lag_seconds_bucket{le="0.5"}': '0+120x90',
    'peridot_event_loop_lag_seconds_bucket{le="+Inf"}': '0+120x90',
  },
  PeridotDiskFull: { peridot_database_free_bytes: '20000000000-50000000x90' },
  PeridotProviderDown: {
    'peridot_http_requests_total{route="GET /v1/auth/google/callback",status="502"}': '0+2x90',
    'peridot_http_requests_total{route="GET /v1/auth/google/callback",status="302"}': '0+1x90',
    'peridot_http_requests_total{route="GET /v1/auth/idp/callback",status="302"}': '0+500x90',
  },
  PeridotGatewayDown: { 'peridot_refusals_total{code="gateway_unavailable"}': '0+1x90' },
  PeridotMailFails: {
    'peridot_events_total{event="mail.failed"}': '0+2x90',
    'peridot_events_total{event="mail.sent"}': '7x90',
  },
  PeridotReplayWave: { 'peridot_events_total{event="session.replay"}': '0+5x90' },
  PeridotGuessing: {
    'peridot_refusals_total{code="password_refused"}': '0+50x90',
  },
  PeridotKeyUnreadable: { 'peridot_events_total{event="signing_key.unreadable"}': '0+1x90' },
  PeridotLedgerNotOpen: { 'peridot_ledger_mode{mode="open"}': '0x90' },
  PeridotGuardFired: { 'peridot_events_total{event="ledger.violated"}': '0+1x90' },
  PeridotDepositsStuck: { 'peridot_unexplained{kind="deposit"}': '1x90' },
  PeridotPayoutUnknown: { 'peridot_unexplained{kind="withdrawal"}': '1x90' },
  PeridotWebhookBacklog: { 'peridot_queue_overdue_seconds{queue="webhooks"}': '0+60x90' },
  PeridotQueueWaits: { 'peridot_queue_overdue_seconds{queue="mail"}': '0+60x90' },
  PeridotJobsFail: { 'peridot_jobs_total{job="purge",outcome="failed"}': '0+1x90' },
  PeridotJobsStopped: { 'peridot_jobs_total{job="purge",outcome="done"}': '9x90' },
};

/** A healthy service, none of whose metrics fires an alert. */
const quiet: Record<string, string> = {
  'up{job="peridot"}': '1x90',
  'process_start_time_seconds{job="peridot"}': '100x90',
  'peridot_http_requests_total{route="POST /v1/auth/refresh",status="204"}': '0+100x90',
  'peridot_http_requests_total{route="GET /v1/auth/idp/callback",status="502"}': '0+1x90',
  'peridot_http_requests_total{route="GET /v1/auth/idp/callback",status="302"}': '0+9x90',
  peridot_database_up: '1x90',
  peridot_database_free_bytes: '20000000000-1000x90',
  'peridot_refusals_total{code="password_refused"}': '0+10x90',
  // The owner of an app replays its tokens at the maximum rate, on three nodes.
  'peridot_events_total{event="app_session.replay",instance="a"}': '0+1x90',
  'peridot_events_total{event="app_session.replay",instance="b"}': '0+1x90',
  'peridot_events_total{event="app_session.replay",instance="c"}': '0+1x90',
  'peridot_events_total{event="mail.failed"}': '0+2x90',
  'peridot_events_total{event="mail.sent"}': '0+1x90',
  'peridot_ledger_mode{mode="open"}': '1x90',
  'peridot_queue_overdue_seconds{queue="webhooks"}': '30x90',
  'peridot_unexplained{kind="withdrawal"}': '0x90',
  'peridot_jobs_total{job="purge",outcome="done"}': '0+1x90',
};

function ruleTest(series: Record<string, string>, firing: readonly string[]) {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '84m',
        exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
}

describe.skipIf(missing !== '')(`the alerts of docs/ops${missing}`, () => {
  it('pass promtool check rules', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(ops, 'alerts.yml')], {
      encoding: 'utf8',
    });
    expect(`${status} ${stdout}${stderr}`).toContain(`${alerts.length} rules found`);
  });

  it('fire only on the metrics of their own failure, never on those of a healthy service', async () => {
    expect(Object.keys(raising)).toEqual(alerts);
    const tests = Object.entries(raising).map(([alert, series]) => ruleTest(series, [alert]));
    const file = join(folder, 'tests.json');
    // JSON is YAML.
    await writeFile(
      file,
      JSON.stringify({
        rule_files: [join(ops, 'alerts.yml')],
        evaluation_interval: '2m',
        tests: [...tests, ruleTest(quiet, [])],
      }),
    );
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  describe('in a Prometheus server that scrapes the service', () => {
    let server: BunProcess;
    let prometheus: RunningProcess;
    let port: number;
    const api = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return (await answer.json()) as { status: string; error?: string; data: never };
    };
    const query = (expr: string) => api(`query?query=${encodeURIComponent(expr)}`);
    const isUp = async () => {
      const { data } = await query('up{job="peridot"}');
      const { result } = data as { result: { value: [number, string] }[] };
      return result[0]?.value[1] === '1';
    };

    beforeAll(async () => {
      server = await startBun({ METRICS_TOKEN: token });
      // The documented settings, with this service and shorter intervals.
      const settings = readFileSync(join(ops, 'prometheus.yml'), 'utf8')
        .replace('scheme: https', 'scheme: http')
        .replace('id.example.com', `127.0.0.1:${server.port}`)
        .replace('15s', '1s\n  evaluation_interval: 1s');
      await writeFile(join(folder, 'prometheus.yml'), settings);
      await writeFile(join(folder, 'alerts.yml'), rules);
      await writeFile(join(folder, 'metrics-token'), token);
      port = await freePort();
      const data = join(folder, 'data');
      const listen = `--web.listen-address=127.0.0.1:${port}`;
      prometheus = await runProcess(
        ['prometheus', '--config.file=prometheus.yml', `--storage.tsdb.path=${data}`, listen],
        { cwd: folder, env: {} },
        isUp,
      );
    });
    afterAll(async () => {
      await prometheus?.stop();
      await server?.close();
    });

    it('have healthy rules', async () => {
      const { data } = await api('rules');
      const { groups } = data as { groups: { rules: { name: string; health: string }[] }[] };
      await expect
        .poll(async () => {
          const { data: later } = await api('rules');
          const [group] = (later as typeof data as { groups: typeof groups }).groups;
          return group?.rules.filter(({ health }) => health !== 'ok').map(({ name }) => name);
        })
        .toEqual([]);
      expect(groups[0]?.rules.map(({ name }) => name)).toEqual(alerts);
    });

    it('use only metrics and labels that the service exports, and so does the dashboard', async () => {
      await fetch(`${server.origin}/v1/auth/session`);
      const { data } = await api('label/__name__/values');
      const known = new Set(data as string[]);
      const expressions = [...shown, rules];
      const names = new Set(expressions.flatMap((text) => text.match(/\b(?:peridot|process)_\w+/g) ?? []));
      expect(names.size).toBeGreaterThan(20);
      expect([...names].filter((name) => !known.has(name))).toEqual([]);
      const values = expressions.flatMap((text) => [
        ...text.matchAll(/\b(code|event|kind|queue|mode|outcome)=~?"([^"]+)"/g),
      ]);
      for (const [, label = '', pattern] of values) {
        const { data: own } = await api(`label/${label}/values`);
        for (const one of (pattern ?? '').split('|'))
          expect(
            (own as string[]).some((value) => new RegExp(`^(?:${one})$`).test(value)),
            one,
          ).toBe(true);
      }
    });

    it('the dashboard has data for every metric it uses', async () => {
      for (const expr of shown) expect(await query(expr)).toMatchObject({ status: 'success' });
    });

    it('the metrics output passes promtool check metrics', async () => {
      const text = await fetch(`${server.origin}/metrics`, {
        headers: { Authorization: `Bearer ${token}` },
      }).then((answer) => answer.text());
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input: text,
        encoding: 'utf8',
      });
      expect(`${status} ${stdout}${stderr}`).toBe('0 ');
    });
  });
});
