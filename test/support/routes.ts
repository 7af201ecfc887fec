import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { endpoints } from '../../src/endpoints.ts';
import { createDevClock } from '../../src/platform/dev-clock.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { createLogger } from '../../src/platform/log.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { scrypt } from '../../src/platform/scrypt.ts';
import { type TargetVariables, testDefaults } from './target.ts';

export interface Route {
  readonly method: string;
  /** As declared by its endpoint, such as `/v1/credentials/:id`. */
  readonly pattern: string;
  /** The same for the router, which has a parameter in place of some fixed segments. */
  readonly route: string;
  /** An address that matches the pattern. */
  readonly path: string;
}

/**
 * Every route that the app serves with these settings, read from the app itself, so that new routes are tested
 * automatically.
 */
export function routesOf(variables: TargetVariables = {}): Route[] {
  const clock = createDevClock(Date.now);
  const deps: Deps = {
    config: parseConfig({ ...testDefaults, ...variables }),
    db: { batch: () => Promise.reject(new Error('this app serves nobody')) },
    buckets: createMemoryBuckets(),
    kv: createMemoryKv(),
    log: createLogger('error', () => {}, Date.now),
    now: clock.now,
    randomBytes,
    scrypt,
    fetch: () => Promise.reject(new Error('this app serves nobody')),
    callOut: () => Promise.reject(new Error('this app serves nobody')),
    mail: () => Promise.reject(new Error('this app serves nobody')),
    background: () => {},
  };
  const found = new Map<string, Route>();
  for (const { method, path: route } of createApp(deps, clock, async () => []).routes) {
    if (method === 'ALL') continue;
    const declared = endpoints.filter((endpoint) => endpoint.method === method && endpoint.route === route);
    for (const pattern of declared.length === 0 ? [route] : declared.map(({ path }) => path)) {
      const path = pattern.replace(/:\w+(\{[^}]*\})?/g, 'x').replaceAll('*', 'x');
      found.set(`${method} ${pattern}`, { method, pattern, route, path });
    }
  }
  return [...found.values()];
}

export function isUnsafe({ method }: Route): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}
