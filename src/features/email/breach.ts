import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { readBounded } from '../../lib/bounded-answer.ts';
import { utf8 } from '../../lib/encoding.ts';

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
    const lines = (await askInTime(deps, url)).split('\n');
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

/** The listener holds on to the signal: a runtime may let go of one that only a running fetch refers to. */
function askInTime(deps: Deps, url: string): Promise<string> {
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { 'Add-Padding': 'true' };
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('the breach check took too long'));
    signal.addEventListener('abort', giveUp, { once: true });
    readText(deps, new Request(url, { headers, signal, redirect: 'manual' }))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

async function readText(deps: Deps, request: Request): Promise<string> {
  const response = await deps.fetch(request);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the breach check answered ${response.status}`);
  }
  const text = await readBounded(response, maxAnswerBytes);
  if (text === null) throw new Error('the breach check answered too much');
  return text;
}
