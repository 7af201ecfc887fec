import { integer, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';

export interface NamedApp {
  readonly id: string;
  readonly name: string;
}

const most = 20;
const lastCharacter = sql`char(1114111)`;

/**
 * Finds apps by the beginning of their name, like people: an index that ignores the case of ASCII letters, at most 20.
 * @throws AppError unauthenticated, not_fresh
 */
export async function findApps(deps: Deps, actor: DeskActor, name: string): Promise<NamedApp[]> {
  const { desk, apps } = await run(deps.db, {
    desk: deskState(deps, actor),
    apps: statement<NamedApp>(sql`SELECT id, name FROM apps
      WHERE name COLLATE NOCASE >= ${name} AND name COLLATE NOCASE < ${name} || ${lastCharacter} AND status <> 'deleted'
      ORDER BY name COLLATE NOCASE, id LIMIT ${integer(most)}`),
  });
  requireDesk(desk);
  return apps;
}
