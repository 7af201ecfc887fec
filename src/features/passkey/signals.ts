import { sql } from 'drizzle-orm';
import { statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { actingHandle } from '../session/acting-session.ts';
import { relyingParty } from './relying-party.ts';
import type { PasskeySignals } from './schema.ts';

/**
 * What the person's authenticators should know: which passkeys are still good, and after whom they are named. A page
 * passes it on by the signal methods of `PublicKeyCredential`.
 * @throws AppError unauthenticated
 */
export async function passkeySignals(deps: Deps, sessionId: string): Promise<PasskeySignals> {
  const now = deps.now();
  const handle = actingHandle(sessionId, now);
  const [[profile], passkeys] = await deps.db.batch([
    statement<{ handle: string; display_name: string }>(
      sql`SELECT handle, display_name FROM profiles WHERE handle = ${handle}`,
    ),
    statement<{ id: string; user: string }>(sql`SELECT provider_user_id AS id, passkey_user_id AS user
      FROM credentials WHERE handle = ${handle} AND provider = 'passkey' ORDER BY linked_at, id`),
  ]);
  if (!profile) throw new AppError('unauthenticated');
  const users = [...new Set(passkeys.map(({ user }) => user))].map((user) => ({
    id: user,
    name: pidOf(profile.handle),
    displayName: profile.display_name,
    credentialIds: passkeys.filter((passkey) => passkey.user === user).map(({ id }) => id),
  }));
  return { rpId: relyingParty(deps.config).id, users };
}
