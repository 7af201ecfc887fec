import { parentPort, Worker } from 'node:worker_threads';

/** A thread that answers orders. */
export interface Thread<Order, Answer> {
  ask(order: Order): Promise<Answer>;
  /** Ends the thread once all earlier orders are answered. */
  close(): Promise<void>;
}

/** Sent as JSON: Bun passes a string in half the time that copying objects takes in the server's thread. */
type Message<Content> = readonly [id: number, content: Content];

/**
 * Starts a thread. When it dies, so does the process: a restart is better than an answer that never comes.
 * @param file in this folder, which calls `serveThread`
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
  // Bun turns errors of other threads into objects that are not Errors.
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
 * Answers the orders inside the thread, several at a time.
 * @param answer must not throw: errors lose most of their content between threads
 * @param close runs before the thread ends
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
    // Resolves to nothing, or each promise would keep all earlier ones.
    last = Promise.all([last, answered]).then(() => {});
  });
}
