import { all, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { payoutGatewayNamed } from '../gateway/configured.ts';

/**
 * Handles a payout provider's callback. It only moves the payout's next check to the current time; an unknown payout is
 * ignored.
 * @throws AppError not_found for an unknown provider, invalid_signature
 */
export async function takeCallback(
  deps: Deps,
  provider: string,
  body: Uint8Array,
  headers: Headers,
): Promise<void> {
  const gateway = await payoutGatewayNamed(deps, provider);
  if (gateway === null) throw new AppError('not_found');
  const payout = await gateway.verifyCallback(body, headers);
  if (payout === undefined) throw new AppError('invalid_signature');
  await all(
    deps.db,
    statement(sql`UPDATE withdrawals SET next_at = ${deps.now()} WHERE gateway = ${provider} AND payout = ${payout}
      AND status IN ('submitted','paid')`),
  );
}
