import { assert, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeeRule, feeOf, feesOf } from '../../../src/features/ledger/fee.ts';

const most = 1_000_000_000_000;
const amount = integer({ min: 1, max: most });
const rule = record({
  fixed: integer({ min: 0, max: 1_000_000_000 }),
  bps: integer({ min: 0, max: 10_000 }),
  least: integer({ min: 0, max: 1_000_000 }),
  most: option(integer({ min: 1_000_000, max: most })),
  payer: constantFrom<'payer' | 'payee'>('payer', 'payee'),
});
const ofNothing: FeeRule = { fixed: 0, bps: 0, least: 0, most: null, payer: 'payer' };

describe('a fee', () => {
  it.each([
    [10_000, { bps: 70 }, 70],
    [10_000, { fixed: 500 }, 500],
    [143, { bps: 70 }, 2],
    [1, { bps: 1 }, 1],
    [100, { bps: 100, least: 5 }, 5],
    [1_000_000, { bps: 100, most: 2500 }, 2500],
    [most, { bps: 10_000 }, most],
    [999_999_999_999, { bps: 9999 }, 999_900_000_000],
  ])('is computed exactly: on %i under %o it is %i', (of, changes, fee) => {
    expect(feeOf(of, { ...ofNothing, ...changes })).toBe(fee);
  });

  it('is a whole number within its bounds that never decreases as the amount grows', () => {
    assert(
      property(amount, amount, rule, (one, other, of) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const fee = feeOf(low, of);
        expect(Number.isSafeInteger(fee)).toBe(true);
        expect(fee).toBeGreaterThanOrEqual(Math.min(of.least, of.most ?? of.least));
        expect(fee).toBeLessThanOrEqual(of.most ?? Number.MAX_SAFE_INTEGER);
        expect(feeOf(high, of)).toBeGreaterThanOrEqual(fee);
      }),
      { numRuns: 2000 },
    );
  });

  it('is never reduced by splitting the amount', () => {
    assert(
      property(amount, amount, rule, (one, other, of) => {
        if (one + other > most) return;
        expect(feeOf(one, of) + feeOf(other, of)).toBeGreaterThanOrEqual(feeOf(one + other, of));
      }),
      { numRuns: 2000 },
    );
  });

  it('is divided without remainder between its payers and its recipients', () => {
    assert(
      property(amount, option(rule), option(rule), (of, app, platform) => {
        const fees = feesOf(of, { app, platform });
        expect(fees.payer + fees.payee).toBe(fees.app + fees.platform);
        if (app === null) expect(fees.app).toBe(0);
        if (app?.payer === 'payer' && platform?.payer === 'payer') expect(fees.payee).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });
});
