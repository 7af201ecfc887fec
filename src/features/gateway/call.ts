import { run } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { fetchAnswer } from '../../lib/fetch-text.ts';
import { recordOnce } from '../activity/statements.ts';
import { GatewayAmbiguous, GatewayContradicted, GatewayUnavailable } from './gateway.ts';

const timeoutMs = 10_000;
const maxAnswerBytes = 1024 * 1024;
/** The request was not processed: invalid key, too early (RFC 8470), or too many requests. */
const notTaken: ReadonlySet<number> = new Set([401, 403, 425, 429]);

/** Returns whether a status leaves the outcome of a request open: it timed out (408), or the provider failed. */
export function isUnclear(status: number): boolean {
  return status === 408 || status >= 500;
}

interface GatewayCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface GatewayAnswer {
  readonly status: number;
  /** The response as JSON; undefined if empty. */
  readonly body: unknown;
}

/**
 * Calls a provider and returns its response: a success, or an error known to the adapter. Waits at most 10 seconds,
 * reads at most 1 MB, and follows no redirect.
 * @throws GatewayUnavailable if the provider did not accept the request, including for an unknown key, which the
 *   operator can correct; GatewayAmbiguous if a change may have taken effect
 */
export async function callGateway(deps: Deps, call: GatewayCall): Promise<GatewayAnswer> {
  const { method, url, headers, body } = call;
  const signal = AbortSignal.timeout(timeoutMs);
  const request = new Request(url, {
    method,
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  });
  const fail = (reason: string, isTaken: boolean, cause?: unknown) => {
    deps.log.warn('gateway.failed', { host: new URL(url).host, method, reason });
    const Failure = isTaken && method !== 'GET' ? GatewayAmbiguous : GatewayUnavailable;
    return new Failure(reason, { cause });
  };
  const answer = await fetchAnswer(deps.fetch, request, signal, maxAnswerBytes).catch((error: unknown) => {
    throw fail(error instanceof Error ? error.message : 'no answer', true, error);
  });
  const { status, text } = answer;
  if (isUnclear(status)) throw fail(`status ${status}`, true);
  if (notTaken.has(status) || status < 200 || (status >= 300 && status < 400))
    throw fail(`status ${status}`, false);
  const parsed = parseJson(text);
  if (parsed === undefined && text !== '') throw fail('no JSON', true);
  return { status, body: parsed };
}

/**
 * Compares a response with its request, because a response about another order is meaningless for this one. A mismatch
 * raises an alarm in the log and adds a line to the audit log.
 * @param id the deposit or withdrawal in the request
 * @param claims by field name, whether the field is as expected
 * @throws GatewayContradicted
 */
export async function expectClaims(
  deps: Deps,
  id: string,
  claims: Readonly<Record<string, boolean>>,
): Promise<void> {
  const [field] = Object.entries(claims).find(([, holds]) => !holds) ?? [];
  if (field === undefined) return;
  deps.log.error('gateway.contradicted', { id, field });
  const line = { action: 'gateway.contradicted', target: id, detail: { field }, now: deps.now() } as const;
  await run(deps.db, { audit: [recordOnce(line)] });
  throw new GatewayContradicted(field);
}

/** Undefined unless the text is JSON. The parser's error is dropped, because it quotes the response. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
