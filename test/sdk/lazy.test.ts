import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Result } from '../../src/sdk/errors.ts';
import { lazy } from '../../src/sdk/lazy.ts';

describe('methods in a separate file', () => {
  it('load it once, on the first call, and keep the order of earlier calls', async () => {
    const order: string[] = [];
    const area = lazy(
      async () => {
        order.push('load');
        return { one: async (text: string) => order.push(text), two: async () => order.push('two') };
      },
      { here: () => 'at once' },
    );
    expect(await area).toBe(area);
    expect([area.here(), `${area}`, area.one]).toEqual(['at once', '[object Object]', area.one]);
    expect(order).toEqual([]);
    await Promise.all([area.one('first'), area.two(), area.one('last')]);
    expect(order).toEqual(['load', 'first', 'two', 'last']);
    expectTypeOf(area.one).toEqualTypeOf<(text: string) => Promise<Result<number>>>();
  });

  it('return an error when it cannot be loaded, and try again on the next call', async () => {
    let isMissing = true;
    const area = lazy(async () => {
      if (isMissing) throw new TypeError('Failed to fetch dynamically imported module');
      return { one: async () => 'here' };
    });
    const refused = { statusCode: 0, message: 'Network error', code: 'network_error' };
    expect(await Promise.all([area.one(), area.one()])).toEqual([refused, refused]);
    isMissing = false;
    expect(await area.one()).toBe('here');
  });
});
