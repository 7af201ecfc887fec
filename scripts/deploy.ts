/**
 * `npm run deploy`: checks the settings, creates the D1 database if it does not exist, applies the migrations, and deploys
 * the production build. Safe to repeat. Arguments are passed on to `wrangler deploy`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { unstable_readConfig as readConfig } from 'wrangler';
import { deployProblems } from './deploy-settings.ts';

const root = join(import.meta.dirname, '..');
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
const database = 'peridot';

function run(command: string[], quiet = false): { ok: boolean; output: string; stdout: string } {
  const stdio = quiet ? 'pipe' : 'inherit';
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...command], {
    cwd: root,
    stdio,
  });
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}`, stdout: `${stdout ?? ''}` };
}

function requireStep(name: string, result: { ok: boolean; output: string }): void {
  if (result.ok) return;
  console.error(`${result.output}\nThe step "${name}" failed; nothing after it was done.`);
  process.exit(1);
}

/** The names of the Worker's secrets; none before the Worker exists. */
function secretNames(): string[] {
  const listing = run(['secret', 'list', '--env', 'production', '--format', 'json'], true);
  if (!listing.ok && /not found|does not exist/i.test(listing.output)) return [];
  requireStep('read the names of the secrets', listing);
  const listed = JSON.parse(listing.stdout.slice(listing.stdout.indexOf('['))) as { name: string }[];
  return listed.map(({ name }) => name);
}

const { vars } = readConfig(
  { config: join(root, 'wrangler.toml'), env: 'production' },
  { hideWarnings: true },
);
const { errors, warnings } = deployProblems(vars, secretNames());
for (const warning of warnings) console.warn(`Warning: ${warning}`);
requireStep('check the settings', { ok: errors.length === 0, output: errors.join('\n') });
const created = run(['d1', 'create', database], true);
requireStep('make the database', { ...created, ok: created.ok || /already exists/i.test(created.output) });
// The migrations come first, because an older release works with a newer schema, but not vice versa.
requireStep(
  'apply the migrations',
  run(['d1', 'migrations', 'apply', 'DB', '--remote', '--env', 'production']),
);
requireStep('deploy', run(['deploy', '--env', 'production', ...process.argv.slice(2)]));
