import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeFrom, tokensAt } from '../../src/lib/token-bucket.ts';

describe('a token bucket', () => {
  it('predicts when the next token is available [D-63]', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (limit, tokens) => {
          const { allowed, resetSeconds } = takeFrom(tokens, limit);
          expect(allowed).toBe(false);
          expect(resetSeconds).toBeGreaterThanOrEqual(1);
          expect(resetSeconds).toBeLessThanOrEqual(60);
          expect(takeFrom(tokensAt({ tokens, at: 0 }, limit, resetSeconds * 1000), limit).allowed).toBe(true);
        },
      ),
    );
  });

  it('is full after a minute and never overfills, and a missing bucket is full', () => {
    expect(tokensAt(undefined, 20, 5)).toBe(20);
    expect(tokensAt({ tokens: 0, at: 0 }, 20, 30_000)).toBe(10);
    expect(tokensAt({ tokens: 0, at: 0 }, 20, 60_000)).toBe(20);
    expect(tokensAt({ tokens: 19, at: 0 }, 20, 600_000)).toBe(20);
    expect(tokensAt({ tokens: 3, at: 1_000 }, 20, 0)).toBe(3);
  });

  it('reports the number of whole tokens left and the time until it is full [D-63]', () => {
    expect(takeFrom(20, 20)).toEqual({ allowed: true, left: 19, remaining: 19, resetSeconds: 3 });
    expect(takeFrom(1.5, 20)).toEqual({ allowed: true, left: 0.5, remaining: 0, resetSeconds: 59 });
    expect(takeFrom(0.5, 20)).toEqual({ allowed: false, left: 0.5, remaining: 0, resetSeconds: 2 });
  });
});
