import { describe, expect, it } from 'vitest';
import { depositStatuses } from '../../src/features/deposit/schema.ts';
import { transactionKinds } from '../../src/features/ledger/schema.ts';
import { withdrawalStatuses } from '../../src/features/withdrawal/schema.ts';
import { moneyCodeTexts } from '../../src/pages/messages/desk-codes.ts';

describe('the admin desk', () => {
  it('has words for every state of money and every kind of movement', () => {
    const failures = [
      'amount_mismatch',
      'currency_mismatch',
      'account_closed',
      'payment_reused',
      'refund_borne',
    ];
    for (const code of [...depositStatuses, ...withdrawalStatuses, ...transactionKinds, ...failures])
      expect(Object.keys(moneyCodeTexts.en)).toContain(code);
  });
});
