/** Sends one request of the libSQL client. */
type Send = (request: Request, signal: AbortSignal) => Promise<Response>;

interface Stream {
  /** Names the server's stream in the next request. */
  readonly baton: string;
  readonly usedAt: number;
}

interface Answer {
  baton: string | null;
  readonly base_url: string | null;
  readonly results: {
    readonly type: string;
    readonly response?: { readonly type: string; readonly result?: BatchResult };
  }[];
}

interface BatchResult {
  readonly step_errors?: readonly unknown[];
}

/** A server accepts a limited number of connections from all nodes together. */
const mostStreams = 16;
/** The server ends a stream after ten idle seconds. */
const keptMs = 5_000;

const opening = '{"requests":[';
const close = '{"type":"close"}';
const closing = `,${close}]}`;
/** The client names each text, and the name lasts as long as the stream. Quotes within a text are escaped. */
const named = /\{"type":"store_sql","sql_id":(\d+)/g;
const closed: Answer['results'][number] = { type: 'ok', response: { type: 'close' } };

/**
 * Keeps streams of a libSQL server open between batches. Each new stream opens the database, which reads the whole
 * schema: that takes three quarters of a batch's time. The client opens and closes a stream for each batch; this leaves
 * out the closing and continues the stream with the next batch. (Hrana 2 over HTTP,
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_2_SPEC.md)
 */
export function keepStreams(send: Send, now: () => number = () => performance.now()): Send {
  const idle: Stream[] = [];
  let open = 0;

  function take(): string | null {
    const stream = idle.pop();
    if (stream === undefined || now() - stream.usedAt < keptMs) return stream?.baton ?? null;
    // The others have been idle for longer.
    open -= idle.length + 1;
    idle.length = 0;
    return null;
  }

  return async (request, signal) => {
    const body = await request.text();
    const resend = (text: string) => send(new Request(request, { body: text }), signal);
    const baton = take();
    const isKept =
      body.startsWith(opening) && body.endsWith(closing) && (baton !== null || open < mostStreams);
    if (!isKept) return resend(body);
    if (baton === null) open += 1;
    let next: Stream | null = null;
    try {
      const forget = [...body.matchAll(named)].map(([, id]) => `,{"type":"close_sql","sql_id":${id}}`);
      const kept = `${body.slice(1, -closing.length)}${forget.join('')}]}`;
      const first = await resend(`{${baton === null ? '' : `"baton":${JSON.stringify(baton)},`}${kept}`);
      // The server has ended the stream, or restarted, and executed nothing.
      const response = baton !== null && (await isUnknown(first)) ? await resend(`{${kept}`) : first;
      if (!response.ok) return response;
      const answer = (await response.json()) as Answer;
      if (answer.baton !== null && answer.base_url === null) {
        if (answer.results.every(isDone)) next = { baton: answer.baton, usedAt: now() };
        else await resend(`{"baton":${JSON.stringify(answer.baton)},"requests":[${close}]}`);
      }
      const results = answer.results.slice(0, answer.results.length - forget.length);
      return Response.json({ ...answer, baton: null, results: [...results, closed] });
    } finally {
      if (next) idle.push(next);
      else open -= 1;
    }
  };
}

/** Returns whether the server does not know the stream. */
async function isUnknown(response: Response): Promise<boolean> {
  return response.status === 400 && /STREAM_EXPIRED|baton/.test(await response.clone().text());
}

/** Returns whether no statement failed. After a failure a transaction may still be open. */
function isDone({ type, response }: Answer['results'][number]): boolean {
  return type === 'ok' && (response?.result?.step_errors ?? []).every((error) => error === null);
}
