import { describe, expect, it } from 'vitest';
import { isFitForName, readableName, withoutLinks } from '../../src/lib/display-name.ts';

/** Invisible characters: fillers, soft hyphens, grapheme joiners, direction marks, musical controls and tags. */
const unseen = [
  ...[
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u1160',
    '\u17b4',
    '\u180e',
    '\u200b',
    '\u200e',
    '\u202e',
    '\u2060',
  ],
  ...[
    '\u2064',
    '\u2066',
    '\u206f',
    '\u3164',
    '\ufeff',
    '\uffa0',
    '\ufff0',
    '\u{1bca0}',
    '\u{1d173}',
    '\u{e0001}',
  ],
  ...['\u{e0041}', '\u{e007f}', '\u{e0fff}', '\u2028', '\u2029', '\0', '\n', '\u0085', '\ud800'],
];

describe('a display name', () => {
  it('must not contain invisible characters', () => {
    for (const character of unseen) {
      for (const name of [character, `Ada${character}`, `A${character}da`])
        expect([JSON.stringify(name), isFitForName(name)]).toEqual([JSON.stringify(name), false]);
    }
  });

  it('must not consist only of joiners, variation selectors and blanks', () => {
    for (const name of [
      '\u200d',
      '\u200c\u200c',
      '\ufe0f',
      '\u{e0100}',
      '\u200d \u3000',
      '\u2800',
      ' \u00a0 ',
    ])
      expect([JSON.stringify(name), isFitForName(name)]).toEqual([JSON.stringify(name), false]);
  });

  it('may contain the invisible characters that scripts and emoji need', () => {
    const names = [
      'Zo\u00eb',
      // Persian with a non-joiner, Sinhala with a joiner.
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
      // A Japanese name with a character variant, and a Mongolian one with a letter variant.
      '\u845b\u{e0100}\u57ce',
      '\u1828\u180b',
      '\u2764\ufe0f Ada',
      '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
      '\u2801\u2800\u2803',
    ];
    for (const name of names) expect([name, isFitForName(name)]).toEqual([name, true]);
  });

  it('from a provider is stripped of invisible characters, and dropped if nothing is left', () => {
    for (const character of unseen) {
      expect(readableName(character)).toBeNull();
      const name = readableName(`Ada${character} Lovelace`) ?? '';
      expect([isFitForName(name), name.replaceAll(' ', '')]).toEqual([true, 'AdaLovelace']);
    }
    expect(readableName('M\u00fcl\u00adler')).toBe('M\u00fcller');
    expect(readableName('Ada\r\nLovelace')).toBe('Ada Lovelace');
    for (const name of ['\u200d\u200d', ' \u2800', '']) expect(readableName(name)).toBeNull();
    expect(readableName(`${'x'.repeat(63)}\u{1f469}`)).toBe('x'.repeat(63));
  });
});

describe('text without links', () => {
  it.each([
    ...[
      '.',
      '\u2024',
      '\uff0e',
      '\u3002',
      '\uff61',
      '\ufe52',
      '\u2027',
      '\u00b7',
      '\u30fb',
      '\u0701',
      '\u06d4',
      '\u22c5',
    ],
    ...[
      '/',
      '\u2215',
      '\u2044',
      '\u29f8',
      '\u2571',
      ':',
      '\u2236',
      '@',
      '\uff20',
      ',',
      '\u2488',
      '\u00a0',
      '\u2025',
    ],
  ])('contains a space in place of %s', (sign) => {
    expect(withoutLinks(`bank${sign}id`)).toBe('bank id');
    expect(withoutLinks(`${sign}bank${sign}${sign} id${sign}`)).toBe('bank id');
  });

  it.each([
    ...[
      '\ua4f8',
      '\ua78f',
      '\u0660',
      '\u06f0',
      '\u1427',
      '\u4e36',
      '\u02d0',
      '\u{1d16d}',
      '\u25aa',
      '\u302e',
    ],
    ...['\u30ce', '\u4e3f', '\u2cc6', '\u01c0', 'а'],
  ])('separates %s from Latin letters and digits', (sign) => {
    expect(withoutLinks(`bank${sign}id`)).toBe(`bank ${sign} id`);
    expect(withoutLinks(`e\u0301\u200d${sign}\u200d\u03011`)).toBe(`e\u0301\u200d ${sign}\u200d\u0301 1`);
  });

  it.each([
    'Warung Bu Siti',
    'Toko O’Neil & Sons (2) - 50% off!',
    'Đặng Thị Ngọc',
    'Кафе Пушкин',
    'مقهى النيل',
    'می\u200cخواهم',
    'कॉफ़ी',
    '東京カフェ',
    'Makan siang 🎉 👩‍👩‍👧 1️⃣',
  ])('keeps %s unchanged', (text) => {
    expect(withoutLinks(text)).toBe(text);
  });

  it('is computed in time proportional to its length', () => {
    // Looking back from each mark to the letter would take longer than a test may.
    const text = `a${'\u0300'.repeat(50_000)}`;
    expect(withoutLinks(`${text}ж`)).toBe(`${text} ж`);
  });
});
