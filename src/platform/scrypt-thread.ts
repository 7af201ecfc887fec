import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import type { HashAnswer, HashOrder } from './scrypt-threads.ts';
import { serveThread } from './thread.ts';

// Requests have priority. On Linux 0 means the calling thread, elsewhere the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(0, 19);
  } catch {
    // A sandbox may forbid this (systemd's `SystemCallFilter=~@resources`); hashing also works at normal priority.
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
