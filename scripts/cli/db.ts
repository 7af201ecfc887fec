import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { all, type Database } from '../../src/db/database.ts';
import { endRestoredSessions, replayJournal } from '../../src/features/admin/restore.ts';
import { rewriteJournal } from '../../src/features/identity/journal.ts';
import { createPrivateFile } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { projectFolder } from '../../src/platform/place.ts';
import { type Command, CommandError, needsYes, type Report, toText } from './command.ts';
import type { Stores } from './stores.ts';

const folder = join(projectFolder, 'migrations');

function requireLibsql({ libsql }: Stores, instead: string): Database {
  if (libsql === null) throw new CommandError(`On D1, use wrangler instead: ${instead}`);
  return libsql;
}

async function migrateDatabase(stores: Stores): Promise<Report> {
  const applied = await migrate(stores.deps.db, folder);
  return {
    text: applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`,
    data: { applied },
  };
}

interface Status {
  identities: number;
  suspended: number;
  closed: number;
  live_sessions: number;
  journal_rows: number;
  sessions_not_before: number;
}

async function showStatus({ deps, place }: Stores): Promise<Report> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const applied = await all<{ name: string }>(deps.db, {
    text: 'SELECT name FROM d1_migrations',
    values: [],
  });
  const [counts] = await all<Status>(deps.db, {
    text: `SELECT (SELECT count(*) FROM identities) AS identities,
      (SELECT count(*) FROM identities WHERE status = 'suspended') AS suspended,
      (SELECT count(*) FROM identities WHERE status = 'closed') AS closed,
      (SELECT count(*) FROM live_sessions WHERE expires_at > ?) AS live_sessions,
      (SELECT count(*) FROM pid_journal) AS journal_rows, sessions_not_before FROM settings`,
    values: [deps.now()],
  });
  const known = new Set(applied.map(({ name }) => name));
  const data = {
    database: place,
    pendingMigrations: names.filter((name) => !known.has(name)).sort(),
    identities: counts?.identities ?? 0,
    suspended: counts?.suspended ?? 0,
    closed: counts?.closed ?? 0,
    liveSessions: counts?.live_sessions ?? 0,
    journalRowsToCopy: counts?.journal_rows ?? 0,
    sessionsNotBefore: new Date(counts?.sessions_not_before ?? 0).toISOString(),
  };
  return { text: toText(data), data };
}

async function backUp(stores: Stores, file: string): Promise<Report> {
  const db = requireLibsql(stores, 'npx wrangler d1 export DB --remote --output backup.sql');
  if (!stores.place.startsWith('file:'))
    throw new CommandError('Back up a database server on the server itself.');
  createPrivateFile(file);
  await db.batch([{ text: 'VACUUM INTO ?', values: [file] }]);
  return { text: `The database was copied to ${file}.`, data: { file } };
}

async function writeJournal({ deps }: Stores): Promise<Report> {
  const waiting = await rewriteJournal(deps);
  return { text: `${waiting} entries are waiting; the service copies 400 a minute.`, data: { waiting } };
}

async function restore(stores: Stores, yes: boolean): Promise<Report> {
  const { deps } = stores;
  if (yes) await migrate(deps.db, folder);
  const { entries } = await replayJournal(deps, false);
  if (entries === 0) {
    throw new CommandError(
      'The journal in the key-value store is empty, so this is not the store of this service.',
    );
  }
  // Sessions are revoked first, so that none survives if the replay is interrupted.
  if (yes) await endRestoredSessions(deps);
  const replay = await replayJournal(deps, yes);
  const list = (handles: readonly string[]) => (handles.length === 0 ? '' : `: ${handles.join(', ')}`);
  const lines = [
    `${replay.entries} entries in the journal`,
    `${replay.issued.length} PIDs issued after the backup, reserved again as suspended${list(replay.issued)}`,
    `${replay.closed.length} identities closed after the backup${list(replay.closed)}`,
    yes ? 'Every existing session was revoked.' : `Every session would be revoked. ${needsYes}`,
  ];
  return { text: lines.join('\n'), data: { ...replay, applied: yes } };
}

export const dbCommands: Record<string, Command> = {
  'db migrate': {
    usage: 'db migrate',
    does: 'applies pending migrations',
    names: 0,
    run: (stores) => migrateDatabase(stores),
  },
  'db status': {
    usage: 'db status',
    does: 'pending migrations, and the contents of the database',
    names: 0,
    run: (stores) => showStatus(stores),
  },
  'db backup': {
    usage: 'db backup FILE',
    does: 'copies a libSQL file while the service runs',
    names: 1,
    run: (stores, { names: [file = ''] }) => backUp(stores, file),
  },
  'db journal': {
    usage: 'db journal',
    does: 'rewrites the whole journal of PIDs, after its key-value store was lost',
    names: 0,
    run: (stores) => writeJournal(stores),
  },
  'db restore': {
    usage: 'db restore [--yes]',
    does: 'run after restoring a backup: reserves PIDs issued since, and revokes every session',
    names: 0,
    kv: true,
    run: (stores, { yes }) => restore(stores, yes),
  },
};
