import fc from 'fast-check';
import type { Database } from '../../src/db/database.ts';
import { moneyCommands } from './money-commands.ts';
import { expectEarnings, expectExplained } from './money-explained.ts';
import { expectSettled, gatewayCommands } from './money-gateway-commands.ts';
import { createModel } from './money-model.ts';
import { expectAgreement, expectInvariants, openWorld, type Tally } from './money-world.ts';

export interface Simulation {
  readonly runs: number;
  /** The maximum in one run. */
  readonly commands: number;
  readonly seed?: number | undefined;
  /** Guards were removed on purpose; the first difference is enough. */
  readonly isMutated?: boolean;
  /** Includes deposits and withdrawals. */
  readonly withGateway?: boolean;
}

/**
 * Runs commands against a migrated database and the model.
 * @returns the frequency of each verdict and fault, and `steps`
 * @throws Error with the seed and the shortest run that shows a difference
 */
export async function simulate(
  db: Database,
  { runs, commands, seed, isMutated = false, withGateway = false }: Simulation,
): Promise<Tally> {
  const tally: Tally = new Map();
  const chosen = fc.commands(
    withGateway ? [...moneyCommands, ...Array(3).fill(gatewayCommands).flat()] : moneyCommands,
    {
      maxCommands: commands,
      size: 'max',
    },
  );
  let count = 0;
  const property = fc.asyncProperty(chosen, async (run) => {
    count += 1;
    const world = await openWorld(db, { name: `r${count.toString(36)}`, tally, isMutated });
    const model = createModel();
    await fc.asyncModelRun(() => ({ model, real: world }), run);
    if (withGateway) {
      await expectSettled(model, world);
      await expectExplained(world);
    }
    await expectEarnings(model, world);
    await expectAgreement(model, world);
  });
  await fc.assert(property, {
    numRuns: runs,
    endOnFailure: isMutated,
    ...(seed === undefined ? {} : { seed }),
  });
  await expectInvariants(db, 0);
  return tally;
}
