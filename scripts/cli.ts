/**
 * `npm run cli -- COMMAND`: operates a service from outside. Works on the configured libSQL database
 * (DATABASE_URL, KV_URL, SECRET_KEY), or with `--d1` on the bindings in wrangler.toml.
 *
 * Destructive commands only say what they would do unless `--yes` is given; `--json` prints JSON.
 * Exits with 0, with 1 when the command could not be carried out, or with 2 when it was not understood.
 */
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { explain } from '../src/errors.ts';
import { type Command, CommandError, type Input } from './cli/command.ts';
import { dbCommands } from './cli/db.ts';
import { deskCommands } from './cli/desk.ts';
import { doctorCommands } from './cli/doctor.ts';
import { keyCommands } from './cli/keys.ts';
import { ledgerCommands } from './cli/ledger.ts';
import { peopleCommands } from './cli/people.ts';
import { reconcileCommands } from './cli/reconcile.ts';
import { openStores, type Place } from './cli/stores.ts';

const commands: Record<string, Command> = {
  ...keyCommands,
  ...dbCommands,
  ...ledgerCommands,
  ...deskCommands,
  ...peopleCommands,
  ...reconcileCommands,
  ...doctorCommands,
};

/** Options of individual commands. */
const ownOptions = Object.values(commands).flatMap(({ options = [] }) => options);

function help(): string {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length)) + 2;
  const lines = Object.values(commands).map(({ usage, does }) => `  ${usage.padEnd(width)}${does}`);
  return [
    'Usage: npm run cli -- COMMAND [--json] [--d1 [--env NAME] [--persist-to DIR]]',
    '',
    ...lines,
    '',
  ].join('\n');
}

interface Request {
  readonly command: Command;
  readonly input: Input;
  readonly place: Place;
  readonly json: boolean;
}

/** The parsed command, or null when it was not understood. */
function understand(): Request | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        now: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        d1: { type: 'boolean', default: false },
        env: { type: 'string' },
        'persist-to': { type: 'string' },
        ...Object.fromEntries(ownOptions.map((name) => [name, { type: 'string' }] as const)),
      },
    });
    const words = commands[positionals.slice(0, 2).join(' ')] ? 2 : 1;
    const command = commands[positionals.slice(0, words).join(' ')];
    const names = positionals.slice(words);
    if (!command || names.length !== command.names) return null;
    const { d1, env, json, yes, now, force } = values;
    const options = Object.fromEntries(
      Object.entries(values).filter(([name]) => ownOptions.includes(name)),
    ) as Record<string, string>;
    if (Object.keys(options).some((name) => !command.options?.includes(name))) return null;
    if (force && !command.forcible) return null;
    const place = { d1, env, persistTo: values['persist-to'] };
    return { command, input: { names, yes, now, force, options }, place, json };
  } catch {
    return null;
  }
}

async function run({ command, input, place, json }: Request): Promise<void> {
  const stores = await openStores(place, command.kv ?? false);
  try {
    const report = await command.run(stores, input);
    console.log(json ? JSON.stringify(report.data) : report.text);
  } finally {
    await stores.close();
  }
}

const request = understand();
if (request === null) {
  const asked = process.argv.slice(2);
  const wantsHelp = asked.length === 0 || asked.includes('--help') || asked[0] === 'help';
  (wantsHelp ? console.log : console.error)(help());
  process.exitCode = wantsHelp ? 0 : 2;
} else {
  try {
    await run(request);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isExpected = error instanceof CommandError || error instanceof ConfigError;
    const hint = /no such table/.test(error.message) ? ' (run `db migrate` first)' : '';
    console.error(isExpected ? error.message : `${explain(error)}${hint}`);
    process.exitCode = 1;
  }
}
