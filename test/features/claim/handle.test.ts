import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  handleFrom,
  isReservedHandle,
  parseHandle,
  suggestHandles,
} from '../../../src/features/claim/handle.ts';
import { reservedHandles } from '../../../src/features/claim/reserved-handles.data.ts';
import { handleSkeleton } from '../../../src/lib/look-alike.ts';
import { fastestMs } from '../../support/fastest.ts';

const tooShortOrLong = 'handle must be 3 to 30 characters long';
const foreignCharacter = 'handle must contain only letters a-z, digits, dots, underscores and hyphens';
const badEdge = 'handle must start and end with a letter or digit';
const doubleSeparator = 'handle must not have two separators in a row';

/** A second definition of the policy, so that the parser is not compared with itself. */
const canonicalHandle = /^(?=.{3,30}$)[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

const handles = fc
  .array(fc.string({ unit: fc.constantFrom(...'abimnorvwlz019'), minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((words) => words.join('.').slice(0, 30).replace(/\.$/, ''))
  .filter((handle) => canonicalHandle.test(handle));

function problemsOf(input: string): string[] {
  const parsed = parseHandle(input);
  return parsed.ok ? [] : parsed.problems;
}

/** Repeatable pseudorandom bytes from a small linear congruential generator. */
function seededBytes(seed: number): (n: number) => Uint8Array {
  let state = seed >>> 0;
  return (n) =>
    Uint8Array.from({ length: n }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
}

const reservedNames = Object.values(reservedHandles).flatMap((names) => names.trim().split(/\s+/));

describe('parseHandle', () => {
  it('accepts canonical handles unchanged', () => {
    const accepted = ['abc', 'a1b', '123', 'ada.lovelace', 'ada_l', 'ada-l', 'a.b-c_d', 'x'.repeat(30)];
    for (const handle of accepted) expect(parseHandle(handle)).toEqual({ ok: true, handle });
  });

  it('folds ASCII capitals, so spellings that differ only in case are the same handle', () => {
    for (const input of ['Alice', 'alice', 'ALICE', 'aLiCe']) {
      expect(parseHandle(input)).toEqual({ ok: true, handle: 'alice' });
    }
  });

  it('lists every rule that an input violates', () => {
    const broken: [string, string[]][] = [
      ['', [tooShortOrLong]],
      ['ab', [tooShortOrLong]],
      ['x'.repeat(31), [tooShortOrLong]],
      ['a/b', [foreignCharacter]],
      ['..', [tooShortOrLong, badEdge, doubleSeparator]],
      ['@', [tooShortOrLong, foreignCharacter]],
      ['alice@pid', [foreignCharacter]],
      ['.alice', [badEdge]],
      ['alice-', [badEdge]],
      ['al._ice', [doubleSeparator]],
      ['al--ice', [doubleSeparator]],
      ['-', [tooShortOrLong, badEdge]],
      [' - ', [foreignCharacter]],
    ];
    for (const [input, problems] of broken)
      expect(problemsOf(input), JSON.stringify(input)).toEqual(problems);
  });

  it('rejects non-ASCII characters instead of normalising them', () => {
    const foreign =
      'ａｌｉｃｅ ALICＥ jose\u0301 jos\u00e9 аlice ali\u200bce \ufeffalice alice\u202e al\u2024ice ali\u00adce ' +
      '\u212aelvin jame\u017f \u0130stanbul \u0131stanbul 𝐚𝐥𝐢𝐜𝐞 ١٢٣ alice💎 \ud800abc';
    for (const input of foreign.split(' '))
      expect(problemsOf(input), JSON.stringify(input)).toContain(foreignCharacter);
  });

  it('rejects blanks and control characters, even around a valid handle', () => {
    const blanks =
      ' alice|alice |al ice|\talice|alice\n|alice\r\n|al\u0000ice|alice\u007f|alice\u00a0|\u001b[31mred';
    for (const input of blanks.split('|'))
      expect(problemsOf(input), JSON.stringify(input)).toEqual([foreignCharacter]);
  });

  it('rejects a megabyte of any input quickly and does not echo it', () => {
    const megabyte = 1024 * 1024;
    for (const unit of ['a', '.', 'a.', 'é', ' ', '@', '\u0000', '-_a']) {
      const input = unit.repeat(megabyte / unit.length);
      const problems = problemsOf(input);
      expect(fastestMs(() => problemsOf(input))).toBeLessThan(1000);
      expect(problems).toContain(tooShortOrLong);
      expect(problems.join('').length).toBeLessThan(300);
    }
  });

  it('accepts exactly the strings whose lower-case form is canonical', () => {
    const nearHandles = fc.string({ unit: fc.constantFrom(...'abzABZ019._-', ' ', 'é'), maxLength: 34 });
    fc.assert(
      fc.property(fc.oneof(nearHandles, fc.string({ unit: 'binary', maxLength: 34 }), handles), (input) => {
        const isAscii = [...input].every((character) => character < '\u0080');
        const expected = isAscii && canonicalHandle.test(input.toLowerCase());
        const parsed = parseHandle(input);
        expect(parsed.ok).toBe(expected);
        if (parsed.ok) expect(parsed.handle).toBe(input.toLowerCase());
        else expect(parsed.problems.every((problem) => problem.startsWith('handle must '))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('handleSkeleton', () => {
  it('is the same for easily confused spellings', () => {
    const lookAlikes = [
      ['paypal', 'paypa1', 'paypai', 'pay.pal', 'p-a-y-p-a-l'],
      ['bob', 'b0b', 'b_0_b'],
      ['modern', 'rnodern', 'modem', 'r.n.o.d.e.m', 'm0-dem'],
      ['winwin', 'vvinvvin', 'wlnw1n', 'v-vin.vv1n'],
      ['vvv', 'vw', 'wv', 'v.w', 'w-v'],
      ['vvvv', 'ww', 'vwv', 'wvv', 'vvw'],
      ['corn', 'com', 'c0r_n'],
      ['iii', '111', 'lll', 'i1l', 'l.1.i'],
    ];
    for (const group of lookAlikes) {
      expect(new Set(group.map(handleSkeleton)), group.join(' ')).toHaveProperty('size', 1);
    }
  });

  it('differs for spellings that are not listed look-alikes', () => {
    const different = 'clay day nnat mat rrnat rat uv vu rmn mnr b8 bb nr rn'.split(' ');
    expect(new Set(different.map(handleSkeleton)).size).toBe(different.length);
  });

  it('is equal only for words connected by single look-alike swaps', () => {
    const alphabet = [...'vwrnm-'];
    const words = [''];
    for (let i = 0; i < words.length; i++) {
      const word = words[i] ?? '';
      if (word.length < 6) words.push(...alphabet.map((letter) => word + letter));
    }
    const classOf = classesByExchange(words, [
      ['rn', 'm'],
      ['vv', 'w'],
      ['-', ''],
    ]);
    // A three-letter word grows to at most six letters on the way to a look-alike, so every path is in the list.
    const short = words.filter((word) => word.length <= 3);
    for (const a of short) {
      for (const b of short) {
        if ((handleSkeleton(a) === handleSkeleton(b)) !== (classOf(a) === classOf(b))) {
          expect.fail(`${a} and ${b} are joined by only one of skeleton and exchange`);
        }
      }
    }
  });

  it('is idempotent, has no separators and is never longer than the handle', () => {
    fc.assert(
      fc.property(handles, (handle) => {
        const skeleton = handleSkeleton(handle);
        expect(handleSkeleton(skeleton)).toBe(skeleton);
        expect(skeleton).toMatch(/^[a-z2-9]+$/);
        expect(skeleton.length).toBeLessThanOrEqual(handle.length);
      }),
    );
  });

  it('does not change if separators are inserted anywhere', () => {
    const separators = fc.array(fc.constantFrom('', '.', '-', '_'), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(handles, separators, (handle, inserted) => {
        const spread = [...handle].map((letter, i) => letter + inserted[i]).join('');
        expect(handleSkeleton(spread)).toBe(handleSkeleton(handle));
        expect(handleSkeleton(handle.replace(/[._-]/g, ''))).toBe(handleSkeleton(handle));
      }),
    );
  });

  it('does not change if a look-alike is swapped for another, in either direction', () => {
    const pairs = fc.constantFrom(['0', 'o'], ['1', 'l'], ['1', 'i'], ['l', 'i'], ['rn', 'm'], ['vv', 'w']);
    const around = fc.string({ unit: fc.constantFrom(...'abrnmvwil10o.'), maxLength: 12 });
    fc.assert(
      fc.property(around, pairs, around, (before, [one, other], after) => {
        expect(handleSkeleton(`${before}${one}${after}`)).toBe(handleSkeleton(`${before}${other}${after}`));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Union-find over `words`: two words are joined if replacing one occurrence of a pair turns one into the other. */
function classesByExchange(words: string[], pairs: [string, string][]): (word: string) => string {
  const parent = new Map(words.map((word) => [word, word]));
  const rootOf = (word: string): string => {
    let root = word;
    for (let next = parent.get(root); next !== undefined && next !== root; next = parent.get(root))
      root = next;
    parent.set(word, root);
    return root;
  };
  for (const word of words) {
    for (const [long, short] of pairs) {
      for (let at = word.indexOf(long); at >= 0; at = word.indexOf(long, at + 1)) {
        const exchanged = word.slice(0, at) + short + word.slice(at + long.length);
        parent.set(rootOf(word), rootOf(exchanged));
      }
    }
  }
  return rootOf;
}

describe('reserved handles', () => {
  it('number at least a thousand, all canonical and sorted within their group', () => {
    expect(reservedNames.length).toBeGreaterThanOrEqual(1000);
    for (const name of reservedNames) expect(parseHandle(name), name).toEqual({ ok: true, handle: name });
    for (const names of Object.values(reservedHandles)) {
      const group = names.trim().split(/\s+/);
      expect(group).toEqual([...group].sort());
    }
  });

  it('contain neither duplicates nor look-alikes of each other', () => {
    const seen = new Map<string, string>();
    for (const name of reservedNames) {
      const skeleton = handleSkeleton(name);
      expect(seen.get(skeleton), name).toBeUndefined();
      seen.set(skeleton, name);
    }
  });

  it('include every listed name', () => {
    expect(reservedNames.filter((name) => !isReservedHandle(name))).toEqual([]);
  });

  it('include words that impostors use, in English and Indonesian', () => {
    const deceiving =
      'admin root postmaster abuse security www api oauth well-known support billing staff verified official ' +
      'wallet bank bantuan resmi pembayaran signin claim account popup authorize dev docs peridot pid ' +
      'peridot-support mandiri bca dana gopay google pajak polri government favicon.ico constructor';
    expect(deceiving.split(' ').filter((name) => !isReservedHandle(name))).toEqual([]);
  });

  it('include look-alikes of a listed name', () => {
    const lookAlikes = [
      'adm1n',
      'adrnin',
      'a.d.m.i.n',
      'r00t',
      'per1dot',
      'peri-dot',
      'vvallet',
      'g00g-le',
      'p1d',
    ];
    expect(lookAlikes.filter((name) => !isReservedHandle(name))).toEqual([]);
  });

  it('leave ordinary names available', () => {
    const ordinary =
      'ada alan ali alice ana andi bima bob budi citra claude dewi eko ella emil eve grace hakim ian iin iris ' +
      'jose lia lili lin lina maria mia nina pat permata putri rina rizky sam sandi siti tim tono william yusuf ' +
      'budi.santoso ada-lovelace admin.smith bankole rootbeer';
    expect(ordinary.split(' ').filter(isReservedHandle)).toEqual([]);
  });
});

describe('suggestHandles', () => {
  it('returns the base, then numbers, then random endings', () => {
    const suggestions = suggestHandles('Ada Lovelace', seededBytes(2), 8);
    expect(suggestions.slice(0, 3)).toEqual(['ada.lovelace', 'ada.lovelace2', 'ada.lovelace3']);
    for (const handle of suggestions.slice(3, 6)) expect(handle).toMatch(/^ada\.lovelace\.[2-9]{2}$/);
    expect(suggestions).toHaveLength(8);
    for (const handle of suggestions.slice(6)) expect(handle).toMatch(/^ada\.lovelace\.[2-9bcdfghjk]{6}$/);
  });

  it('gives the same result for the same random bytes and a different result for others', () => {
    const first = suggestHandles('ada', seededBytes(7), 8);
    expect(suggestHandles('ada', seededBytes(7), 8)).toEqual(first);
    expect(suggestHandles('ada', seededBytes(8), 8)).not.toEqual(first);
  });

  it('derives bases from names, addresses and PIDs as a person would', () => {
    const readings: [string, string][] = [
      ['José Núñez', 'jose.nunez'],
      ['Jose\u0301', 'jose'],
      ['Łukasz Żółć', 'lukasz.zolc'],
      ['Bjørn Sæther', 'bjorn.saether'],
      ['Weiß', 'weiss'],
      ['İpek Işık', 'ipek.isik'],
      ["Siobhán O'Brien", 'siobhan.obrien'],
      ['D’Angelo', 'dangelo'],
      ['Jean-Luc  Picard', 'jean-luc.picard'],
      ['  budi__santoso  ', 'budi.santoso'],
      ['snake_case', 'snake_case'],
      ['Ａｌｉｃｅ', 'alice'],
      ['Dr. Ada (she/her) 💎', 'dr.ada.she.her'],
      ['ada@example.com', 'ada'],
      ['ada+news@example.com', 'ada'],
      ['ada@pid', 'ada'],
      ['@ada', 'ada'],
      ['李明 Ming', 'ming'],
    ];
    for (const [base, handle] of readings)
      expect(suggestHandles(base, seededBytes(1), 1), base).toEqual([handle]);
  });

  it('separates the number from a base that ends with a digit', () => {
    expect(suggestHandles('ada7', seededBytes(1), 3)).toEqual(['ada7', 'ada7.2', 'ada7.3']);
    const digitAtTheCut = `${'a'.repeat(27)}7bc`;
    expect(suggestHandles(digitAtTheCut, seededBytes(1), 2)[1]).toBe(`${'a'.repeat(27)}7.2`);
  });

  it('lengthens a base that is too short', () => {
    expect(suggestHandles('Bo', seededBytes(1), 2)).toEqual(['bo2', 'bo3']);
    expect(suggestHandles('x', seededBytes(1), 1)[0]).toMatch(/^x\.[2-9]{2}$/);
  });

  it('cuts a long name between words if enough of the name remains', () => {
    const long = 'Muhammad Rizky Ramadhan Putra Pratama';
    expect(suggestHandles(long, seededBytes(1), 2)).toEqual([
      'muhammad.rizky.ramadhan.putra',
      'muhammad.rizky.ramadhan2',
    ]);
    expect(suggestHandles(`ada ${'x'.repeat(40)}`, seededBytes(1), 1)).toEqual([`ada.${'x'.repeat(26)}`]);
    expect(suggestHandles(`${'y'.repeat(30)} ada`, seededBytes(1), 1)).toEqual(['y'.repeat(30)]);
  });

  it('falls back to a neutral handle when the base is reserved or has no usable characters', () => {
    for (const base of [
      '',
      '   ',
      '...',
      '李明',
      '💎💎',
      '@',
      '@@',
      'admin',
      'Ad-Min',
      'support@example.com',
    ]) {
      const suggestions = suggestHandles(base, seededBytes(3), 3);
      expect(suggestions, base).toHaveLength(3);
      for (const handle of suggestions) expect(handle).toMatch(/^user-[2-9bcdfghjk]{6}$/);
    }
  });

  it('terminates even if the random bytes never change, and returns an empty list if no handles are requested', () => {
    const stuck = (n: number) => new Uint8Array(n);
    expect(suggestHandles('', stuck, 5)).toEqual(['user-222222']);
    expect(suggestHandles('ada', stuck, 9)).toEqual(['ada', 'ada2', 'ada3', 'ada.22', 'ada.222222']);
    expect(suggestHandles('ada', stuck, 0)).toEqual([]);
  });

  it('processes a megabyte of any input without delay', () => {
    for (const unit of ['a', '.', '+', '\ufdfa', 'e\u0301', '@']) {
      const suggest = () => suggestHandles(unit.repeat(1024 * 1024), seededBytes(1), 3);
      expect(suggest()).toHaveLength(3);
      expect(fastestMs(suggest)).toBeLessThan(1000);
    }
  });

  it('returns as many valid, unreserved handles as requested, no two of them look-alikes, whatever the base', () => {
    const bases = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...'abrnvw1l0o9.-_ @+é'), maxLength: 40 }),
      fc.emailAddress(),
      fc.constantFrom(...reservedNames),
    );
    fc.assert(
      fc.property(bases, fc.nat(), fc.integer({ min: 0, max: 12 }), (base, seed, count) => {
        const suggestions = suggestHandles(base, seededBytes(seed), count);
        expect(suggestions).toHaveLength(count);
        for (const handle of suggestions) expect(parseHandle(handle)).toEqual({ ok: true, handle });
        expect(suggestions.filter(isReservedHandle)).toEqual([]);
        expect(new Set(suggestions.map(handleSkeleton)).size).toBe(count);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('handleFrom', () => {
  it('prefers the public name to the address, which may be private', () => {
    expect(handleFrom({ displayName: 'Ada Lovelace', email: 'countess1815@example.com' })).toBe(
      'ada.lovelace',
    );
  });

  it('uses the local part of the address if the name yields no handle', () => {
    for (const displayName of [null, undefined, '', 'Bo', '李明', '💎', 'Admin', '0812 3456 7890']) {
      expect(handleFrom({ displayName: displayName ?? null, email: 'Bo.Li+pid@example.com' })).toBe('bo.li');
    }
    expect(handleFrom({ email: 'ada@example.com' })).toBe('ada');
  });

  it('never shows more of an address than its local part, even if the address is given as the name', () => {
    expect(handleFrom({ displayName: 'ada+bank@example.com' })).toBe('ada');
  });

  it('returns null if neither part yields a handle that can be claimed', () => {
    const useless = [
      {},
      { email: null, displayName: null },
      { email: 'info@example.com', displayName: 'Official' },
      { email: '628123456789@example.com', displayName: '+62 812' },
      { email: 'x@example.com', displayName: '..' },
    ];
    for (const parts of useless) expect(handleFrom(parts), JSON.stringify(parts)).toBeNull();
  });

  it('returns only handles that can be claimed', () => {
    const parts = fc.record({
      email: fc.option(fc.emailAddress()),
      displayName: fc.option(fc.string({ unit: 'grapheme', maxLength: 64 })),
    });
    fc.assert(
      fc.property(parts, (given) => {
        const handle = handleFrom(given);
        if (handle === null) return;
        expect(parseHandle(handle)).toEqual({ ok: true, handle });
        expect(isReservedHandle(handle)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});
