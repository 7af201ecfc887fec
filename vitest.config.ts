import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { hasLibsqlServer } from './test/support/libsql-server.ts';

const root = import.meta.dirname;
const target = (name: string) => ({ '#target': join(root, `test/support/target-${name}.ts`) });
/** The HTTP suite: the same files on every target. */
const suite = ['test/http/**/*.test.ts'];
const globalSetup = ['test/support/global-setup.ts'];

export default defineConfig({
  test: {
    // Tests wait more than they compute, so two cores carry two files at once.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        resolve: { alias: target('libsql') },
        test: {
          name: 'libsql',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**'],
          globalSetup,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias: target('worker') },
        plugins: [
          cloudflareTest(async () => ({
            // The sources themselves, not what the build makes of them.
            main: './src/worker.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: { MIGRATIONS: await readD1Migrations(join(root, 'migrations')) } },
          })),
        ],
        test: {
          name: 'worker',
          include: [...suite, 'test/sdk/without-window.test.ts'],
          globalSetup,
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias: target('bun') },
        test: { name: 'bun', include: suite, globalSetup, testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        resolve: { alias: target('server') },
        test: {
          name: 'server',
          // Published for one platform. Thousands of writes at once take it minutes; its own test has a smaller race.
          include: hasLibsqlServer ? suite : [],
          exclude: ['test/http/race.test.ts'],
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          fileParallelism: false,
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
