import { parseConfig } from '../../src/config.ts';
import { all, type Database } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { encryptDestination } from '../../src/features/withdrawal/destination.ts';
import { hold, quote } from '../../src/features/withdrawal/statements.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { testDefaults } from './target.ts';

const config = parseConfig({ ...testDefaults, FRESH_SECONDS: '0' });
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The part of the service that withdrawals need, without recipients of email. */
export function payoutDeps(db: Database, now: () => number): Deps {
  const parts: Pick<Deps, 'config' | 'db' | 'log' | 'now' | 'randomBytes' | 'background'> = {
    config,
    db,
    log: quiet,
    now,
    randomBytes,
    background: () => {},
  };
  return parts as Deps;
}

interface Wanted {
  readonly id: string;
  readonly sessionId: string;
  readonly amount: number;
  readonly fee: number;
}

/** Quotes and holds a withdrawal without the routes. @returns true if it is held */
export async function holdOne(deps: Deps, { id, sessionId, amount, fee }: Wanted): Promise<boolean> {
  const now = deps.now();
  const destination = { bankCode: 'BCA', accountNumber: '1234567895', holder: 'Budi Santoso' };
  const sealed = await encryptDestination(deps, id, destination);
  await all(
    deps.db,
    quote({ id, sessionId, amount, fee, gateway: 'sandbox', sealed, hint: 'BCA ••••7895', now }),
  );
  const rows = await all(deps.db, hold({ deps, id, requestId: id, sessionId, gateway: 'sandbox', now }));
  return rows.length > 0;
}
