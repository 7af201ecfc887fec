import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';

/** A trigger enforces the same limit. */
const mostCredentials = 50;

/** True if the person may have one more credential; pages and options list all of them. */
export function hasRoomForCredential(handle: SQL): SQL {
  return sql`(SELECT count(*) FROM credentials o WHERE o.handle = ${handle}) < ${integer(mostCredentials)}`;
}

/** The columns of a ticket besides provider, subject and address, in the order of `insertFromTicket`. */
const ticketColumns = sql.raw(
  't.credential_name, t.password_hash, t.public_key, t.sign_count, t.transports, t.backed_up, t.passkey_user_id',
);

interface FromTicket {
  readonly id: string;
  /** The new owner of the credential. */
  readonly handle: SQL;
  /** The address to store; by default the ticket's verified one. */
  readonly email?: SQL;
  /** A FROM clause with the ticket `t`; empty unless the credential may be inserted. */
  readonly source: SQL;
  readonly now: number;
}

/** Inserts the credential of a claim ticket. */
export function insertFromTicket({ id, handle, email = sql`t.email`, source, now }: FromTicket): Statement {
  return statement(sql`INSERT INTO credentials (id, handle, provider, provider_user_id, email, name, password_hash,
      public_key, sign_count, transports, backed_up, passkey_user_id, linked_at, last_login_at)
    SELECT ${id}, ${handle}, t.provider, t.provider_user_id, ${email}, ${ticketColumns}, ${now}, ${now} ${source}`);
}

/** Inserts a provider account. `owner` is a FROM clause with the owner's `handle` as its only row. */
export function insertAccount(input: {
  readonly id: string;
  readonly provider: string;
  readonly subject: string;
  readonly owner: SQL;
  readonly now: number;
}): Statement {
  const { id, provider, subject, owner, now } = input;
  return statement(sql`INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
    SELECT ${id}, handle, ${provider}, ${subject}, ${now}, ${now} ${owner} ON CONFLICT (id) DO NOTHING`);
}

/** Deletes the credentials that match a condition on `credentials`. */
export function deleteOf(where: SQL): Statement {
  return statement(sql`DELETE FROM credentials WHERE ${where}`);
}

/** Replaces the password hash of the credential that matches a condition on `credentials`. */
export function setPassword({ hash, where }: { readonly hash: string; readonly where: SQL }): Statement {
  return statement(sql`UPDATE credentials SET password_hash = ${hash} WHERE ${where}`);
}

interface Use {
  /** The credential id, as an expression; if NULL, nothing changes. */
  readonly id: SQL;
  /** Replaces the stored address, if it belongs to the owner. */
  readonly verifiedEmail: string | null;
  /** The password rehashed with the current parameters, if the stored hash uses others. */
  readonly passwordHash: string | null;
  /** Only for a passkey. */
  readonly signCount?: number;
  readonly backedUp?: boolean;
  readonly now: number;
}

/** Records a sign-in with a credential, and the new values. */
export function recordUse({ id, verifiedEmail, passwordHash, signCount, backedUp, now }: Use): Statement {
  return statement(sql`UPDATE credentials SET last_login_at = ${now},
      password_hash = coalesce(${passwordHash}, password_hash),
      sign_count = coalesce(${signCount === undefined ? null : integer(signCount)}, sign_count),
      backed_up = coalesce(${backedUp === undefined ? null : Number(backedUp)}, backed_up),
      email = coalesce((SELECT e.email FROM emails e WHERE e.email = ${verifiedEmail} AND e.handle = credentials.handle), email)
    WHERE id = ${id}`);
}
