import { describe, expect, it } from 'vitest';
import { createCounter, createHistogram, gaugeText } from '../../src/lib/metrics.ts';

const name = 'things_total';
const help = 'Things.';

describe('a counter', () => {
  it('exports zeros for closed label sets, so that the first event is an increase', () => {
    const things = createCounter({ name, help, labels: { kind: ['a', 'b'] } });
    things.add('b');
    expect(things.text()).toBe(
      '# HELP things_total Things.\n# TYPE things_total counter\nthings_total{kind="a"} 0\nthings_total{kind="b"} 1\n',
    );
  });

  it('counts everything outside a label set as other', () => {
    const things = createCounter({ name, help, labels: { kind: ['a'] } });
    things.add('ada@example.com');
    things.add();
    expect(things.text()).toContain('{kind="other"} 2\n');
    expect(things.text()).not.toContain('ada');
  });

  it('accepts at most 499 values of an open label', () => {
    const things = createCounter({ name, help, labels: { route: null, status: [200, 404] } });
    for (let at = 0; at < 1_000; at += 1) things.add(`r${at}`, 200);
    const lines = things.text().trim().split('\n').slice(2);
    expect(lines).toHaveLength(500);
    expect(lines[0]).toBe('things_total{route="other",status="200"} 501');
    things.add('r7', 404);
    things.add('r7', 418);
    expect(things.text()).toContain('{route="r7",status="404"} 1\n');
    expect(things.text()).toContain('{route="r7",status="other"} 1\n');
  });

  it('escapes reserved characters', () => {
    const things = createCounter({ name, help, labels: { route: null } });
    things.add('a"b\\c\nd');
    expect(things.text()).toContain('{route="a\\"b\\\\c\\nd"} 1');
  });
});

describe('a histogram', () => {
  it('has cumulative buckets', () => {
    const sizes = createHistogram({ name: 'size', help, bounds: [1, 4] });
    for (const size of [1, 2, 4, 5]) sizes.observe(size);
    expect(sizes.text().split('\n').slice(2, -1)).toEqual([
      'size_bucket{le="1"} 1',
      'size_bucket{le="4"} 3',
      'size_bucket{le="+Inf"} 4',
      'size_sum 12',
      'size_count 4',
    ]);
  });
});

it('a forwarded counter never sends a label value outside its sets', () => {
  const sent: unknown[] = [];
  const things = createCounter({ name, help, labels: { kind: ['a'], how: ['x'] } }, (...one) =>
    sent.push(one),
  );
  things.add('a', 'x');
  things.add('ada@example.com', 'x');
  expect(sent).toEqual([
    [name, ['a', 'x'], 1],
    [name, ['other', 'x'], 1],
  ]);
});

it('a gauge exports its value, with or without a label', () => {
  expect(gaugeText({ name: 'up', help }, 1)).toBe('# HELP up Things.\n# TYPE up gauge\nup 1\n');
  expect(gaugeText({ name: 'up', help, label: 'of', isTotal: true }, { a: 2 })).toBe(
    '# HELP up Things.\n# TYPE up counter\nup{of="a"} 2\n',
  );
});
