import type { OAuth2Tokens } from 'arctic';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { fetchText } from '../../../lib/fetch-text.ts';

const maxAnswerBytes = 1024 * 1024;
/** The total for all calls of one callback. The browser is waiting, and must get its response within ten seconds. */
const providerDeadlineMs = 8_000;

/** Aborts all calls of one navigation together. */
export function providerDeadline(): AbortSignal {
  return AbortSignal.timeout(providerDeadlineMs);
}

/** A provider failure: the browser gets a 502, and the log the reason. */
export function providerFailed(reason: string, cause?: unknown): AppError {
  return new AppError('provider_failed', null, { reason, cause });
}

type ProviderRequest = RequestInit & { signal: AbortSignal };

/**
 * Requests a JSON object from a provider. Redirects are not followed (they could lead into a private network), at most
 * 1 MB is read, and `signal` enforces the timeout.
 * @throws AppError provider_failed
 */
export async function fetchJson(deps: Deps, url: string, init: ProviderRequest) {
  const value = await fetchValue(deps, url, init);
  if (isObject(value)) return value;
  throw providerFailed(`${new URL(url).host} answered no JSON object`);
}

/**
 * The access token from a token response. A token that is invalid in a header is rejected here, because the error of
 * `fetch` would quote the token, and errors are logged.
 * @throws AppError provider_failed
 */
export function readAccessToken(tokens: OAuth2Tokens): string {
  const token = 'access_token' in tokens.data ? tokens.data.access_token : null;
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw providerFailed('the token answer has no access token');
}

/** The same for a JSON array of objects. */
export async function fetchJsonList(deps: Deps, url: string, init: ProviderRequest) {
  const value = await fetchValue(deps, url, init);
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw providerFailed(`${new URL(url).host} answered no list of JSON objects`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function fetchValue(deps: Deps, url: string, init: ProviderRequest): Promise<unknown> {
  const request = new Request(url, { ...init, redirect: 'manual' });
  try {
    return parseJson(await fetchText(deps.fetch, request, init.signal, maxAnswerBytes));
  } catch (error) {
    throw providerFailed(`${new URL(url).host} did not answer as expected`, error);
  }
}

/**
 * Null unless the text is JSON. The parser's error is dropped, because it quotes the response, which may contain a
 * token.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
