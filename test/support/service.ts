import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { createTarget, startsSlowly } from '#target';
import type { Target, TargetVariables } from './target.ts';

/** The sandbox provider instead of an external one. */
export const sandboxProvider: TargetVariables = { IDP_ISSUER: '', IDP_CLIENT_ID: '', IDP_CLIENT_SECRET: '' };

/** The services of the groups around the running test, innermost last. */
const running: Target[] = [];

function innermost(): Target {
  const service = running.at(-1);
  if (!service) throw new Error('no service runs before the hooks of useService');
  return service;
}

const target: Target = {
  get origin() {
    return innermost().origin;
  },
  request: (path, init) => innermost().request(path, init),
  advance: (seconds) => innermost().advance(seconds),
  now: () => innermost().now(),
  rows: (sql, values) => innermost().rows(sql, values),
  trips: () => innermost().trips(),
  settled: async () => innermost().settled?.(),
  files: () => innermost().files(),
  log: () => innermost().log(),
  restart: (variables) => innermost().restart(variables),
  close: () => innermost().close(),
};

/**
 * Runs a service for the tests of this file or `describe`, on an empty database, with a real external OpenID Connect
 * provider controlled by the test.
 */
export function useService(variables: TargetVariables = {}): Target {
  beforeAll(async () => {
    running.push(await create(variables));
  });
  afterAll(() => running.pop()?.close());
  return target;
}

const shared = new Map<string, Promise<Target>>();

/**
 * The same for tests unaffected by other people's rows, log lines and a fast clock. If a service starts slowly, all
 * such files of a worker share one with fixed settings.
 */
export function useSharedService(variables: TargetVariables = {}): Target {
  if (!startsSlowly) return useService(variables);
  beforeAll(async () => {
    const key = JSON.stringify(variables);
    const service = shared.get(key) ?? create(variables);
    shared.set(key, service);
    running.push(await service);
  });
  afterAll(() => void running.pop());
  return target;
}

/** Starts a service in addition to the group's, and closes it after the test. */
export async function startService(variables: TargetVariables = {}): Promise<Target> {
  const service = await create(variables);
  onTestFinished(() => service.close());
  return service;
}

function create(variables: TargetVariables): Promise<Target> {
  return createTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    FRESH_SECONDS: '900',
    RATE_LIMITS: '{"*":1000000}',
    ...variables,
  });
}
