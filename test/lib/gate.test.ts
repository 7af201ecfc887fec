import { describe, expect, it } from 'vitest';
import { createGate } from '../../src/lib/gate.ts';

/** A piece of work that ends when it is told to. */
function piece() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, resolve, reject };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('a gate', () => {
  it('lets work in by its order, a few at a time, also after one that failed', async () => {
    const gate = createGate({ atOnce: () => 2, maxWaiting: 10 });
    const pieces = Array.from({ length: 5 }, piece);
    const begun: number[] = [];
    const done = pieces.map((each, index) =>
      gate(() => {
        begun.push(index);
        return each.promise;
      }),
    );
    const settled = Promise.allSettled(done);
    await turn();
    expect(begun).toEqual([0, 1]);
    pieces[1]?.reject(new Error('no luck'));
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    for (const each of pieces) each.resolve();
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('opens wider while many wait, and turns away who comes when too many do', async () => {
    const gate = createGate({ atOnce: (waiting) => (waiting >= 3 ? 2 : 1), maxWaiting: 4 });
    const pieces = Array.from({ length: 7 }, piece);
    let begun = 0;
    const done = pieces.map((each) =>
      gate(() => {
        begun += 1;
        return each.promise;
      }),
    );
    await turn();
    // One at first, a second one when three waited; then four waited, and the seventh found no room.
    expect([begun, done.map((each) => each === null)]).toEqual([2, [...Array(6).fill(false), true]]);
    pieces[0]?.resolve();
    await turn();
    expect(begun).toBe(3);
    pieces[1]?.resolve();
    await turn();
    expect(begun).toBe(4);
    pieces[2]?.resolve();
    await turn();
    // Only two wait now, so one works at a time again.
    expect(begun).toBe(4);
    for (const each of pieces) each.resolve();
    await Promise.all(done);
    expect(begun).toBe(6);
  });
});
