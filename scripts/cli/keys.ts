import type { Deps } from '../../src/deps.ts';
import {
  addFirstKey,
  addNextKey,
  removeKey,
  replaceKey,
  sealedUnder,
  unreadableKeys,
} from '../../src/features/signing-key/rotation.ts';
import { type Algorithm, type KeyRow, readKeys } from '../../src/features/signing-key/stored-keys.ts';
import { type Command, CommandError, type Input, needsYes, type Report, toTable } from './command.ts';

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

function stateOf(keys: readonly KeyRow[], key: KeyRow, now: number): string {
  const signer = keys.findLast(
    (one) => one.alg === key.alg && one.signs_from <= now && now < one.signs_until,
  );
  if (key === signer) return 'signs';
  return key.signs_from > now ? 'waits' : 'verifies';
}

async function listKeys(deps: Deps): Promise<Report> {
  const now = deps.now();
  const keys = await readKeys(deps, now);
  const data = await Promise.all(
    keys.map(async (key) => ({
      kid: key.kid,
      alg: key.alg,
      state: stateOf(keys, key, now),
      signsFrom: time(key.signs_from),
      signsUntil: time(key.signs_until),
      verifiesUntil: time(key.verifies_until),
      secretKey: await sealedUnder(deps, key),
    })),
  );
  return { text: toTable(data), data };
}

/**
 * The existing keys, and the ids of those that no SECRET_KEY decrypts.
 * @throws CommandError if none can be decrypted: the SECRET_KEY differs from the service's, which could not sign with a
 *   key created here
 */
async function requireKeys(deps: Deps, force: boolean): Promise<{ keys: KeyRow[]; unreadable: string[] }> {
  const keys = await readKeys(deps, deps.now());
  const unreadable = await unreadableKeys(deps, keys);
  if (!force && keys.length > 0 && unreadable.length === keys.length) {
    throw new CommandError(
      'This SECRET_KEY opens none of the signing keys in the database. Nothing was changed. Give the SECRET_KEY of ' +
        'the service, or repeat with --force if it was replaced and the one before it is lost.',
    );
  }
  return { keys, unreadable };
}

async function generateKey(deps: Deps, force: boolean): Promise<Report> {
  const { unreadable } = await requireKeys(deps, force);
  const kid = await addFirstKey(deps, deps.now(), unreadable);
  return { text: kid === null ? 'A key signs already.' : `${kid} signs from now on.`, data: { kid } };
}

/** Rotates the keys of each algorithm in use; `kid` is the key that signs access tokens. */
async function rotateKeys(deps: Deps, { now: atOnce, yes, force }: Input): Promise<Report> {
  const now = deps.now();
  const { keys } = await requireKeys(deps, force);
  if (atOnce && !yes) {
    const text = `Would replace the keys that sign now; back ends refuse tokens until they know the new ones.`;
    return { text: `${text}\n${needsYes}`, data: { kid: null } };
  }
  const algorithms = [...new Set<Algorithm>(['ES256', ...keys.map(({ alg }) => alg)])];
  const made: (string | null)[] = [];
  for (const alg of algorithms) {
    made.push(await (atOnce ? replaceKey(deps, now, alg) : addNextKey(deps, 'asked', now, alg)));
  }
  const [kid = null] = made;
  if (made.every((one) => one === null)) {
    return { text: 'A key that waits to sign is published already.', data: { kid } };
  }
  const next = (await readKeys(deps, now)).filter((key) => made.includes(key.kid));
  const when = (from: number) =>
    atOnce
      ? 'signs once each process has reloaded its keys, within five minutes'
      : `is published and signs from ${time(from)}`;
  const texts = next.map((key) => `${key.kid} (${key.alg}) ${when(key.signs_from)}.`);
  return { text: texts.join('\n'), data: { kid, signsFrom: time(next[0]?.signs_from ?? now) } };
}

async function removeOne(deps: Deps, kid: string, { yes, force }: Input): Promise<Report> {
  const now = deps.now();
  const { keys, unreadable } = await requireKeys(deps, force);
  const key = keys.find((one) => one.kid === kid);
  if (!key) throw new CommandError(`There is no key ${kid}.`);
  const state = stateOf(keys, key, now);
  if (!yes) {
    return {
      text: `Would remove ${kid}, which ${state} now; tokens of it would be refused.\n${needsYes}`,
      data: { kid, removed: false },
    };
  }
  if (!(await removeKey(deps, kid, unreadable))) {
    throw new CommandError('No other key that opens signs now; run `keys rotate --now --yes` first.');
  }
  return { text: `${kid} is gone; every process knows within five minutes.`, data: { kid, removed: true } };
}

export const keyCommands: Record<string, Command> = {
  'keys list': {
    usage: 'keys list',
    does: 'the keys that sign or verify, and the SECRET_KEY they are sealed under',
    names: 0,
    run: ({ deps }) => listKeys(deps),
  },
  'keys generate': {
    usage: 'keys generate [--force]',
    does: 'makes the first key; changes nothing when one signs already',
    names: 0,
    forcible: true,
    run: ({ deps }, { force }) => generateKey(deps, force),
  },
  'keys rotate': {
    usage: 'keys rotate [--now [--yes]] [--force]',
    does: 'publishes the next key of each algorithm, which signs a day later; --now replaces the keys at once',
    names: 0,
    forcible: true,
    run: ({ deps }, input) => rotateKeys(deps, input),
  },
  'keys remove': {
    usage: 'keys remove KID [--yes] [--force]',
    does: 'removes a key, so that nothing it signed is accepted any more',
    names: 1,
    forcible: true,
    run: ({ deps }, input) => removeOne(deps, input.names[0] ?? '', input),
  },
};
