import type { Deps } from '../../deps.ts';
import { requireSigner } from './signing-key.ts';
import type { Algorithm } from './stored-keys.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Back-Channel Logout 1.0 section 4: a short lifetime, two minutes at most. */
const ttlSeconds = 120;

export interface Logout {
  readonly alg: Algorithm;
  readonly appId: string;
  readonly pid: string;
  /** The app session that ended; null for all of the person's sessions. */
  readonly sid: string | null;
  /** The event id, the same for each attempt. */
  readonly id: string;
}

/** Signs a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). @throws AppError unavailable */
export async function signLogoutToken(deps: Deps, { alg, appId, pid, sid, id }: Logout, now: number) {
  const sign = await requireSigner(deps, now, alg);
  const iat = Math.floor(now / 1000);
  const payload = {
    iss: deps.config.origin,
    sub: pid,
    aud: appId,
    ...(sid !== null && { sid }),
    iat,
    exp: iat + ttlSeconds,
    jti: id,
    events: { [logoutEvent]: {} },
  };
  return sign(payload, 'logout');
}
