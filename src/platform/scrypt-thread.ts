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
    const [given, salted] = [Buffer.from(password, 'base64url'), Buffer.from(salt, 'base64url')];
    return { key: scryptSync(given, salted, keyBytes, cost).toString('base64url') };
  } catch (error) {
    return { failure: String(error) };
  }
});
