import type { D1Database } from '@cloudflare/workers-types';
import { answer, verifyOne } from './password-work.ts';

const makeTable = 'CREATE TABLE IF NOT EXISTS tries (key TEXT PRIMARY KEY, count INTEGER NOT NULL)';
const count =
  'INSERT INTO tries (key, count) VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count';

let made: Promise<unknown> | undefined;

/**
 * Serves the bare hash and `/sign-in`: a hash between two batches of one write and one read each, the minimum for a
 * sign-in. `wrangler dev` runs D1 in the hashing thread.
 */
export default {
  async fetch(request: Request, { DB }: { DB: D1Database }): Promise<Response> {
    if (new URL(request.url).pathname !== '/sign-in') return answer(request);
    made ??= DB.prepare(makeTable).run();
    await made;
    const { email } = (await request.json()) as { email: string };
    const batch = () =>
      DB.batch([
        DB.prepare(count).bind(email),
        DB.prepare('SELECT count FROM tries WHERE key = ?').bind(email),
      ]);
    await batch();
    await verifyOne();
    await batch();
    return new Response(null, { status: 204 });
  },
};
