import type { Database } from '../../src/db/database.ts';
import { workPayouts } from '../../src/features/withdrawal/payout.ts';
import { openFile } from '../../src/platform/database/libsql-file.ts';
import { payoutDeps } from './payout-deps.ts';
import { openFileProvider } from './payout-file.ts';

// Runs the payout worker once, and kills itself at a chosen point between its mark, its call and its write.
const [, , file = '', providerFile = '', now = '', killAt = ''] = process.argv;
let moments = 0;

function moment(): void {
  moments += 1;
  if (moments === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

const opened = openFile(file);
const db: Database = {
  async batch(statements) {
    const isWrite = statements.some(({ text }) => text.includes('UPDATE withdrawals'));
    if (isWrite) moment();
    const rows = await opened.db.batch(statements);
    if (isWrite) moment();
    return rows;
  },
};
await workPayouts(
  payoutDeps(db, () => Number(now)),
  openFileProvider(providerFile, moment),
);
opened.close();
