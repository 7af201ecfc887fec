import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Implements the Web Worker, which Node lacks, with Node's workers. Import it before a thread is started. */
class WebWorker {
  readonly #worker: Worker;

  constructor(file: string) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { webWorker: file } });
  }

  set onmessage(listener: (event: { data: unknown }) => void) {
    this.#worker.on('message', (data) => listener({ data }));
  }

  set onerror(listener: (event: { message: string }) => void) {
    this.#worker.on('error', (error) => listener({ message: String(error) }));
  }

  addEventListener(_event: 'close', listener: () => void): void {
    this.#worker.on('exit', listener);
  }

  postMessage(data: unknown): void {
    this.#worker.postMessage(data);
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}

const file: string | undefined = workerData?.webWorker;
if (file === undefined) Object.assign(globalThis, { Worker: WebWorker });
else {
  const port = {
    postMessage: (data: unknown) => parentPort?.postMessage(data),
    onmessage: (_event: { data: unknown }) => {},
  };
  parentPort?.on('message', (data) => port.onmessage({ data }));
  Object.assign(globalThis, { self: port });
  await import(file);
}
