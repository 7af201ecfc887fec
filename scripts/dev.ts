/**
 * `npm run dev`: the whole service in workerd on this machine, ready to try. Creates `.dev.vars` with a new secret,
 * applies the migrations to a local D1, starts `wrangler dev`, loads demo data, and serves the example apps alongside
 * it (SPA_PORT): a shop, and a page for developers. Safe to repeat.
 *
 * Prints each step with its duration, then the addresses, and after that only errors; `--verbose` shows all output from
 * wrangler and the service. Other arguments are passed on to wrangler: `--port N`, `--persist-to DIR`, `--var
 * NAME:VALUE` (which overrides `.dev.vars`). Ends with wrangler, or on SIGINT and SIGTERM.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import type { D1Database } from '@cloudflare/workers-types';
import { olu } from '../dev/people.ts';
import { ConfigError, parseConfig } from '../src/config.ts';
import { pidOf } from '../src/lib/id.ts';
import { openD1 } from '../src/platform/database/d1.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { type Examples, isUp, serveExamples } from './dev-examples.ts';

const root = join(import.meta.dirname, '..');
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
const environment = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: 'true',
};

const output = process.argv.includes('--verbose') ? 'inherit' : 'pipe';
const passed = process.argv.slice(2).filter((argument) => argument !== '--verbose');
const port = lastOf('--port') ?? '8787';
const persistTo = lastOf('--persist-to');
const givenVars = valuesOf('--var');
const given = new Map(
  givenVars.map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);
const address = `http://localhost:${port}`;
const scratch = mkdtempSync(join(tmpdir(), 'peridot-dev-'));

function valuesOf(name: string): string[] {
  return passed.flatMap((argument, index) => {
    if (argument === name) return passed[index + 1] ?? [];
    return argument.startsWith(`${name}=`) ? argument.slice(name.length + 1) : [];
  });
}

function lastOf(name: string): string | undefined {
  return valuesOf(name).at(-1);
}

/**
 * Variables that wrangler reads: `.dev.vars`, overridden by the command line. Returns their file, and the
 * service's public URL.
 */
function writeVariables(): { file: string; publicAddress: string } {
  const kept = join(root, '.dev.vars');
  if (!existsSync(kept)) {
    const lines = [
      '# Settings for `npm run dev`; docs/configuration.md lists them all.',
      `SECRET_KEY=${randomBytes(32).toString('base64')}`,
    ];
    writeFileSync(kept, `${lines.join('\n')}\n`, { mode: 0o600 });
  }
  const lines = readFileSync(kept, 'utf8')
    .split('\n')
    .filter((line) => !given.has(line.split('=', 1)[0] ?? ''));
  if (!given.has('BASE_URL') && !lines.some((line) => line.startsWith('BASE_URL=')))
    lines.push(`BASE_URL=${address}`);
  // Someone has to be the administrator.
  if (!given.has('ADMIN_PIDS') && !lines.some((line) => line.startsWith('ADMIN_PIDS=')))
    lines.push(`ADMIN_PIDS=${pidOf(olu.id)}`);
  // So that the pages show how a person gets help.
  if (!given.has('SUPPORT_URL') && !lines.some((line) => line.startsWith('SUPPORT_URL=')))
    lines.push('SUPPORT_URL=mailto:support@example.com');
  for (const [name, value] of given) lines.push(`${name}='${value}'`);
  // Parsed here so that errors appear once, before anything starts; wrangler would repeat them for every request.
  const settings = { ...parseEnv(lines.join('\n')), HOST: lastOf('--ip') };
  const { origin: publicAddress } = parseConfig(settings);
  const file = join(scratch, 'vars');
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  return { file, publicAddress };
}

function run(command: string[]): ChildProcess {
  return spawn(process.execPath, [wrangler, ...command], {
    cwd: root,
    env: environment,
    stdio: ['ignore', output, output],
  });
}

/** Passes on problem reports: wrangler's errors, those logged by the service, and the reason why wrangler exited. */
function showErrors(child: ChildProcess): void {
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      if (/\[ERROR\]|"level":"error"/.test(line)) console.error(line);
      else if (last.push(line) > 20) last.shift();
    });
  }
  child.once('close', (code) => {
    if (code) console.error(last.join('\n'));
  });
}

async function finish(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/**
 * Applies the migrations to the local D1. `wrangler d1 migrations apply` would start a workerd for each migration,
 * which takes a minute.
 */
async function applyMigrations(): Promise<void> {
  const { getPlatformProxy } = await import('wrangler');
  const configPath = join(scratch, 'wrangler.json');
  // Only the database, because wrangler warns of bindings that a script cannot have.
  writeFileSync(configPath, JSON.stringify({ d1_databases: [{ binding: 'DB', database_name: 'peridot' }] }));
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    configPath,
    persist: { path: join(persistTo ?? join(root, '.wrangler/state'), 'v3') },
  });
  await migrate(openD1(env.DB), join(root, 'migrations')).finally(dispose);
}

/** Replaces cron triggers, which `wrangler dev` does not run. Failures appear in the service's own log. */
function runScheduled(): void {
  void fetch(`${address}/dev/scheduled`, { method: 'POST' }).catch(() => {});
}

/** Prints a step, runs it, and prints its duration. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  process.stdout.write(`  ${name.padEnd(16)}`);
  const result = await work();
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`);
  return result;
}

/** Waits until the service responds, then loads the demo data and prints the addresses. */
async function welcome(server: ChildProcess, examples: Examples | null): Promise<void> {
  const isReady = await step('Worker', () => isUp(`${address}/readyz`, () => server.exitCode === null));
  if (!isReady) return;
  await step('Demo data', async () => {
    await fetch(`${address}/dev/seed`, { method: 'POST' }).catch(() => {});
    await examples?.openShop(address).catch((error) => {
      console.error(`The shop is not served: ${error instanceof Error ? error.message : error}`);
    });
  });
  const addresses = [`Development   ${address}/dev`];
  if (examples) addresses.unshift(`Start here    ${examples.shop}`);
  if (examples) addresses.push(`Example app   ${examples.spa}`);
  console.log(`\n  ${addresses.join('\n  ')}\n`);
}

const withoutVars = passed.filter((argument, index) => {
  return argument !== '--var' && !argument.startsWith('--var=') && passed[index - 1] !== '--var';
});

try {
  const { file, publicAddress } = writeVariables();
  const served = serveExamples(publicAddress, scratch).catch((error) => {
    console.error(`The example apps are not served: ${error instanceof Error ? error.message : error}`);
    return null;
  });
  const [examples] = await step('Migrations', () => Promise.all([served, applyMigrations()]));
  if (examples) appendFileSync(file, `\nEXAMPLE_APPS=${examples.shop},${examples.spa}\n`);
  const place = lastOf('--port') === undefined ? ['--port', port] : [];
  const server = run([
    ...['dev', '--env-file', file, '--show-interactive-dev-session=false'],
    ...[...place, ...withoutVars],
  ]);
  showErrors(server);
  const pass = (signal: NodeJS.Signals) => server.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  void welcome(server, examples);
  const timer = setInterval(runScheduled, 60_000);
  process.exitCode = await finish(server);
  clearInterval(timer);
  await examples?.close();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
