import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import type { HashAnswer, HashOrder } from './scrypt-threads.ts';
import { serveThread } from './thread.ts';

// Requests come first. On Linux 0 means the calling thread, elsewhere the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(0, 19);
  } catch {
    // A sandbox may forbid it (systemd's `SystemCallFilter=~@resources`); hashing works at full priority too.
  }
}

serveThread<HashOrder, HashAnswer>(() => ({
  answer({ password, salt, keyBytes, cost }) {
    try {
      const [given, salted] = [Buffer.from(password, 'base64url'), Buffer.from(salt, 'base64url')];
      return { key: scryptSync(given, salted, keyBytes, cost).toString('base64url') };
    } catch (error) {
      return { failure: String(error) };
    }
  },
}));
