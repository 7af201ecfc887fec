import { parentPort, Worker } from 'node:worker_threads';
import { threadModule } from './place.ts';

/** A thread that handles orders. */
export interface Thread<Order, Answer> {
  ask(order: Order): Promise<Answer>;
  /** Ends the thread once all earlier orders are answered. */
  close(): Promise<void>;
}

type Message<Content> = readonly [id: number, content: Content];

/**
 * Posts the messages of one event loop turn together. They go as JSON: Bun passes a string in half the time that
 * copying objects takes in the server's thread.
 */
function createOutbox<Content>(post: (text: string) => void) {
  let messages: Message<Content>[] = [];
  const flush = () => {
    if (messages.length > 0) post(JSON.stringify(messages));
    messages = [];
  };
  return {
    add(message: Message<Content>) {
      if (messages.push(message) === 1) setImmediate(flush);
    },
    flush,
  };
}

function readMessages<Content>(text: string): Message<Content>[] {
  return JSON.parse(text);
}

/**
 * Starts a thread. If it dies, so does the process: a restart is better than a response that never comes.
 * @param file relative to this folder, which calls `serveThread`
 */
export function startThread<Order, Answer>(file: string, data?: unknown): Thread<Order, Answer> {
  const worker = new Worker(threadModule(file), { workerData: data });
  const waiting = new Map<number, (answer: Answer) => void>();
  const outbox = createOutbox<Order>((text) => worker.postMessage(text));
  let asked = 0;
  worker.on('message', (text: string) => {
    for (const [id, answer] of readMessages<Answer>(text)) {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    }
  });
  let isClosing = false;
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => (isClosing ? resolve() : die(file, 'it ended')));
  });
  // Bun turns errors from other threads into objects that are not Errors.
  worker.on('error', (error: { message?: unknown }) => die(file, String(error.message ?? error)));
  return {
    ask: (order) =>
      new Promise((resolve) => {
        asked += 1;
        waiting.set(asked, resolve);
        outbox.add([asked, order]);
      }),
    async close() {
      isClosing = true;
      outbox.flush();
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
 * Handles the orders inside the thread, several concurrently.
 * @param answer must not throw: errors lose most of their content between threads
 * @param close runs before the thread ends
 */
export function serveThread<Order, Answer>(
  answer: (order: Order) => Answer | Promise<Answer>,
  close: () => unknown = () => {},
): void {
  const outbox = createOutbox<Answer>((text) => parentPort?.postMessage(text));
  let last: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', (text: string | null) => {
    if (text === null) {
      void last
        .then(outbox.flush)
        .then(close)
        .then(() => parentPort?.close());
      return;
    }
    const answered = readMessages<Order>(text).map(async ([id, order]) =>
      outbox.add([id, await answer(order)]),
    );
    // Resolves to nothing, or each promise would keep all earlier ones.
    last = Promise.all([last, ...answered]).then(() => {});
  });
}
