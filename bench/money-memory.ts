/** `bun bench/money-memory.ts FILE TRANSFERS`: prints the memory, in MiB, used by this many confirmations in a file. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Statement } from '../src/db/database.ts';
import { FileConnection } from '../src/platform/database/libsql-connection.ts';
import { openInThread } from '../src/platform/database/libsql-in-thread.ts';
import { addHistory, addInquiries, confirmation, migrate, of, openBook } from './money-book.ts';

const [, , file = '', transfers = '0'] = process.argv;

if (process.argv[4] === 'seed') {
  const connection = new FileConnection(file);
  const execute = async (statements: readonly Statement[]) => connection.run(statements);
  await execute([of('PRAGMA synchronous = OFF')]);
  await migrate(execute);
  const book = await openBook(execute, 1_000);
  await addHistory(execute, book, Number(transfers));
  await addInquiries(execute, book, 20_000);
  connection.run([{ text: 'PRAGMA wal_checkpoint(TRUNCATE)', values: [] }]);
  connection.close();
} else {
  // In a separate process, because a process does not return its allocations.
  const seeded = spawnSync('bun', [import.meta.filename, file, transfers, 'seed'], { stdio: 'inherit' });
  if (seeded.status !== 0) process.exit(1);
  const { db, close } = await openInThread(file);
  const book = { firstAccount: 1000, people: 1_000, last: 20_000 };
  for (let first = 1; first < 20_000; first += 64) {
    const group = Array.from({ length: 64 }, (_, index) => confirmation(book, first + index));
    await Promise.all(group.map((one) => db.batch([one])));
    await db.batch([
      of(
        'SELECT * FROM entries WHERE account = ? AND way = 1 ORDER BY at DESC, leg DESC LIMIT 20',
        1000 + (first % 1000),
      ),
    ]);
  }
  const { Bun } = globalThis as { Bun?: { gc(isFull: boolean): void } };
  Bun?.gc(true);
  const [, kib = '0'] = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  console.log(Number(kib) / 1024);
  await close();
}
