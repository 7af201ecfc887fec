import { spawn } from 'node:child_process';
import { once } from 'node:events';

const program = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
database.exec('PRAGMA busy_timeout = 2000; BEGIN IMMEDIATE');
process.stdout.write('held');
setTimeout(() => { database.exec('ROLLBACK'); database.close(); }, Number(process.argv[2]));
`;

/** Makes another process hold a database's write lock for some time; returns after the lock is taken. */
export async function holdWriteLock(
  file: string,
  milliseconds: number,
): Promise<{ released: Promise<unknown> }> {
  const child = spawn(process.execPath, ['--no-warnings', '-e', program, file, String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const released = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    released.then(() => Promise.reject(new Error('the lock was not taken'))),
  ]);
  return { released };
}
