import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createId } from '../../src/lib/id.ts';
import { randomBytes } from '../support/random.ts';

describe('createId', () => {
  it('creates ids in one format with their prefix', () => {
    expect(createId('ses', 1_800_000_000_000, randomBytes)).toMatch(/^ses_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(createId('crd', 0, () => new Uint8Array(10))).toMatch(/^crd_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('creates ids that sort by creation time over the whole range', () => {
    const time = fc.integer({ min: 0, max: 2 ** 47 });
    fc.assert(
      fc.property(time, time, (one, other) => {
        fc.pre(one !== other);
        const [first, second] = [createId('ses', one, randomBytes), createId('ses', other, randomBytes)];
        expect(first < second).toBe(one < other);
      }),
    );
  });

  it('never repeats, even in one millisecond [D-04]', () => {
    const ids = Array.from({ length: 10_000 }, () => createId('ses', 1_800_000_000_000, randomBytes));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('creates a version 7 UUID, with the right version and variant bits for any random bytes', () => {
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    for (const filler of [0, 0xff, 0xa5]) {
      const text = createId('ses', 0x0123456789ab, (length) => new Uint8Array(length).fill(filler)).slice(4);
      const bits = [...text]
        .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
        .join('')
        .slice(0, 128);
      const hex = (bits.match(/.{4}/g) ?? [])
        .map((nibble) => Number.parseInt(nibble, 2).toString(16))
        .join('');
      expect(hex).toMatch(/^0123456789ab7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    }
  });
});
