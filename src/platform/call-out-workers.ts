import type { Deps } from '../deps.ts';
import { readBytes } from '../lib/fetch-text.ts';

/**
 * Calls to untrusted URLs, on Workers. Names cannot be resolved here, but the platform's egress has no access to
 * private networks.
 */
export const callOut: Deps['callOut'] = async ({ url, headers, body = null, maxBytes, timeoutMs }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const method = body === null ? 'GET' : 'POST';
  const answer = await fetch(url, { method, headers, body, redirect: 'manual', signal });
  const { status } = answer;
  const head = {
    status,
    retryAfter: answer.headers.get('Retry-After'),
    contentType: answer.headers.get('Content-Type'),
    cacheControl: answer.headers.get('Cache-Control'),
  };
  if (maxBytes !== undefined) return { ...head, bytes: await readBytes(answer, maxBytes) };
  await answer.body?.cancel();
  return head;
};
