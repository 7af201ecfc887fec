import { first, run } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { recordOnce } from '../activity/statements.ts';
import { paymentGatewayNamed } from '../gateway/configured.ts';
import type { PaymentGateway } from '../gateway/gateway.ts';
import { lookAt } from './due.ts';
import { notified } from './statements.ts';

/**
 * Handles a provider notification. None of its content is stored: the next check is moved to the current time and runs
 * after the response, so a thousand notifications cost no more than one.
 * @throws AppError not_found for an unknown provider, invalid_signature
 */
export async function takeNotification(
  deps: Deps,
  provider: string,
  body: Uint8Array,
  headers: Headers,
): Promise<void> {
  const gateway = await paymentGatewayNamed(deps, provider);
  if (gateway === null) throw new AppError('not_found');
  const id = await gateway.verifyNotification(body, headers);
  if (id === undefined) throw new AppError('invalid_signature');
  const known = await first(deps.db, notified(id, provider, deps.now()));
  if (known === null) return noteUnknown(deps, gateway, id);
  deps.background(lookAt(deps, gateway, id));
}

/** A payment without a deposit needs an investigation; the audit log records each such order only once. */
async function noteUnknown(deps: Deps, { name }: PaymentGateway, id: string): Promise<void> {
  const order = id.slice(0, 100);
  deps.log.error('gateway.unknown_order', { gateway: name, order });
  const detail = { gateway: name };
  const line = { action: 'gateway.unknown_order', target: order, detail, now: deps.now() } as const;
  await run(deps.db, { audit: [recordOnce(line)] });
}
