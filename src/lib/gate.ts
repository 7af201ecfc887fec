/** Runs work when its turn comes; null if the queue is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T> | null;

/** Runs a few tasks at a time, in order of arrival. */
export function createGate({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;

  function admit(): void {
    while (running < atOnce) {
      const next = waiting.shift();
      if (!next) return;
      running += 1;
      next();
    }
  }

  async function pass<T>(turn: Promise<void>, work: () => Promise<T>): Promise<T> {
    await turn;
    try {
      return await work();
    } finally {
      running -= 1;
      admit();
    }
  }

  return (work) => {
    if (waiting.length >= maxWaiting) return null;
    const turn = new Promise<void>((resolve) => waiting.push(resolve));
    admit();
    return pass(turn, work);
  };
}
