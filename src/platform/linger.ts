const bufferedBytes = 64 * 1024;
const mostBytes = 16 * 1024 * 1024;
const longestMs = 500;

/**
 * Reads the rest of a large body before an error is sent, up to 16 MB or half a second. If the server closed the
 * connection midway, the connection would be reset, and the client would never see the response.
 */
export function lingering(request: Request, answer: Response | Promise<Response>) {
  if (request.method === 'GET' || !isLarge(request.headers)) return answer;
  return Promise.resolve(answer).then(async (response) => {
    if (response.status >= 400) await readRest(request);
    return response;
  });
}

function isLarge(headers: Headers): boolean {
  // A repeated length is not a number, so the body is not known to be small.
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
    // The client disconnected.
  } finally {
    clearTimeout(timer);
  }
}
