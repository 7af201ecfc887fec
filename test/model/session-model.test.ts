import fc from 'fast-check';
import { describe, inject, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { openFaultyTarget } from '../support/faulty-database.ts';
import { commands, type World } from './commands.ts';
import { createModel, lifetimes } from './session-model.ts';

/** Runs with up to this many commands. PERIDOT_MODEL_RUNS sets another number; a failure reports its seed and its shortest run. */
const runs = Number(process.env['PERIDOT_MODEL_RUNS'] ?? 100);
const maxCommands = 80;

const seconds = (milliseconds: number) => String(milliseconds / 1000);

/** A service without any people, and two browsers. */
async function openWorld(): Promise<World> {
  const { target, database } = await openFaultyTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
    ACCESS_TTL_SECONDS: seconds(lifetimes.access),
    REFRESH_TTL_SECONDS: seconds(lifetimes.refresh),
    SESSION_MAX_SECONDS: seconds(lifetimes.session),
    CLAIM_TTL_SECONDS: seconds(lifetimes.ticket),
    REFRESH_GRACE_SECONDS: seconds(lifetimes.grace),
    FRESH_SECONDS: seconds(lifetimes.fresh),
  });
  return { target, database, browsers: [openBrowser(target), openBrowser(target)] };
}

describe('sign-in, claim, refresh, unlink and logout, in any order', () => {
  it('match a plain model despite lost responses, lost connections, restarts and time jumps', async () => {
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands, size: 'max' }), async (chosen) => {
      const world = await openWorld();
      try {
        await fc.asyncModelRun(() => ({ model: createModel(), real: world }), chosen);
      } finally {
        await world.target.close();
      }
    });
    await fc.assert(property, { numRuns: runs });
  }, 600_000);
});
