import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { hasLibsqlServer } from './test/support/libsql-server.ts';

const root = import.meta.dirname;
const target = (name: string) => ({ '#target': join(root, `test/support/target-${name}.ts`) });
const http = (names: string[]) => names.map((name) => `test/http/${name}.test.ts`);

/** The HTTP suite: the same files on every target. */
const suite = http(['**/*']);

/**
 * The files of the suite that `npm test` runs on every target, because their result can depend on the runtime or the
 * database. The other files run the same code with the same responses; `npm run test:rest` runs them on every target.
 */
const perTarget = [
  // Bodies, headers and cookies as each runtime reads and writes them.
  ...http(['body', 'errors', 'headers', 'main-job', 'planted-cookies']),
  // Cryptography of the runtime.
  ...http(['access-token', 'dpop', 'dpop-clients', 'passkey', 'passkey-encodings']),
  // Requests and mail to the outside world.
  ...http(['external-sign-in', 'mail', 'resources', 'webhook-delivery']),
  // Batches: their guards, their cost, and the stored data.
  ...http([
    'authorize',
    'claim',
    'credential',
    'database-guards',
    'refresh',
    'refresh-grace',
    'round-trips',
    'transfers',
    'transfer-verdicts',
    'transfer-costs',
    'withdrawals',
    'wallet-limits',
    'deposits',
    'fees',
    'storage',
    'token',
  ]),
  // Races, and more concurrent requests than the service accepts.
  ...http(['approvals', 'email-login', 'race']),
  // Bindings, and the loss of one.
  ...http(['rate-limit', 'rate-limit-outage', 'rate-limit-stores']),
];

/**
 * Files whose result can depend on the runtime but not on the database. With a libSQL server the service runs in the
 * same Node process as with a file, so these files would test nothing new there.
 */
const byRuntime = http([
  'access-alone',
  'back-ends',
  'body',
  'cookie-scope',
  'errors',
  'external-sign-in',
  'external-sign-in-faults',
  'external-sign-in-id-token',
  'headers',
  'mail',
  'openapi-examples',
  'origin',
  'passkey-encodings',
  'planted-cookies',
  'popup-headers',
  'rate-limit-policy',
  'rate-limit-table',
  'webhook-delivery',
]);

/**
 * Files that compute or wait for long, or start many processes; `npm run test:rest` runs them in parallel with others.
 */
const long = [
  'test/cli.test.ts',
  'test/container.test.ts',
  'test/deploying.test.ts',
  'test/executable.test.ts',
  'test/features/deposit/fair-schedule.test.ts',
  'test/http/external-sign-in-faults.test.ts',
  'test/model/money-guards.test.ts',
  'test/platform/money-crash.test.ts',
  'test/platform/payout-crash.test.ts',
  'test/platform/release-before.test.ts',
  'test/refresh-crash.test.ts',
  'test/sign-out-crash.test.ts',
  'test/sdk/refresh.test.ts',
  'test/webhook-crash.test.ts',
];

/**
 * Files that wait in real time, measure it, or change the process they run in. Each runs in a separate process while
 * nothing else runs.
 */
const alone = [
  'test/bun-entry.test.ts',
  'test/hanging-names.test.ts',
  'test/platform/bucket-isolates.test.ts',
  'test/platform/bucket-processes.test.ts',
  'test/platform/libsql-server.test.ts',
  'test/platform/libsql.test.ts',
  'test/platform/rqlite-cluster.test.ts',
  'test/platform/rqlite.test.ts',
  'test/platform/upgrade-crash.test.ts',
];

