import { all, integer, purgeLimit, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { decrypt, deriveKeys, encrypt, macOf } from '../../lib/secret.ts';
import type { Destination } from '../gateway/gateway.ts';

/** An encrypted bank account. */
export interface NamedDestination extends Destination {
  readonly holder: string;
}

const contextOf = (withdrawalId: string) => `payout ${withdrawalId}`;
const keysOf = ({ config }: Deps) => deriveKeys(config.secretKeys, 'payout');

/** The prefix of text encrypted with a key, by which a query finds text encrypted with other keys. */
function markOf(deps: Deps): string {
  return `${macOf(keysOf(deps)[0], 'mark').slice(0, 6)}:`;
}

export async function encryptDestination(
  deps: Deps,
  id: string,
  destination: NamedDestination,
): Promise<string> {
  const text = JSON.stringify(destination);
  return markOf(deps) + (await encrypt(keysOf(deps), text, contextOf(id), deps.randomBytes));
}

/** Null after erasure, or if no SECRET_KEY decrypts it. */
export async function decryptDestination(
  deps: Deps,
  id: string,
  sealed: string,
): Promise<NamedDestination | null> {
  const text = await decrypt(keysOf(deps), sealed.slice(sealed.indexOf(':') + 1), contextOf(id));
  return text === null ? null : JSON.parse(text);
}

/** The part of a bank account shown to a person, enough to recognise the account. */
export function hintOf({ bankCode, accountNumber }: Destination): string {
  return `${bankCode.toUpperCase()} ••••${accountNumber.slice(-4)}`;
}

/** The scheduled job: after a change of SECRET_KEY, encrypts destinations under the new one, 500 per run. */
export async function resealDestinations(deps: Deps): Promise<{ resealed: number }> {
  if (deps.config.secretKeys.length === 1) return { resealed: 0 };
  const mark = markOf(deps);
  const rows = await all(
    deps.db,
    statement<{ id: string; destination_enc: string }>(sql`SELECT id, destination_enc FROM withdrawals
      WHERE destination_enc <> '' AND substr(destination_enc, 1, ${integer(mark.length)}) <> ${mark}
      ORDER BY id DESC LIMIT ${integer(purgeLimit)}`),
  );
  let resealed = 0;
  for (const { id, destination_enc: sealed } of rows) {
    const destination = await decryptDestination(deps, id, sealed);
    if (destination === null) continue;
    const next = await encryptDestination(deps, id, destination);
    await all(
      deps.db,
      statement(sql`UPDATE withdrawals SET destination_enc = ${next}
        WHERE id = ${id} AND destination_enc = ${sealed}`),
    );
    resealed += 1;
  }
  return { resealed };
}
