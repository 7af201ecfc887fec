import { describe, expect, it } from 'vitest';
import { createGate } from '../../src/lib/gate.ts';

/** Work that ends on request. */
function piece() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, resolve, reject };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('a gate', () => {
  it('admits work in order, a few jobs at a time, even after a failure', async () => {
    const gate = createGate({ atOnce: 2, maxWaiting: 10 });
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

  it('rejects only when the queue is full', async () => {
    const gate = createGate({ atOnce: 2, maxWaiting: 4 });
    const pieces = Array.from({ length: 7 }, piece);
    const done = pieces.map((each) => gate(() => each.promise));
    await turn();
    expect(done.map((each) => each === null)).toEqual([...Array(6).fill(false), true]);
    pieces[0]?.resolve();
    await turn();
    expect(gate(() => Promise.resolve('late'))).not.toBeNull();
    for (const each of pieces) each.resolve();
    await Promise.all(done);
  });
});
