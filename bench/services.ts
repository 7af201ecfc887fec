import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ensureInstalled } from '../scripts/installed.ts';
import { type Service, startService } from './processes.ts';

// The limiter stays on, so that its cost is measured, but its limits are never reached.
const rateLimits = JSON.stringify({ '*': 100_000_000 });

/**
 * @param sources a folder with sources other than the project's
 * @param more further settings
 */
export function startPeridotOnBun(
  sources = '.',
  more: Readonly<Record<string, string>> = {},
): Promise<Service> {
  return startService({
    name: 'peridot on bun',
    command: () => ['bun', join(sources, 'src/bun.ts')],
    settings: (port, folder) => ({
      ENVIRONMENT: 'development',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
      SECRET_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      RATE_LIMITS: rateLimits,
      ...more,
    }),
  });
}

/** The OAuth server with which token requests are compared. */
export function startOidcProvider(): Promise<Service> {
  ensureInstalled(import.meta.dirname);
  return startService({
    name: 'oidc-provider on bun',
    command: () => ['bun', 'bench/oidc-provider.ts'],
    settings: (port, folder) => ({
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: `file:${join(folder, 'oidc-provider.db')}`,
    }),
  });
}

export function startFloorOnBun(): Promise<Service> {
  ensureInstalled(import.meta.dirname);
  return startService({
    name: 'floor on bun',
    command: () => ['bun', 'bench/floor-bun.ts'],
    settings: (port, folder) => ({
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: `file:${join(folder, 'floor.db')}`,
    }),
  });
}

/** @param databaseUrl a libSQL server; by default D1, which runs in the serving thread */
export function startPeridotOnWorkers(databaseUrl?: string): Promise<Service> {
  return startService({
    name: 'peridot on workers',
    command: (port, folder) => [
      'npm',
      'run',
      'dev',
      '--',
      ...wranglerArguments(port, folder),
      '--var',
      `BASE_URL:http://127.0.0.1:${port}`,
      '--var',
      'LOG_LEVEL:warn',
      '--var',
      `RATE_LIMITS:${rateLimits}`,
      ...(databaseUrl === undefined ? [] : ['--var', `DATABASE_URL:${databaseUrl}`]),
    ],
    settings: () => wranglerSettings,
  });
}

export function startFloorOnWorkers(): Promise<Service> {
  return startService({
    name: 'floor on workers',
    command: (port, folder) => [
      'wrangler',
      'dev',
      '--config',
      'bench/floor.wrangler.toml',
      ...wranglerArguments(port, folder),
    ],
    settings: () => wranglerSettings,
  });
}

function wranglerArguments(port: number, folder: string): string[] {
  return ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0', '--persist-to', folder];
}

// Both settings keep wrangler from using the network during measurements.
const wranglerSettings = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' };
