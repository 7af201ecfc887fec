import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import type { HashAnswer, HashOrder } from './scrypt-threads.ts';
import { serveThread } from './thread.ts';

// Everybody else's requests come first. Linux takes 0 for the calling thread; elsewhere it is the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(0, 19);
  } catch {
    // A sandbox may forbid it (systemd's `SystemCallFilter=~@resources`); a hash at full priority is still a hash.
  }
}

serveThread(({ password, salt, keyBytes, cost }: HashOrder): HashAnswer => {
  try {
    return { key: scryptSync(password, salt, keyBytes, cost) };
  } catch (error) {
    return { failure: String(error) };
  }
});
