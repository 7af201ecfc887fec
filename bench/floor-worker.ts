import type { D1Database } from '@cloudflare/workers-types';
import { createFloor, createTable, insertSuccessor, insertToken, markRotated } from './floor.ts';

export default createFloor<{ DB: D1Database }>(({ DB }) => ({
  async seed(tokens) {
    await DB.prepare(createTable).run();
    const insert = DB.prepare(insertToken);
    await DB.batch(tokens.map(({ hash, sessionId, expiresAt }) => insert.bind(hash, sessionId, expiresAt)));
  },
  async rotate({ hash, successorHash, now, expiresAt }) {
    const [marked] = await DB.batch<{ session_id: string }>([
      DB.prepare(markRotated).bind(successorHash, hash, now),
      DB.prepare(insertSuccessor).bind(expiresAt, hash, successorHash),
    ]);
    return marked?.results[0]?.session_id;
  },
}));
