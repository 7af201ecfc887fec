import { Database } from 'bun:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { createGate } from '../src/lib/gate.ts';
import { hashOf, verifyHash } from './password-work.ts';

/**
 * better-auth with email and password on a SQLite file, hashing at the service's own cost. Its limits and all other
 * options are off. Hashes run in parallel without a limit, unless AT_ONCE sets one.
 */
const port = Number(process.env['PORT']);
const atOnce = Number(process.env['AT_ONCE'] ?? 1_000);
const gate = createGate({ atOnce, maxWaiting: 1_000 });
const database = new Database(process.env['DATABASE_FILE'] ?? ':memory:');
database.run('PRAGMA journal_mode = WAL');
database.run('PRAGMA synchronous = FULL');

const options = {
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'only for this run, and known to everybody',
  database,
  emailAndPassword: {
    enabled: true,
    autoSignIn: false,
    password: {
      hash: hashOf,
      verify: async ({ hash, password }: { hash: string; password: string }) =>
        (await gate(() => verifyHash(password, hash))) ?? false,
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' as const },
};

await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);

export default {
  hostname: '127.0.0.1',
  port,
  fetch: (request: Request): Response | Promise<Response> =>
    new URL(request.url).pathname === '/healthz' ? new Response('ok') : auth.handler(request),
};
