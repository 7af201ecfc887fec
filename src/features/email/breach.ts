import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { utf8 } from '../../lib/encoding.ts';
import { fetchText } from '../../lib/fetch-text.ts';

/** A person waits, and must get the answer within two seconds, in which a busy machine also makes a hash. */
const deadlineMs = 1_000;
const maxAnswerBytes = 1024 * 1024;

/**
 * Whether the service at BREACH_CHECK_URL (the range search of Have I Been Pwned, or a copy of it) knows a password from a
 * leak. It gets only five characters of the digest, which hundreds of passwords share. The answer is padded, so that its
 * length does not tell which. Without an answer in time the password counts as unknown.
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
    const signal = AbortSignal.timeout(deadlineMs);
    const request = new Request(url, { headers: { 'Add-Padding': 'true' }, signal, redirect: 'manual' });
    const lines = (await fetchText(deps.fetch, request, signal, maxAnswerBytes)).split('\n');
    // A padding line has a count of 0.
    return lines.some((line) => {
      const [suffix, count] = line.trim().split(':');
      return suffix?.toUpperCase() === digest.slice(5) && Number(count) > 0;
    });
  } catch (error) {
    deps.log.warn('breach_check.failed', { host: new URL(base).host, error });
    return false;
  }
}
