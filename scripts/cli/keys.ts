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
      'This SECRET_KEY decrypts none of the signing keys in the database. Nothing was changed. Use the SECRET_KEY of ' +
        'the service, or repeat with --force if it was replaced and the previous one is lost.',
    );
  }
  return { keys, unreadable };
}

async function generateKey(deps: Deps, force: boolean): Promise<Report> {
  const { unreadable } = await requireKeys(deps, force);
  const kid = await addFirstKey(deps, deps.now(), unreadable);
  return {
    text: kid === null ? 'There already is a signing key.' : `${kid} signs from now on.`,
    data: { kid },
  };
}

/** Rotates the keys of each algorithm in use; `kid` is the key that signs access tokens. */
async function rotateKeys(deps: Deps, { now: atOnce, yes, force }: Input): Promise<Report> {
  const now = deps.now();
  const { keys } = await requireKeys(deps, force);
  if (atOnce && !yes) {
    const text = `Would replace the current signing keys; back ends reject tokens until they have the new ones.`;
    return { text: `${text}\n${needsYes}`, data: { kid: null } };
  }
  const algorithms = [...new Set<Algorithm>(['ES256', ...keys.map(({ alg }) => alg)])];
  const made: (string | null)[] = [];
  for (const alg of algorithms) {
    made.push(await (atOnce ? replaceKey(deps, now, alg) : addNextKey(deps, 'asked', now, alg)));
  }
  const [kid = null] = made;
  if (made.every((one) => one === null)) {
    return { text: 'The next key is already published.', data: { kid } };
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
      text: `Would remove ${kid}, which ${state} now; its tokens would be rejected.\n${needsYes}`,
      data: { kid, removed: false },
    };
  }
  if (!(await removeKey(deps, kid, unreadable))) {
    throw new CommandError(
      'No other key that can be decrypted signs now; run `keys rotate --now --yes` first.',
    );
  }
  return {
    text: `${kid} is removed; every process stops accepting it within five minutes.`,
    data: { kid, removed: true },
  };
}

export const keyCommands: Record<string, Command> = {
  'keys list': {
    usage: 'keys list',
    does: 'the keys that sign or verify, and the SECRET_KEY that encrypts them',
    names: 0,
    run: ({ deps }) => listKeys(deps),
  },
  'keys generate': {
    usage: 'keys generate [--force]',
    does: 'creates the first key; does nothing if there already is a signing key',
    names: 0,
    forcible: true,
    run: ({ deps }, { force }) => generateKey(deps, force),
  },
  'keys rotate': {
    usage: 'keys rotate [--now [--yes]] [--force]',
    does: 'publishes the next key of each algorithm, which signs a day later; --now replaces the keys immediately',
    names: 0,
    forcible: true,
    run: ({ deps }, input) => rotateKeys(deps, input),
  },
  'keys remove': {
    usage: 'keys remove KID [--yes] [--force]',
    does: 'removes a key; its tokens are no longer accepted',
    names: 1,
    forcible: true,
    run: ({ deps }, input) => removeOne(deps, input.names[0] ?? '', input),
  },
};
