import { TestRunner } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { serveOverLibsql } from './over-libsql.ts';
import type { Release } from './release-contents.ts';
import { addressOf, startRqlite } from './rqlite.ts';
import type { Target, TargetVariables } from './target.ts';

export const startsSlowly = true;

/** A busy machine may take longer for a batch than the service would wait. */
const patienceMs = 30_000;

/** With RQLITE_PLAIN, nothing makes up for the defects of version 8, and a test that meets them is skipped. */
const isPlain = process.env['RQLITE_PLAIN'] !== undefined;

let isUnsupported = false;

async function openNode(isMigrated: boolean) {
  const node = await startRqlite({ isMigrated, isRepaired: !isPlain });
  const { db, ...opened } = await openLibsql(addressOf(node), undefined, patienceMs);
  return { ...opened, db: isPlain ? noticing(db) : db, files: node.files, stop: node.close };
}

/** Notices the adapter's error for dropped rows. */
function noticing(db: Database): Database {
  return {
    batch: (statements) =>
      db.batch(statements).catch((error: unknown) => {
        if ((error as { code?: string }).code === 'UNSUPPORTED') isUnsupported = true;
        throw error;
      }),
  };
}

function skipping(target: Target): Target {
  const checked = async <T>(work: Promise<T>): Promise<T> => {
    await work.catch(() => {});
    if (isUnsupported) {
      isUnsupported = false;
      const test = TestRunner.getCurrentTest<undefined>() as
        | { context: { skip(note: string): never } }
        | undefined;
      // Version 8 cannot run such a statement, so the test would report the server's defect, not ours.
      test?.context.skip('the node drops rows of RETURNING');
    }
    return work;
  };
  return Object.assign(Object.create(target), {
    request: (...sent: Parameters<Target['request']>) => checked(target.request(...sent)),
    rows: (...sent: Parameters<Target['rows']>) => checked(target.rows(...sent)),
  });
}

/** The service in this process, on one node of rqlite. */
export async function createTarget(variables: TargetVariables = {}): Promise<Target> {
  const target = await serveOverLibsql(variables, () => openNode(true));
  return isPlain ? skipping(target) : target;
}

/** The service on the upgraded data of a release. */
export const openRelease = (release: Release, variables: TargetVariables) =>
  serveOverLibsql(variables, () => openNode(false), release);
