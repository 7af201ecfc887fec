import { describe, expect, it } from 'vitest';
import { createCode } from '../../../src/features/email/code.ts';
import { randomBytes } from '../../support/random.ts';

function bytesOf(...numbers: number[]): (length: number) => Uint8Array<ArrayBuffer> {
  return () => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, numbers.shift() ?? 0);
    return bytes;
  };
}

describe('a mailed code', () => {
  it('has six digits, leading zeros too', () => {
    expect(createCode(bytesOf(7))).toBe('000007');
    expect(createCode(bytesOf(4_293_999_999))).toBe('999999');
  });

  it('is drawn again when the number is beyond the last whole million', () => {
    expect(createCode(bytesOf(4_294_000_000, 4_294_967_295, 123_456))).toBe('123456');
  });

  it('begins with each digit equally often', () => {
    const counts = Array<number>(10).fill(0);
    for (let count = 0; count < 20_000; count += 1) {
      const digit = Number(createCode(randomBytes)[0]);
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
    // Five standard deviations: a wrong alarm once in a hundred thousand runs.
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(212);
  });
});
