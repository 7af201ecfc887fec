/**
 * `npm run cli -- COMMAND`: operates a service from outside. Works on the configured libSQL database (DATABASE_URL,
 * KV_URL, SECRET_KEY), or with `--d1` on the bindings in wrangler.toml.
 *
 * Destructive commands only show their effect unless `--yes` is given; `--json` prints JSON. Exits with 0, with 1 if
 * the command failed, or with 2 if it was invalid.
 */
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { explain } from '../src/errors.ts';
import { isExecutable, readVersion } from '../src/platform/place.ts';
import { type Command, CommandError, type Input, UsageError } from './cli/command.ts';
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
    `Usage: ${isExecutable ? 'peridot' : 'npm run cli --'} COMMAND [--json] [--d1 [--env NAME] [--persist-to DIR]]`,
    'Without a database: help, version',
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

/** @throws UsageError */
function understand(): Request {
  const { values, positionals } = parseArguments();
  const words = commands[positionals.slice(0, 2).join(' ')] ? 2 : 1;
  const command = commands[positionals.slice(0, words).join(' ')];
  if (!command) throw new UsageError(unknownCommand(positionals));
  const names = positionals.slice(words);
  if (names.length !== command.names) throw new UsageError(`Usage: ${command.usage}`);
  const { d1, env, json, yes, now, force } = values;
  const options = Object.fromEntries(
    Object.entries(values).filter(([name]) => ownOptions.includes(name)),
  ) as Record<string, string>;
  const foreign = [...Object.keys(options), ...(force ? ['force'] : [])].find(
    (name) => !(name === 'force' ? command.forcible : command.options?.includes(name)),
  );
  if (foreign !== undefined) throw new UsageError(`No --${foreign} here. Usage: ${command.usage}`);
  const place = { d1, env, persistTo: values['persist-to'] };
  return { command, input: { names, yes, now, force, options }, place, json };
}

/** @throws UsageError */
function parseArguments() {
  try {
    return parseArgs({
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
  } catch (error) {
    // Node's error about an argument that starts with a dash is long.
    throw new UsageError(`${(error as Error).message.split(/\. /)[0]}. \`help\` lists every command.`);
  }
}

function unknownCommand([topic = '', verb]: readonly string[]): string {
  const verbs = Object.keys(commands).flatMap((name) =>
    name.startsWith(`${topic} `) ? [name.split(' ')[1]] : [],
  );
  if (verbs.length === 0) return `There is no command "${topic}". \`help\` lists every command.`;
  return `${verb === undefined ? `"${topic}" is not a whole command` : `There is no command "${topic} ${verb}"`}. There is ${topic} ${verbs.join(', ')}.`;
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

const asked = process.argv.slice(2);
if (asked.length === 0 || asked.includes('--help') || asked[0] === 'help') console.log(help());
else if (asked.includes('--version') || asked[0] === 'version') console.log(readVersion());
else {
  try {
    await run(understand());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isExpected = [UsageError, CommandError, ConfigError].some((kind) => error instanceof kind);
    const hint = /no such table/.test(error.message) ? ' (run `db migrate` first)' : '';
    console.error(isExpected ? error.message : `${explain(error)}${hint}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
