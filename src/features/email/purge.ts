import { deleteExpired, type Statement, sql } from '../../db/database.ts';

export function purgeEmailCodes(now: number): Statement {
  return deleteExpired(sql`email_codes`, sql`purpose, email, bound_to`, sql`expires_at`, now);
}

export function purgeSecretTries(now: number): Statement {
  return deleteExpired(sql`secret_tries`, sql`key`, sql`resets_at`, now);
}
