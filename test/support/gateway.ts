import { sandboxGatewayRoutes } from '../../dev/gateway-routes.tsx';
import { parseConfig } from '../../src/config.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import type { Deps, LogFields } from '../../src/deps.ts';
import { createSandbox } from '../../src/features/gateway/sandbox.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { form } from './sandbox.ts';
import { type TargetVariables, testDefaults } from './target.ts';

/** The part of `Deps` that provider adapters need, with their log lines and rows. */
export function gatewayDeps(fetch: Deps['fetch'], variables: TargetVariables = {}) {
  const clock = { at: Date.UTC(2026, 10, 22, 10) };
  const lines: { event: string; fields: LogFields | undefined }[] = [];
  const write = (event: string, fields?: LogFields) => void lines.push({ event, fields });
  let count = 0;
  const audited: Statement[] = [];
  const db: Database = {
    batch(statements) {
      audited.push(...statements);
      return Promise.resolve(statements.map(() => [])) as never;
    },
  };
  const deps = {
    db,
    config: parseConfig({ ...testDefaults, ...variables }),
    fetch,
    kv: createMemoryKv(),
    now: () => clock.at,
    randomBytes: (length: number) => {
      count += 1;
      return new Uint8Array(length).fill(count);
    },
    log: { debug: write, info: write, warn: write, error: write },
  } as Partial<Deps> as Deps;
  return { deps, clock, lines, audited };
}

/** The sandbox's provider and its adapter, with the notifications sent to the service. */
export function openSandboxGateway(variables: TargetVariables = {}) {
  const notices: Request[] = [];
  const { deps, clock } = gatewayDeps(async (request) => {
    if (!request.url.includes('/v1/gateways/')) return routes.fetch(request);
    notices.push(request);
    return new Response(null, { status: 200 });
  }, variables);
  const routes = sandboxGatewayRoutes(deps);
  const { origin } = deps.config;
  const at = (orderId: string) => `${origin}/dev/gateway/${orderId}`;
  const send = async (request: Request) => routes.fetch(request);
  return {
    gateway: createSandbox(deps),
    deps,
    clock,
    /** Takes the received notifications, oldest first. */
    takeNotices: () => notices.splice(0),
    page: (orderId: string) => send(new Request(at(orderId))),
    /** Acts like a person on the payment page. */
    act: (orderId: string, fields: Record<string, string>) =>
      send(new Request(at(orderId), form(fields, origin) as RequestInit)),
  };
}
