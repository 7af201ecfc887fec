import type { Deps } from '../deps.ts';

/**
 * Calls to addresses that strangers chose, on Workers. Names cannot be resolved here: the platform's own egress keeps
 * them out of private networks.
 */
export const callOut: Deps['callOut'] = async ({ url, headers, body, timeoutMs }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  await answer.body?.cancel();
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After') };
};
