import { describe, expect, it } from 'vitest';
import { createCode, createLongCode } from '../../../src/features/email/code.ts';
import { randomBytes } from '../../support/random.ts';

/** Returns these bytes one by one. */
function bytesOf(...bytes: number[]): (length: number) => Uint8Array<ArrayBuffer> {
  return (length) => new Uint8Array(bytes.splice(0, length));
}

describe('a code sent by email', () => {
  it('has six digits, including leading zeros', () => {
    expect(createCode(bytesOf(0, 0, 0, 0, 0, 7))).toBe('000007');
    expect(createCode(bytesOf(9, 9, 9, 9, 9, 9))).toBe('999999');
  });

  it('is drawn again, rather than wrapped, if the random number is out of range', () => {
    expect(createCode(bytesOf(10, 1, 15, 2, 3, 4, 5, 6))).toBe('123456');
  });

  it('starts with each digit equally often', () => {
    const firstDigit = (byte: number, others: number) =>
      createCode(bytesOf(byte, ...Array<number>(6).fill(others)))[0];
    const counts = Array<number>(10).fill(0);
    for (let byte = 0; byte < 256; byte += 1) {
      // A byte that is drawn again leaves the digit to the next byte.
      const digit = Number(firstDigit(byte, 0));
      if (firstDigit(byte, 1) === `${digit}`) counts[digit] = (counts[digit] ?? 0) + 1;
    }
    expect(new Set(counts)).toEqual(new Set([16]));
  });
});

it('a code for a new password is one of 378 billion, so a hundred guesses have a one in 3.8 billion chance [S-03]', () => {
  const letters = new Set<string>();
  for (let count = 0; count < 1_000; count += 1) {
    const code = createLongCode(randomBytes);
    expect(code).toMatch(/^[2-9B-Z]{4}-[2-9B-Z]{4}$/);
    for (const letter of code.replace('-', '')) letters.add(letter);
  }
  expect(letters.size ** 8 / 100).toBeGreaterThan(3.7e9);
});
