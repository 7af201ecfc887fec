import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '#target';
import { simulate } from './money-simulation.ts';

/** Every verdict of a confirmation and of a refund, and every fault. */
const expectedTally = [
  ...[
    'confirmed',
    'already_confirmed',
    'session_ended',
    'ledger_disabled',
    'ledger_frozen',
    'transaction_not_found',
  ],
  ...['grant_expired', 'grant_revoked', 'inquiry_expired', 'approval_required', 'approval_rejected'],
  ...[
    'approval_expired',
    'wallet_frozen',
    'recipient_unavailable',
    'grant_recipient',
    'grant_limit_exceeded',
  ],
  ...['insufficient_internal_credit', 'unavailable'],
]
  .map((verdict) => `confirm: ${verdict}`)
  .concat(
    [
      ...['ok', 'repeated', 'idempotency_key_reused', 'session_ended', 'ledger_disabled', 'ledger_frozen'],
      ...['transaction_not_found', 'already_reversed', 'grant_expired', 'grant_revoked', 'not_refundable'],
      ...[
        'refund_exceeds',
        'wallet_frozen',
        'recipient_unavailable',
        'insufficient_internal_credit',
        'unavailable',
      ],
    ].map((verdict) => `refund: ${verdict}`),
    ['lost before', 'lost after', 'down before', 'down after'].map((fault) => `fault: ${fault}`),
    ['stored', 'ledger_frozen', 'ledger_disabled', 'unavailable'].map((verdict) => `inquiry: ${verdict}`),
  );

/** Verdicts about holds and limits, each of which must occur. */
const expectedOfHolds = [
  ...['ok', 'caller_refused', 'ledger_disabled', 'ledger_frozen', 'hold_captured', 'hold_released'],
  ...['hold_expired', 'capture_exceeds', 'wallet_frozen', 'recipient_unavailable', 'unavailable'],
]
  .map((verdict) => `capture: ${verdict}`)
  .concat(['release: cancelled', 'confirm: already_held', 'confirm: for_hold', 'confirm: not_for_hold'])
  // Verdicts about limits.
  .concat(['payment', 'day'].map((limit) => `confirm: limit_${limit}`))
  .concat(['limits: on', 'confirm: recipient_limit']);

describe('wallets, transfers, refunds and grants, in any order', () => {
  it('match a plain model despite lost responses, lost connections, freezes, time jumps and skewed clocks', async () => {
    const { db, close } = await openDatabase();
    const { runs, commands, seed } = inject('money');
    const tally = await simulate(db, { runs, commands, seed });
    // Short runs do not reach every situation, and fewer runs reach fewer situations.
    const least = Math.floor(Math.min(20, runs / 20));
    if (commands >= 300)
      for (const name of expectedTally) expect(tally.get(name), name).toBeGreaterThanOrEqual(least);
    // Short runs may miss the limit of a month.
    if (commands >= 300 && runs >= 100) expect(tally.has('confirm: limit_month')).toBe(true);
    if (commands >= 300) expect(expectedOfHolds.filter((name) => !tally.has(name))).toEqual([]);
    await close();
  }, 3_600_000);

  it('match the model together with deposits and withdrawals: each payment is credited once, and no payout is made twice', async () => {
    const { db, close } = await openDatabase();
    const { runs, commands, seed } = inject('money');
    const tally = await simulate(db, { runs: Math.ceil(runs / 4), commands, seed, withGateway: true });
    const states = [
      ...['creating', 'pending', 'credited', 'expired', 'failed', 'review', 'reversed'].map(
        (state) => `deposit: ${state}`,
      ),
      // The operator rejects these, or bears their cost.
      ...['deposit: failed!', 'deposit: credited~', 'deposit: fee of a review'],
      // The provider returns these in part, or without stating the amount.
      ...['deposit: credited-', 'deposit: credited!', 'wallet: debt'],
      ...['decided deposit', 'decided withdrawal', 'reversed', 'adjusted', 'frozen'].map(
        (what) => `desk: ${what}`,
      ),
      ...['credit', 'return'].map((decision) => `desk: second payment, ${decision}`),
      ...['quoted', 'held', 'submitted', 'paid', 'failed', 'cancelled', 'returned'].map(
        (state) => `withdrawal: ${state}`,
      ),
    ];
    if (commands >= 300) expect(states.filter((name) => !tally.has(name))).toEqual([]);
    await close();
  }, 3_600_000);
});
