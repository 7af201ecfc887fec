import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { utf8 } from '../../lib/encoding.ts';
import { fetchText } from '../../lib/fetch-text.ts';

/** A person waits meanwhile, and the answer must come within two seconds all in all, with a hash on a busy machine. */
const patienceMs = 1_000;
const maxAnswerBytes = 1024 * 1024;

/**
 * Whether a password is known from a leak, as the service at BREACH_CHECK_URL says (the range search of Have I Been
 * Pwned, or a copy of it). Only five characters of the digest leave, which hundreds of passwords share, and the
 * answer is padded, so that its length says nothing either. Without an answer in time it counts as not known.
 */
export async function isBreached(deps: Deps, password: string): Promise<boolean> {
  const { BREACH_CHECK_URL: base } = deps.config;
  if (base === undefined) return false;
  const digest = createHash('sha1')
    .update(utf8(password.normalize('NFC')))
    .digest('hex')
    .toUpperCase();
  const url = `${base.replace(/\/$/, '')}/${digest.slice(0, 5)}`;
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const request = new Request(url, { headers: { 'Add-Padding': 'true' }, signal, redirect: 'manual' });
    const lines = (await fetchText(deps.fetch, request, signal, maxAnswerBytes)).split('\n');
    // A padding line counts no leak at all.
    return lines.some((line) => {
      const [suffix, count] = line.trim().split(':');
      return suffix?.toUpperCase() === digest.slice(5) && Number(count) > 0;
    });
  } catch (error) {
    deps.log.warn('breach_check.failed', { host: new URL(base).host, error });
    return false;
  }
}
