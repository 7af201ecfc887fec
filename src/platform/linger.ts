const bufferedBytes = 64 * 1024;
const mostBytes = 16 * 1024 * 1024;
const longestMs = 500;

/**
 * Answers, but first reads on what a refused client is still sending, and forgets it: a server that hangs up in
 * the middle resets the connection, and the client never sees why. Ends with the body, after 16 MB, or after
 * half a second. Small bodies are there already and cost nothing here.
 */
export function lingering(
  request: Request,
  answer: Response | Promise<Response>,
): Response | Promise<Response> {
  if (request.method === 'GET' || !isLarge(request.headers)) return answer;
  return Promise.resolve(answer).then(async (response) => {
    if (response.status >= 400) await readRest(request);
    return response;
  });
}

function isLarge(headers: Headers): boolean {
  // A length that was said twice is no number, and so not known to be small.
  return headers.has('Transfer-Encoding') || !(Number(headers.get('Content-Length') ?? 0) <= bufferedBytes);
}

async function readRest(request: Request): Promise<void> {
  if (request.body === null || request.body.locked) return;
  const reader = request.body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), longestMs);
  try {
    for (let size = 0; size < mostBytes; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.byteLength;
    }
  } catch {
    // The client hung up first; there is nobody left to tell.
  } finally {
    clearTimeout(timer);
  }
}
