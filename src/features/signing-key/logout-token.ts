import type { Deps } from '../../deps.ts';
import { requireSigner } from './signing-key.ts';
import type { Algorithm } from './stored-keys.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** The lifetime of a logout token, short as in Back-Channel Logout 1.0 section 4: at most two minutes. */
const ttlSeconds = 120;

export interface Logout {
  readonly alg: Algorithm;
  readonly appId: string;
  readonly pid: string;
  /** The revoked app session; null for all of the person's sessions. */
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
