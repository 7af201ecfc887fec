import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Result, unwrap } from '../../sdk/errors.ts';
import { lazy } from '../../sdk/lazy.ts';

const refused = { statusCode: 400, message: 'Insufficient internal credit' };

describe('methods in a separate file', () => {
  it('load the file once, on the first call, and keep earlier calls in order', async () => {
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

  it('return an error if the file cannot be loaded, and try again on the next call', async () => {
    let isMissing = true;
    const area = lazy(async () => {
      if (isMissing) throw new TypeError('Failed to fetch dynamically imported module');
      return { one: async () => 'here' };
    });
    const offline = { statusCode: 0, message: 'Network error', code: 'network_error' };
    expect(await Promise.all([area.one(), area.one()])).toEqual([offline, offline]);
    isMissing = false;
    expect(await area.one()).toBe('here');
  });

  it('reject with an Error instead in areas that reject', async () => {
    const area = lazy(async () => ({ one: async (): Promise<Result<string>> => refused }), {}, unwrap);
    await expect(area.one()).rejects.toThrow(new Error('Insufficient internal credit'));
    expectTypeOf(area.one).returns.resolves.toEqualTypeOf<string>();
    const missing = lazy(
      () => Promise.reject<Record<'one', () => Promise<string>>>(new TypeError()),
      {},
      unwrap,
    );
    await expect(missing.one()).rejects.toThrow(new Error('Network error'));
  });
});
