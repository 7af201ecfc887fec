import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { createMemoryBuckets } from '../../src/platform/bucket-memory.ts';
import { createDevClock } from '../../src/platform/dev-clock.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { createLogger } from '../../src/platform/log.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { scrypt } from '../../src/platform/scrypt.ts';
import { type TargetVariables, testDefaults } from './target.ts';

export interface Route {
  readonly method: string;
  /** As the app declares it, such as `/v1/credentials/:id`. */
  readonly pattern: string;
  /** An address that the pattern matches. */
  readonly path: string;
}

/** Every route the app answers with these settings, read from the app itself, so that a new one is tested unasked. */
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
  for (const { method, path: pattern } of createApp(deps, clock, async () => []).routes) {
    const path = pattern.replace(/:\w+(\{[^}]*\})?/g, 'x').replaceAll('*', 'x');
    if (method !== 'ALL') found.set(`${method} ${pattern}`, { method, pattern, path });
  }
  return [...found.values()];
}

export function isUnsafe({ method }: Route): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method);
}
