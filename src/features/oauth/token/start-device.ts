import { only, run, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { devicePath } from '../../../lib/page-paths.ts';
import { stringList } from '../../../lib/present.ts';
import { parseScopes } from '../../../lib/scopes.ts';
import { identityScopes } from '../../app/schema.ts';
import { isMoneyScope, mayAsk } from '../../app/scopes.ts';
import { deviceTtlMs, hasDeviceFlow, insertDeviceRequest, pollSeconds } from '../../popup/device.ts';
import { type Client, isClient } from '../client.ts';
import { createDeviceCode, createUserCode, userCodeMacs, writeUserCode } from '../device-code.ts';
import { refuse } from '../refuse.ts';
import type { DeviceAnswer, DeviceInput } from '../schema.ts';
import type { TokenRequest } from './request.ts';

/**
 * Starts a sign-in on a device without a browser (RFC 8628 section 3.1). The response has no address that contains the
 * code: otherwise a link from a stranger would spare the person from comparing it with their device.
 * @param country where the device is, as two letters, if the runtime provides it
 * @throws AppError invalid_client, unauthorized_client, invalid_scope, invalid_target
 */
export async function startDevice(
  deps: Deps,
  { client, input }: Pick<TokenRequest<DeviceInput>, 'client' | 'input'>,
  country: string | null,
): Promise<DeviceAnswer> {
  const now = deps.now();
  if (input.resource !== undefined) throw refuse('invalid_target', 'a device');
  const scopes = await scopesFor(deps, client, input.scope, now);
  const device = createDeviceCode(deps, client.id);
  const code = createUserCode(deps);
  const [userCodeMac] = userCodeMacs(deps, code);
  const request = {
    id: device.id,
    appId: client.id,
    codeHash: device.hash,
    userCodeMac,
    scopes,
    country,
    now,
  };
  const isAllowed = sql`${isClient(client, now)} AND ${hasDeviceFlow(client.id)}`;
  const when = sql`${isAllowed} AND ${mayAsk(deps, client.id, scopes)}`;
  const { found } = await run(deps.db, {
    made: [insertDeviceRequest({ ...request, when })],
    found: statement<{ id: string }>(sql`SELECT id FROM popup_requests WHERE id = ${device.id}`),
  });
  // The app has changed in the meantime, or another request happens to have the same code.
  if (found.length === 0) throw new AppError('unavailable', null, { reason: 'the app or the code' });
  deps.log.info('device.started', { app: client.id });
  return {
    device_code: device.value,
    user_code: writeUserCode(code),
    verification_uri: `${deps.config.origin}${devicePath}`,
    expires_in: deviceTtlMs / 1000,
    interval: pollSeconds,
  };
}

/**
 * The scopes of a request, as for an authorization request: without `scope`, those for the person's identity. Money
 * scopes are refused: anybody can start a request with the public id of a native app, and forward its code.
 */
async function scopesFor(
  deps: Deps,
  client: Client,
  scope: string | undefined,
  now: number,
): Promise<readonly string[]> {
  const { apps } = await run(deps.db, {
    apps: statement<{
      known: number;
      allowed: number;
      registered: string;
    }>(sql`SELECT ${isClient(client, now)} AS known, coalesce(a.device_flow, 0) AS allowed,
        coalesce(a.scopes, '[]') AS registered
      FROM settings x LEFT JOIN apps a ON a.id = ${client.id} WHERE x.id = 1`),
  });
  const { known, allowed, registered } = only(apps);
  if (!known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  if (!allowed) throw refuse('unauthorized_client', 'deviceFlow is off');
  const scopes = (parseScopes(scope) ?? identityScopes).filter((one) => stringList(registered).includes(one));
  if (scopes.length === 0) throw refuse('invalid_scope');
  if (scopes.some(isMoneyScope))
    throw new AppError('invalid_scope', 'a device may not ask for wallet or fiat scopes');
  return scopes;
}
