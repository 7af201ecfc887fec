import { parentPort, Worker } from 'node:worker_threads';

/** A thread that answers one order after the other, each when it is done with it. */
export interface Thread<Order, Answer> {
  /** Rejects with what the thread's own function told of its failure (see `serveThread`). */
  ask(order: Order): Promise<Answer>;
  /** Ends it once it has answered everything asked before. */
  close(): Promise<void>;
}

/**
 * What crosses is text: Bun hands a string over in half the time that a copy of the objects takes, in the thread that
 * serves everybody.
 */
type Message<Content> = readonly [id: number, content: Content];

/**
 * Starts a thread. When it dies unasked the process does: a restart is better than an answer that never comes.
 * @param file of this folder; calls `serveThread`
 * @param data for it to start with
 */
export function startThread<Order, Answer>(file: string, data?: unknown): Thread<Order, Answer> {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: data });
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  worker.on('message', (text: string) => {
    const [id, answer]: Message<Answer> = JSON.parse(text);
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  let isClosing = false;
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => (isClosing ? resolve() : die(file, 'it ended')));
  });
  // Of another thread's errors Bun makes objects that are no Error.
  worker.on('error', (error: { message?: unknown }) => die(file, String(error.message ?? error)));
  return {
    ask: (order) =>
      new Promise((resolve) => {
        asked += 1;
        waiting.set(asked, resolve);
        worker.postMessage(JSON.stringify([asked, order]));
      }),
    async close() {
      isClosing = true;
      worker.postMessage(null);
      await ended;
    },
  };
}

function die(file: string, reason: string): never {
  process.stderr.write(`Peridot stops, because a thread of its own did (${file}): ${reason}\n`);
  process.exit(1);
}

/**
 * The thread's own side: answers each order, also several at a time.
 * @param answer must not throw: of an error that crosses to another thread little is left
 * @param close before the thread ends
 */
export function serveThread<Order, Answer>(
  answer: (order: Order) => Answer | Promise<Answer>,
  close: () => unknown = () => {},
): void {
  let last: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', (text: string | null) => {
    if (text === null) {
      void last.then(close).then(() => parentPort?.close());
      return;
    }
    const [id, order]: Message<Order> = JSON.parse(text);
    const answered = (async () => parentPort?.postMessage(JSON.stringify([id, await answer(order)])))();
    // Without a value of its own each promise would keep all those before it.
    last = Promise.all([last, answered]).then(() => {});
  });
}
