/**
 * Returns the duration of some work without interference: the fastest of five runs, in milliseconds. A single run would
 * also measure the machine's other work.
 */
export function fastestMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}