const options = {
  // A busy machine takes longer than the second that Vitest allows by default.
  expect: { poll: { timeout: 20_000 } },
  globalSetup: ['test/support/global-setup.ts'],
  // One module graph for all files of a worker, because building it takes longer than most files.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
/**
 * In CI, tests that need real time or a real browser may fail once; Vitest reports them as flaky. No other test may
 * fail: a race that is lost once in two runs is a defect.
 */
const retry = process.env['CI'] ? 1 : 0;
/** Thousands of parallel writes take D1 minutes, so each of a target's two runs has a smaller race. */
const rounds = (raceRounds: number, moneyRuns = 2) => ({ provide: { raceRounds, money: money(moneyRuns) } });
/** Runs of the money model of up to 300 commands; `npm run simulate -- --d1` sets a number of steps. */
function money(runs: number) {
  const { MODEL_SEED: seed, MODEL_STEPS: steps } = process.env;
  return {
    runs: steps === undefined ? runs : Math.ceil(Number(steps) / 150),
    commands: runs < 100 && steps === undefined ? 100 : 300,
    seed: seed === undefined ? undefined : Number(seed),
  };
}

const workerd = () =>
  cloudflareTest(async () => ({
    // The sources themselves, not the build output.
    main: './src/worker.ts',
    wrangler: { configPath: './wrangler.toml' },
    miniflare: { bindings: { MIGRATIONS: await readD1Migrations(join(root, 'migrations')) } },
  }));

interface TargetOptions {
  readonly plugins?: () => ReturnType<typeof workerd>[];
  /** Files outside the HTTP suite. */
  readonly more?: string[];
  readonly never?: string[];
}

/** A target as two projects: the tests run by `npm test`, and the rest. */
function targetProjects(name: string, { plugins = () => [], more = [], never = [] }: TargetOptions = {}) {
  const resolve = { alias: target(name) };
  const first = [...perTarget, ...more];
  const again = http(['race']);
  return [
    {
      resolve,
      plugins: plugins(),
      test: { ...options, ...rounds(5), name, include: first, exclude: never },
    },
    {
      resolve,
      plugins: plugins(),
      test: {
        ...options,
        ...rounds(5),
        name: `${name}-rest`,
        include: suite,
        exclude: [...never, ...first.filter((file) => !again.includes(file))],
      },
    },
  ];
}

export default defineConfig({
  test: {
    // Tests wait more than they compute, so two cores can run two files concurrently.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        resolve: { alias: target('libsql') },
        test: {
          ...options,
          ...rounds(50, 100),
          name: 'libsql',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', 'test/clients/**', ...alone, ...long],
        },
      },
      {
        resolve: { alias: target('libsql') },
        test: { ...options, name: 'libsql-rest', isolate: true, include: long },
      },
      {
        resolve: { alias: target('libsql') },
        test: {
          ...options,
          ...rounds(50),
          name: 'alone',
          retry,
          isolate: true,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          include: alone,
        },
      },
      // Published for one platform. The race takes it minutes, and its own test has a smaller one.
      ...(hasLibsqlServer ? targetProjects('server', { never: [...http(['race']), ...byRuntime] }) : []),
      ...targetProjects('worker', {
        plugins: () => [workerd()],
        more: [
          'test/model/money-model.test.ts',
          'test/model/withdrawal-race.test.ts',
          'test/sdk/server.test.ts',
          'test/sdk/server-apps.test.ts',
          'test/sdk/server-dpop.test.ts',
          'test/sdk/without-window.test.ts',
        ],
      }),
      // There the service is a separate process, whose round trips and memory no test can inspect.
      ...targetProjects('bun', { never: http(['release-upgrade', 'round-trips']) }),
      // A measurement: no published version for tests has everything that the service needs (docs/deploying.md).
      {
        resolve: { alias: target('rqlite') },
        test: {
          ...options,
          ...rounds(5),
          name: 'rqlite',
          include: suite,
          exclude: [...http(['race']), ...byRuntime],
        },
      },
      {
        test: {
          name: 'browser',
          globalSetup: ['test/support/install-checks.ts'],
          retry,
          expect: options.expect,
          sequence: { groupOrder: 2 },
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          // `npm run dev` is slow on a busy machine.
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'clients',
          globalSetup: ['test/support/install-clients.ts'],
          retry,
          expect: options.expect,
          sequence: { groupOrder: 3 },
          include: ['test/clients/*.test.ts'],
          testTimeout: 120_000,
          // Third-party packages are installed there.
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
