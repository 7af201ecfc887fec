import { describe, expect, it } from 'vitest';
import { plainHandle, searchText, typosBetween, typosOf } from '../../src/lib/search-text.ts';

const id = 'trf_01k9zmb0x4e6w9q2r5t8y1c3v7';

describe('searchText', () => {
  it('removes characters that copying adds to a handle, an address or an id', () => {
    for (const [given, expected] of [
      ['  budi ', 'budi'],
      ['@budi', 'budi'],
      ['@budi.santoso@pid', 'budi.santoso@pid'],
      ['budi @ pid', 'budi@pid'],
      ['“budi@pid”,', 'budi@pid'],
      ['<budi@pid>', 'budi@pid'],
      ["'budi'", 'budi'],
      ['"Budi Santoso" <budi@example.com>', 'budi@example.com'],
      ['mailto:budi@example.com', 'budi@example.com'],
      ['budi@example.com.', 'budi@example.com'],
      ['bu\u200bdi\u00a0santoso', 'budi santoso'],
      [id.toUpperCase(), id],
      [`(${id})`, id],
      ['“”', ''],
    ])
      expect([given, searchText(given ?? '')]).toEqual([given, expected]);
  });

  it('keeps characters that have a meaning', () => {
    for (const text of ["O'Brien", '@example.com', 'ada@', 'ada*', 'AbCdEfGhIjKlMnOpQrStUA'])
      expect(searchText(text)).toBe(text);
  });
});

describe('typosOf', () => {
  it('lists every text with one typo, and few enough to look up', () => {
    for (const other of ['budii', 'bdui', 'bud1', 'udi', 'bud']) {
      expect(typosOf('budi')).toContain(other);
      expect(typosBetween('budi', other)).toBe(1);
    }
    expect(typosOf('budi')).not.toContain('budiii');
    expect(new Set(typosOf('a'.repeat(30)).map((text) => typosBetween('a'.repeat(30), text)))).toEqual(
      new Set([0, 1]),
    );
    expect(typosOf('a'.repeat(30)).length).toBeLessThan(2_500);
  });
});

describe('typosBetween', () => {
  it('counts letters too many, too few, wrong or swapped', () => {
    for (const [one, other, count] of [
      ['wijaya', 'wijaya', 0],
      ['wijaya', 'wiajya', 1],
      ['wijaya', 'widjaja', 2],
      ['wijaya', '', 6],
      ['ab', 'ba', 1],
    ] as const)
      expect([one, other, typosBetween(one, other), typosBetween(other, one)]).toEqual([
        ...[one, other, count, count],
      ]);
  });
});

describe('plainHandle', () => {
  it('ignores case, separators, spaces and the ending of a PID', () => {
    for (const text of ['Andi W', 'andi_w', 'andi-w@pid', 'AN.DIW']) expect(plainHandle(text)).toBe('andiw');
    for (const text of ['x'.repeat(31), 'a', 'ada@example.com', '陈美玲'])
      expect(plainHandle(text)).toBe(null);
  });
});
