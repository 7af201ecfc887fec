/**
 * Fetches text of at most `maxBytes`, counted as they arrive: an endless answer would fill the memory.
 * @param send `deps.fetch`
 * @param signal that of the request; it ends the wait
 * @throws Error unless the host answered with success, in time and briefly enough
 */
export function fetchText(
  send: (request: Request) => Promise<Response>,
  request: Request,
  signal: AbortSignal,
  maxBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Node drops a signal or a request that only a running fetch refers to; this listener refers to both.
    const giveUp = () => reject(new Error(`${request.method} took too long`, { cause: signal.reason }));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    readText(send(request), maxBytes)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}

async function readText(answer: Promise<Response>, maxBytes: number): Promise<string> {
  const { body, ok, status } = await answer;
  if (!ok) {
    await body?.cancel();
    throw new Error(`the answer has status ${status}`);
  }
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new Error('the answer is too large');
    }
    text += decoder.decode(value, { stream: true });
  }
}
