import { type Row, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import type { profiles } from '../identity/tables.ts';
import { actingHandle } from '../session/acting-session.ts';
import { relyingParty } from './relying-party.ts';
import type { PasskeySignals } from './schema.ts';

/**
 * Returns the data for the person's authenticators: the passkeys that are still valid, and their display name. A page
 * passes the data on with the signal methods of `PublicKeyCredential`.
 * @throws AppError unauthenticated
 */
export async function passkeySignals(deps: Deps, sessionId: string): Promise<PasskeySignals> {
  const now = deps.now();
  const handle = actingHandle(sessionId, now);
  const {
    profile: [profile],
    passkeys,
  } = await run(deps.db, {
    profile: statement<Pick<Row<typeof profiles>, 'handle' | 'display_name'>>(
      sql`SELECT handle, display_name FROM profiles WHERE handle = ${handle}`,
    ),
    passkeys: statement<{
      id: string;
      user: string;
    }>(sql`SELECT provider_user_id AS id, passkey_user_id AS user
      FROM credentials WHERE handle = ${handle} AND provider = 'passkey' ORDER BY linked_at, credentials.id`),
  });
  if (!profile) throw new AppError('unauthenticated');
  const users = [...new Set(passkeys.map(({ user }) => user))].map((user) => ({
    id: user,
    name: pidOf(profile.handle),
    displayName: profile.display_name,
    credentialIds: passkeys.filter((passkey) => passkey.user === user).map(({ id }) => id),
  }));
  return { rpId: relyingParty(deps.config).id, users };
}
