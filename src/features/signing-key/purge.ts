import { deleteExpired, type Statement, sql, statement } from '../../db/database.ts';

/** How long a key still verifies ID tokens that are sent as a hint. */
const archivedMs = 365 * 86_400_000;

export function purgeSigningKeys(now: number): Statement {
  return deleteExpired(sql`signing_keys`, sql`kid`, sql`verifies_until`, now - archivedMs);
}

/** Erases the private part of keys whose last token has expired. */
export function archiveSigningKeys(now: number): Statement {
  return statement(sql`UPDATE signing_keys SET private_enc = '' WHERE verifies_until <= ${now} AND private_enc <> ''
    RETURNING 1 AS archived`);
}
