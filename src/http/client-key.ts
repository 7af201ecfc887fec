import { secretHash } from '../lib/secret.ts';
import type { AppContext } from './context.ts';
import type { CountedKey } from './rate-limit.ts';

/** By the secret that an app presents: only who holds it can use up its requests. Null without one. */
export function clientKey(
  c: AppContext,
  { client_id, client_secret }: Record<string, unknown>,
): CountedKey | null {
  const [, basic] = /^basic +(.+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  if (basic !== undefined) return `client ${secretHash(basic)}`;
  return typeof client_secret === 'string' && client_secret !== ''
    ? `client ${secretHash(`${client_id}:${client_secret}`)}`
    : null;
}
