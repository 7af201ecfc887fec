import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strictJsonProblem } from '../../src/lib/strict-json.ts';
import { fastestMs } from '../support/fastest.ts';

type Json = null | boolean | number | string | Json[] | { pairs: [string, Json][] };

/** JSON whose objects are lists of pairs, so that a key may occur twice. */
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false),
    fc.integer(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom<Json>('{"a":1,"a":2}', '\\', '"', '\\"', '}{][', 'a:', '":'),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(fc.constantFrom('a', 'b', 'a"', 'a:', '', '\\', '{', '__proto__', '\u00e9'), tie('json')),
        { maxLength: 4 },
      )
      .map((pairs) => ({ pairs })),
  ),
}));

/** Writes a value as JSON; `isEscaped` determines for each character whether it is written as an escape sequence. */
function spell(value: Json, space: string, isEscaped: (character: string) => boolean): string {
  const text = (content: string) => {
    const inner = JSON.stringify(content).slice(1, -1);
    if (inner.includes('\\')) return `"${inner}"`;
    const units = content
      .split('')
      .map((unit) => (isEscaped(unit) ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit));
    return `"${units.join('')}"`;
  };
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value))
    return `[${value.map((item) => spell(item, space, isEscaped)).join(`${space},`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = value.pairs.map(
    ([key, item]) => `${space}${text(key)}${space}:${space}${spell(item, space, isEscaped)}`,
  );
  return `{${pairs.join(',')}${space}}`;
}

/** The same check, made on the value instead of its text. */
function expected(value: Json, depth = 0): { doubled: boolean; depth: number } {
  if (typeof value !== 'object' || value === null) return { doubled: false, depth };
  const children = Array.isArray(value) ? value : value.pairs.map(([, item]) => item);
  const keys = Array.isArray(value) ? [] : value.pairs.map(([key]) => key);
  const found = children.map((child) => expected(child, depth + 1));
  return {
    doubled: new Set(keys).size < keys.length || found.some(({ doubled }) => doubled),
    depth: Math.max(depth + 1, ...found.map((child) => child.depth)),
  };
}

describe('strictJsonProblem', () => {
  it('agrees with a reference that checks the value, for any input [D-61]', () => {
    fc.assert(
      fc.property(
        json,
        fc.constantFrom('', ' ', '\n\t'),
        fc.constantFrom(/./, /[a-f]/, /(?!)/),
        (value, space, escaped) => {
          const text = spell(value, space, (character) => escaped.test(character));
          JSON.parse(text);
          const { doubled, depth } = expected(value);
          const problem = strictJsonProblem(text);
          if (depth > 32) expect(problem).not.toBeNull();
          else expect(problem, text).toBe(doubled ? 'holds one key twice' : null);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('allows at most 32 levels [D-61]', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (depth: number) => `${open.repeat(depth)}0${close.repeat(depth)}`;
      expect(strictJsonProblem(nested(32))).toBeNull();
      expect(strictJsonProblem(nested(33))).toBe('is nested too deeply');
    }
    const wide = `[${Array(1_000).fill('{"a":[1]}').join(',')}]`;
    expect(strictJsonProblem(wide)).toBeNull();
  });

  it('takes time proportional to the length of the input, whatever the content [D-61]', () => {
    const texts = [
      `"${'\\\\'.repeat(8_000)}"`,
      `"${'\\"'.repeat(8_000)}"`,
      `["${'a'.repeat(16_000)}"]`,
      `{"a"${' '.repeat(16_000)}:1}`,
    ];
    texts.push(`[${'"",'.repeat(5_000)}""]`, `["a"${' '.repeat(16_000)}]`);
    for (const text of texts) {
      JSON.parse(text);
      expect(strictJsonProblem(text)).toBeNull();
      expect(fastestMs(() => strictJsonProblem(text))).toBeLessThan(100);
    }
  });
});
