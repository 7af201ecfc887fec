import { describe, expect, it } from 'vitest';
import { searchText, similarHandles } from '../../src/lib/search-text.ts';

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

describe('similarHandles', () => {
  it('lists every handle with one typo, and no other', () => {
    for (const handle of ['budi', 'budii', 'bdui', 'bud1', 'udi', 'bud', 'bu.di'])
      expect(similarHandles('budi').includes(handle) || handle === 'budi').toBe(true);
    expect(similarHandles('budi')).not.toContain('budiii');
    expect(similarHandles('budi')).not.toContain('budi');
    expect(similarHandles('budi santoso')).toEqual([
      'budisantoso',
      'budi.santoso',
      'budi-santoso',
      'budi_santoso',
    ]);
  });

  it('is bounded, and empty for text that cannot be a handle', () => {
    expect(similarHandles('a'.repeat(31)).length).toBeLessThan(2_500);
    for (const text of ['x'.repeat(32), 'ab', 'ada@example.com', '陈美玲'])
      expect(similarHandles(text)).toEqual([]);
  });
});
