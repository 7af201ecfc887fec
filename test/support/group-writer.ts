import { writeSync } from 'node:fs';
import { openInThread } from '../../src/platform/database/libsql-in-thread.ts';

// Writes pairs, 64 batches at a time, until killed, and prints each number as soon as its batch is acknowledged.
const [, , file = '', first = '0'] = process.argv;
const { db } = await openInThread(file);
const insert = (table: string, n: number) => ({ text: `INSERT INTO ${table} (n) VALUES (?)`, values: [n] });
let next = Number(first);
await Promise.all(
  Array.from({ length: 64 }, async () => {
    for (;;) {
      const n = next;
      next += 1;
      await db.batch([insert('ones', n), insert('others', n)]);
      writeSync(1, `${n}\n`);
    }
  }),
);
