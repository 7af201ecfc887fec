import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';

const maxAnswerBytes = 1024 * 1024;
/** All calls of one callback together: the browser waits, and its answer must come within ten seconds. */
export const providerDeadlineMs = 8_000;

/** A provider that failed us: 502 for the browser, the reason for the log. */
export function providerFailed(reason: string, cause?: unknown): AppError {
  return new AppError('provider_failed', null, { reason, cause });
}

/**
 * Asks a provider for a JSON object. Redirects are not followed (they could lead into a private network),
 * at most 1 MB is read, and `signal` ends it in time.
 * @throws AppError provider_failed
 */
export async function fetchJson(
  deps: Deps,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const host = new URL(url).host;
  try {
    const response = await deps.fetch(new Request(url, { ...init, redirect: 'manual' }));
    if (!response.ok) {
      await response.body?.cancel();
      throw providerFailed(`${host} answered ${response.status}`);
    }
    const value: unknown = JSON.parse(await readBounded(response, init.signal));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    throw providerFailed(`${host} answered no JSON object`);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw providerFailed(`${host} did not answer`, error);
  }
}

async function readBounded(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxAnswerBytes) {
      await reader?.cancel();
      throw providerFailed('the answer is too large');
    }
    text += decoder.decode(value, { stream: true });
  }
}
