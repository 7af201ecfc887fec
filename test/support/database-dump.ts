import type { Target } from './target.ts';

/** Tables that scheduled work may write at any time. */
const scheduled = ['job_leases', 'pid_journal'];

/** Every row of every table that requests write, as JSON, so that a test can show that nothing changed. */
export async function dumpDatabase(target: Target): Promise<string> {
  const tables = await target.rows<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' ORDER BY name`,
  );
  const contents: [string, unknown[]][] = [];
  for (const { name } of tables) {
    if (!scheduled.includes(name)) contents.push([name, await target.rows(`SELECT * FROM "${name}"`)]);
  }
  return JSON.stringify(contents);
}
