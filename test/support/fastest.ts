/**
 * Returns how long some work takes when nothing else runs: the fastest of five runs, in milliseconds. A single run
 * would say as much about the machine's other work as about this one.
 */
export function fastestMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}
