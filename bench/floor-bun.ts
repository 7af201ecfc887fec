import { createClient } from '@libsql/client';
import { createFloor, createTable, insertSuccessor, insertToken, markRotated } from './floor.ts';

// PRAGMA synchronous applies to one connection and the client opens several by default, so it is limited to one.
const client = createClient({ url: process.env['DATABASE_URL'] ?? 'file::memory:', concurrency: 1 });
await client.execute('PRAGMA journal_mode = WAL');
await client.execute('PRAGMA synchronous = FULL');
await client.execute(createTable);

const floor = createFloor(() => ({
  async seed(tokens) {
    await client.batch(
      tokens.map(({ hash, sessionId, expiresAt }) => ({
        sql: insertToken,
        args: [hash, sessionId, expiresAt],
      })),
      'write',
    );
  },
  async rotate({ hash, successorHash, now, expiresAt }) {
    const [marked] = await client.batch(
      [
        { sql: markRotated, args: [successorHash, hash, now] },
        { sql: insertSuccessor, args: [expiresAt, hash, successorHash] },
      ],
      'write',
    );
    const sessionId = marked?.rows[0]?.['session_id'];
    return typeof sessionId === 'string' ? sessionId : undefined;
  },
}));

// Bun serves the default export of its main file.
export default { hostname: '127.0.0.1', port: Number(process.env['PORT']), fetch: floor.fetch };
