import type { Deps } from '../../deps.ts';
import { handleOf } from '../../lib/id.ts';
import { verifyOldIdToken } from '../signing-key/archived-keys.ts';

/** The app, the person and the app session of one of our ID tokens. */
export interface IdTokenHint {
  readonly appId: string;
  readonly handle: string;
  /** Null in a token without one. */
  readonly sid: string | null;
}

/** Reads an `id_token_hint`: an ID token of any age; null unless we signed it with a key that was not removed. */
export async function readHint(deps: Deps, token: string, now: number): Promise<IdTokenHint | null> {
  const verified = await verifyOldIdToken(deps, token, now);
  const { iss, aud, sub, sid } = verified?.payload ?? {};
  if (iss !== deps.config.origin || typeof aud !== 'string' || typeof sub !== 'string') return null;
  const handle = handleOf(sub);
  return handle === null ? null : { appId: aud, handle, sid: typeof sid === 'string' ? sid : null };
}
