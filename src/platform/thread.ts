import { present } from '../lib/present.ts';
import { threadModule } from './place.ts';

/**
 * The parts of Web Workers used here. Bun starts a Web Worker in a quarter of the time that `node:worker_threads`
 * takes.
 */
interface Port {
  postMessage(text: string | null): void;
  onmessage: ((event: { readonly data: string | null }) => void) | null;
}

declare const Worker: new (
  file: string,
) => Port & {
  onerror: ((event: { readonly message: string }) => void) | null;
  addEventListener(event: 'close', listener: () => void): void;
  terminate(): void;
};

declare const self: Port;

/** A thread that processes orders. */
export interface Thread<Order, Answer> {
  ask(order: Order): Promise<Answer>;
  /** Ends the thread after all earlier orders are answered. */
  close(): Promise<void>;
}

type Message<Content> = readonly [id: number, content: Content];

/**
 * Posts the messages of one event loop turn together. They are sent as JSON, because Bun passes a string in half the
 * time that copying objects takes in the server's thread.
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
 * Starts a thread. If the thread dies, so does the process: a restart is better than a response that never arrives.
 * @param file relative to this folder, which calls `serveThread`
 * @param data given to the thread before its first order
 */
export function startThread<Order, Answer>(file: string, data: string = ''): Thread<Order, Answer> {
  const worker = new Worker(threadModule(file));
  const waiting = new Map<number, (answer: Answer) => void>();
  const outbox = createOutbox<Order>((text) => worker.postMessage(text));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let asked = 0;
  worker.onmessage = ({ data: text }) => {
    if (text === null) return end();
    for (const [id, answer] of readMessages<Answer>(text)) {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    }
  };
  let isClosing = false;
  worker.addEventListener('close', () => isClosing || die(file, 'it ended'));
  worker.onerror = ({ message }) => die(file, message);
  worker.postMessage(data);
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
      worker.terminate();
    },
  };
}

function die(file: string, reason: string): never {
  process.stderr.write(`Peridot stops, because a thread of its own did (${file}): ${reason}\n`);
  process.exit(1);
}

interface Served<Order, Answer> {
  /** Must not throw, because errors lose most of their details between threads. */
  answer(order: Order): Answer | Promise<Answer>;
  /** Runs before the thread ends. */
  close?(): void;
}

/**
 * Handles the orders inside the thread, several concurrently.
 * @param open receives the data passed to `startThread`
 */
export function serveThread<Order, Answer>(open: (data: string) => Served<Order, Answer>): void {
  const outbox = createOutbox<Answer>((text) => self.postMessage(text));
  let last: Promise<unknown> = Promise.resolve();
  const serve = ({ answer, close }: Served<Order, Answer>) => {
    self.onmessage = ({ data: text }) => {
      if (text === null) {
        void last
          .then(outbox.flush)
          .then(close)
          .then(() => self.postMessage(null));
        return;
      }
      const answered = readMessages<Order>(text).map(async ([id, order]) =>
        outbox.add([id, await answer(order)]),
      );
      // Resolves to nothing, because otherwise each promise would retain all earlier ones.
      last = Promise.all([last, ...answered]).then(() => {});
    };
  };
  self.onmessage = ({ data }) => serve(open(present(data, 'the first message of a thread')));
}
