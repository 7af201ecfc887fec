import { expect, it } from 'vitest';
import { resolveWithdrawal } from '../../../src/features/admin/documents.ts';
import { effects, standings } from '../../../src/features/deposit/effects.ts';
import type { PayoutStatus } from '../../../src/features/gateway/gateway.ts';
import { workPayouts } from '../../../src/features/withdrawal/payout.ts';
import { type Found, type State, useDepositLooks } from '../../support/deposit-looks.ts';
import { newHolder } from '../../support/money.ts';
import { createPayoutProvider } from '../../support/payout-provider.ts';
import { allowWithdrawals, withdraw } from '../../support/withdrawals.ts';

const stage = useDepositLooks();
const { depositIn, look, marks, since } = stage;

const cells = (found: Found) => [found.becomes, found.moves, found.audit, found.events];
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Every payment state at the provider in every state of a deposit of 10,000, of which 100 and 50 are fees. */
async function depositTable(): Promise<string> {
  const rows: string[][] = [];
  for (const state of Object.keys(effects) as State[]) {
    for (const [at, standing] of standings.entries()) {
      const id = await depositIn(standing);
      const before = await marks();
      const said = { state, ...(state === 'partly_refunded' ? { returned: 4000 } : {}) };
      await look(id, said);
      const found = await since(before, 'deposits', id);
      rows.push([state, standing, effects[state][at] ?? '', ...cells(found)]);
      // Neither a repeat nor a late, older response has any further effect.
      const after = await marks();
      if (standing === 'credited' || standing === 'reversed') {
        await look(id, said);
        await look(id, { state: standing === 'credited' ? 'paid' : 'refunded' }, { stale: true });
      }
      expect([state, standing, (await marks()).leg]).toEqual([state, standing, after.leg]);
    }
  }
  const head = ['provider', 'deposit', 'effect', 'becomes', 'moves', 'audit', 'event'];
  return table(head, rows);
}

const payoutStates = ['unknown', 'pending', 'paid', 'failed', 'returned'] as const;

/** Every payout state at the provider in every state of a withdrawal that is checked. */
async function payoutTable(): Promise<string> {
  await allowWithdrawals(stage.service);
  const rows: string[][] = [];
  for (const standing of ['submitted', 'paid', 'declared', 'contradicted'] as const) {
    for (const state of payoutStates) {
      const { browser } = await newHolder(stage.service, 50_000);
      const { gateway } = createPayoutProvider();
      const saying = (said: PayoutStatus['state']) => ({
        ...gateway,
        createPayout: async () => ({ state: 'pending' as const }),
        getPayout: async ({ id }: { id: string }) => ({ state: said, payoutId: `pyt_${id}` }),
      });
      const { id } = await withdraw(browser, 20_000);
      await workPayouts(stage.service.deps, saying('pending'));
      await stage.service.advance(61);
      if (standing === 'declared')
        await resolveWithdrawal(stage.service.deps, 'operator', { id, outcome: 'paid', reason: 'seen' });
      else if (standing !== 'submitted') await workPayouts(stage.service.deps, saying('paid'));
      await stage.service.advance(3601);
      if (standing === 'contradicted') {
        await workPayouts(stage.service.deps, saying('failed'));
        await stage.service.advance(86_400);
      }
      const before = await marks();
      await workPayouts(stage.service.deps, saying(state));
      rows.push([state, standing, ...cells(await since(before, 'withdrawals', id))]);
      await stage.service.rows('UPDATE withdrawals SET next_at = ? WHERE next_at IS NOT NULL', [
        stage.service.now() + 1e12,
      ]);
    }
  }
  return table(['provider', 'withdrawal', 'becomes', 'moves', 'audit', 'event'], rows);
}

it('each provider status has its documented effect in each state of a deposit and a payout [D-98]', async () => {
  const text = `# What a provider's answer does

A test writes this page (\`test/features/deposit/effects.test.ts\`): it lets the provider say each of its states of a deposit of 10,000
rupiah, of which 100 are the app's fee and 50 the operator's, and of a withdrawal of 20,000. Each answer comes twice, and once more
late. [Payments](payments.md) says what the words mean.

## Deposits

\`ended\` is expired or failed, \`rejected\` failed by a decision of the desk.

| effect | means |
| --- | --- |
| \`open\` | the provider's page is opened, again if its answer was lost |
| \`wait\` | nothing yet: the provider is asked again |
| \`lapse\` | nothing yet; a day after its time the deposit expires |
| \`end\` | it expires or fails; one that has ended stays so |
| \`credit\` | the payment is credited |
| \`review\` | a person decides |
| \`keep\` | the credit remains; money that was taken back is credited again, and a second payment of the order goes to suspense |
| \`return\` | what the provider has taken back is taken from the accounts that were credited |
| \`alarm\` | it contradicts the ledger: nothing moves, and the desk lists it |
| \`decided\` | nothing: a person decides or has decided; a credit by the desk asks the provider again |

${await depositTable()}

## Withdrawals

The provider is asked about withdrawals that were submitted, and for two weeks about those that were paid. Nothing is sent for one that is
quoted, held or cancelled; failed and returned are final. \`declared\` is paid by the word of the desk alone, \`contradicted\` paid and denied
by the provider: only the desk decides about it. One that the provider does not know is sent again for a day, under the same id.

${await payoutTable()}
`;
  await expect(text).toMatchFileSnapshot('../../../docs/provider-answers.md');
});
