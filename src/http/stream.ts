import type { Deps } from '../deps.ts';
import { utf8 } from '../lib/encoding.ts';
import type { AppContext } from './context.ts';

/**
 * Streams text as it is produced, each piece after the client has read the previous one. If the client disconnects,
 * production stops. An error midway is logged and breaks the connection. The text's format must mark its own end,
 * because not every proxy passes a broken connection on.
 */
export function sendStream(
  c: AppContext,
  { log }: Deps,
  type: string,
  pieces: AsyncGenerator<string>,
): Response {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(utf8(value));
        } catch (error) {
          log.error('stream.failed', { requestId: c.get('requestId'), error });
          controller.error(error);
        }
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    // A HEAD request produces nothing, because its body is never read.
    { highWaterMark: 0 },
  );
  c.header('Content-Type', type);
  return c.body(stream);
}

/** The elements of a JSON array, without its brackets. */
export async function* jsonElements(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${isFirst ? '' : ','}${JSON.stringify(page).slice(1, -1)}`;
    isFirst = false;
  }
}
