export interface GateLimits {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

/** Runs work when its turn comes; null when too much waits already. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T> | null;

/** Lets work through a few at a time, in the order it came. */
export function createGate({ atOnce, maxWaiting }: GateLimits): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;

  function letIn(): void {
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
      letIn();
    }
  }

  return (work) => {
    if (waiting.length >= maxWaiting) return null;
    const turn = new Promise<void>((resolve) => waiting.push(resolve));
    letIn();
    return pass(turn, work);
  };
}
