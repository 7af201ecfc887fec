import { fromUtf8 } from './encoding.ts';

type Send = (request: Request) => Promise<Response>;

/** A response's status and text. */
export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Fetches text of at most `maxBytes`, counted as they arrive, because an endless response would fill the memory.
 * @param send `deps.fetch`
 * @param signal the request's signal, which ends the wait
 * @throws Error unless the host responded with success, in time and within the limit
 */
export async function fetchText(
  send: Send,
  request: Request,
  signal: AbortSignal,
  maxBytes: number,
): Promise<string> {
  const succeeding: Send = async (sent) => {
    const answer = await send(sent);
    if (answer.ok) return answer;
    await answer.body?.cancel();
    throw new Error(`the answer has status ${answer.status}`);
  };
  return (await fetchAnswer(succeeding, request, signal, maxBytes)).text;
}

/** The same for a response with any status. @throws Error unless the host responded in time and within the limit */
export function fetchAnswer(
  send: Send,
  request: Request,
  signal: AbortSignal,
  maxBytes: number,
): Promise<TextAnswer> {
  return new Promise((resolve, reject) => {
    // Node drops a signal or a request referenced only by a pending fetch; this listener references both.
    const giveUp = () => reject(new Error(`${request.method} took too long`, { cause: signal.reason }));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    readAnswer(send(request), maxBytes)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

async function readAnswer(answer: Promise<Response>, maxBytes: number): Promise<TextAnswer> {
  const response = await answer;
  return { status: response.status, text: fromUtf8(await readBytes(response, maxBytes)) };
}

/** Reads a response. @throws Error if it is larger */
export async function readBytes({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new Error('the answer is too large');
    }
    chunks.push(value);
  }
}
