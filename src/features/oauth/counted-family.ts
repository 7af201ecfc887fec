import type { Deps } from '../../deps.ts';
import { readFields } from '../../http/body.ts';
import { clientKey } from '../../http/client-key.ts';
import type { AppContext } from '../../http/context.ts';
import type { CountedKey } from '../../http/rate-limit.ts';
import { present } from '../../lib/present.ts';
import { verifyAppToken } from '../grant/app-token.ts';
import { parseAppSecret, personTag } from './app-session-secret.ts';
import { readClient } from './client.ts';
import { parseDeviceCode } from './device-code.ts';
import { presentedToken } from './require-openid.ts';

/**
 * A request's bucket: the family and person of its code or token, if we issued it to this client. The MAC or signature
 * proves this without a database read, so nobody can exhaust other people's limits. Other requests are counted by the
 * presented secret; so is an access token for a resource, because the resource's owner has it, too.
 */
export async function countedFamily(c: AppContext, deps: Deps): Promise<CountedKey | null> {
  const fields = c.req.method === 'GET' ? {} : await readFields(c);
  const bearer = presentedToken(c, fields['access_token']);
  if (bearer !== null) return ofAccessToken(deps, bearer, null);
  const appId = readClient(c, deps, fields)?.id;
  if (appId === undefined) return null;
  for (const [kind, name] of [
    ['code', 'code'],
    ['refresh', 'refresh_token'],
    ['refresh', 'token'],
  ] as const) {
    const value = fields[name];
    const secret = typeof value === 'string' ? parseAppSecret(deps, kind, { value, appId }) : null;
    if (secret)
      return secret.person === null
        ? `session ${secret.sessionId}`
        : `token ${appId} ${secret.person} ${secret.sessionId}`;
  }
  const { device_code: device } = fields;
  const request = typeof device === 'string' ? parseDeviceCode(deps, device, appId) : null;
  if (request !== null) return `session ${request.id}`;
  const token = fields['subject_token'] ?? fields['token'];
  const family = typeof token === 'string' ? await ofAccessToken(deps, token, appId) : null;
  return family ?? clientKey(c, fields);
}

async function ofAccessToken(deps: Deps, token: string, appId: string | null): Promise<CountedKey | null> {
  const claims = await verifyAppToken(deps, token, deps.now());
  if (!claims || (appId !== null && claims.appId !== appId)) return null;
  const { handle, sessionId } = claims;
  if (handle === null) return `app ${claims.appId}`;
  return `token ${claims.appId} ${personTag(deps, claims.appId, handle)} ${present(sessionId, 'the session of a person’s token')}`;
}
