import type { Deps } from './deps.ts';
import { databaseFigures } from './features/admin/figures.ts';
import { gaugeText } from './lib/metrics.ts';
import { isSameSecret } from './lib/oslo.ts';
import { secretHash } from './lib/secret.ts';

/** A part of the response. A part that fails is omitted, because metrics matter most during a failure. */
type Part = () => string | Promise<string>;

/**
 * Responds to `GET /metrics` with the token (METRICS_TOKEN). Every other request goes to the app, which returns 404 for
 * this path, so that nobody else learns that it exists.
 * @returns null for all other requests
 */
export function createScrape(
  deps: Deps,
  parts: readonly Part[],
): (request: Request) => Promise<Response> | null {
  const { metricsTokenHash: expected } = deps.config;
  return (request) => {
    if (expected === null || request.method !== 'GET' || !isMetrics.test(request.url)) return null;
    const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
    return isSameSecret(secretHash(token), expected) ? answer(deps, parts) : null;
  };
}

const isMetrics = /^\w+:\/\/[^/]+\/metrics$/;

async function answer(deps: Deps, parts: readonly Part[]): Promise<Response> {
  const stored = await databaseFigures(deps).catch(() => null);
  const isUp = gaugeText(
    { name: 'peridot_database_up', help: '1 if the database answered for this text.' },
    Number(stored !== null),
  );
  const others = await Promise.all(parts.map(async (part) => part()).map((text) => text.catch(() => '')));
  return new Response([...others, isUp, stored ?? ''].join(''), {
    headers: {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
