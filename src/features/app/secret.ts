import { integer, only, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { record } from '../activity/statements.ts';
import { isDecided } from '../identity/decision.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import { type AppDecided, appDecision } from './decision.ts';
import type { NewSecret, SecretList } from './schema.ts';
import type { appSecrets } from './tables.ts';

export const maxSecrets = 10;

type SecretRow = Pick<Row<typeof appSecrets>, 'id' | 'hint' | 'created_at' | 'expires_at'>;

export interface Secret {
  readonly id: string;
  /** The value that the app presents: `pids_` and 256 random bits. */
  readonly value: string;
  /** The last four characters of the secret. */
  readonly hint: string;
  readonly createdAt: number;
}

export function makeSecret(deps: Deps, now: number): Secret {
  const value = `pids_${createSecret(deps.randomBytes)}`;
  return { id: createId('sec', now, deps.randomBytes), value, hint: value.slice(-4), createdAt: now };
}

/** @param source a FROM clause with the app `a` as its only row; empty unless the secret may be inserted */
export function insertSecret({ id, value, hint, createdAt }: Secret, source: SQL): Statement {
  return statement(sql`INSERT INTO app_secrets (hash, id, app_id, hint, created_at)
    SELECT ${secretHash(value)}, ${id}, a.id, ${hint}, ${createdAt} ${source} ON CONFLICT DO NOTHING`);
}

/** True if the secret `k` is still valid. */
export function isGood(now: number): SQL {
  return sql`(k.expires_at IS NULL OR k.expires_at > ${now})`;
}

/** An app's valid secrets, newest first. */
function goodSecrets(appId: SQL, now: number): Statement<SecretRow> {
  return statement(sql`SELECT k.id, k.hint, k.created_at, k.expires_at FROM app_secrets k
    WHERE k.app_id = ${appId} AND ${isGood(now)} ORDER BY k.id DESC`);
}

/** Counts the valid secrets of the app `a`, as a subquery. */
export function countOfGood(now: number): SQL {
  return sql`(SELECT count(*) FROM app_secrets k WHERE k.app_id = a.id AND ${isGood(now)})`;
}

interface Change {
  readonly sessionId: string;
  readonly appId: string;
  readonly client: ClientInfo;
}

/**
 * Creates a new secret and lets the previous ones expire after the overlap.
 * @throws AppError unauthenticated, app_not_found, app_suspended, not_fresh, validation_failed for an app without
 *   secrets, too_many_secrets, in this order
 */
export async function rotateSecret(
  deps: Deps,
  { overlapSeconds, ...change }: Change & { readonly overlapSeconds: number },
): Promise<NewSecret> {
  const now = deps.now();
  const { appId } = change;
  const secret = makeSecret(deps, now);
  const id = createSecret(deps.randomBytes);
  const decision = appDecision(
    deps,
    { ...change, id, now },
    {
      done: sql`EXISTS (SELECT 1 FROM app_secrets k WHERE k.id = ${secret.id})`,
      also: {
        app_has_no_secret: sql`a.type = 'web'`,
        too_many_secrets: sql`${overlapSeconds} = 0 OR ${countOfGood(now)} < ${integer(maxSecrets)}`,
      },
    },
  );
  const good = await changeSecrets(
    deps,
    { ...change, id, now, type: 'app.secret_rotated' },
    decision,
    replaceSecret(secret, { appId, endsAt: now + overlapSeconds * 1000, when: isDecided(id, 'change') }),
  );
  return toNewSecret(secret, good);
}

/** Makes a secret the app's current one; previous secrets expire at `endsAt` or earlier. */
export function replaceSecret(
  secret: Secret,
  { appId, endsAt, when }: { readonly appId: string; readonly endsAt: number; readonly when: SQL },
): Statement[] {
  return [
    statement(sql`UPDATE app_secrets SET expires_at = ${endsAt} WHERE app_id = ${appId} AND ${when}
      AND (expires_at IS NULL OR expires_at > ${endsAt})`),
    insertSecret(secret, sql`FROM apps a WHERE a.id = ${appId} AND ${when}`),
  ];
}

/** @param good the currently valid secrets */
export function toNewSecret(
  { id, value, hint, createdAt }: Secret,
  good: readonly Pick<SecretRow, 'id' | 'hint' | 'expires_at'>[],
): NewSecret {
  const previous = good.flatMap((one) =>
    one.expires_at === null ? [] : [{ id: one.id, hint: one.hint, expiresAt: isoTime(one.expires_at) }],
  );
  return { id, value, hint, createdAt: isoTime(createdAt), previous };
}

/**
 * Revokes one secret immediately. Revoking it again is not an error.
 * @param force whether it may be the only one
 * @throws AppError unauthenticated, app_not_found, app_suspended, not_fresh, secret_not_found, only_secret, in this order
 */
export async function revokeSecret(
  deps: Deps,
  { secretId, force, ...change }: Change & { readonly secretId: string; readonly force: boolean },
): Promise<void> {
  const now = deps.now();
  const { appId } = change;
  const id = createSecret(deps.randomBytes);
  const mine = sql`k.app_id = a.id AND k.id = ${secretId}`;
  const other = sql`k.app_id = a.id AND k.id <> ${secretId} AND ${isGood(now)}`;
  const decision = appDecision(
    deps,
    { ...change, id, now },
    {
      done: sql`EXISTS (SELECT 1 FROM app_secrets k WHERE ${mine} AND k.expires_at <= ${now})`,
      also: {
        secret_not_found: sql`EXISTS (SELECT 1 FROM app_secrets k WHERE ${mine})`,
        only_secret: sql`${Number(force)} OR EXISTS (SELECT 1 FROM app_secrets k WHERE ${other})`,
      },
    },
  );
  await changeSecrets(deps, { ...change, id, now, type: 'app.secret_revoked' }, decision, [
    statement(sql`UPDATE app_secrets SET expires_at = ${now} WHERE app_id = ${appId} AND id = ${secretId}
      AND ${isDecided(id, 'change')}`),
  ]);
}

type ChangeType = 'app.secret_rotated' | 'app.secret_revoked';

/** Runs a conditional change, adds an activity line, and emails the owner. @returns the currently valid secrets */
async function changeSecrets(
  deps: Deps,
  { id, sessionId, appId, client, type, now }: Change & { id: string; type: ChangeType; now: number },
  decision: AppDecided<'app_has_no_secret' | 'too_many_secrets' | 'secret_not_found' | 'only_secret'>,
  change: readonly Statement[],
): Promise<SecretRow[]> {
  const decided = isDecided(id, 'change');
  const { verdicts, good } = await run(deps.db, {
    change: [
      decision.insert,
      ...change,
      ...(await reportSecrets(deps, { type, sessionId, appId, client, when: decided, now })),
    ],
    verdicts: decision.verdicts,
    good: goodSecrets(sql`${appId}`, now),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict === 'app_has_no_secret') {
    throw new AppError('validation_failed', ['id must be that of a web app, which alone has secrets']);
  }
  if (verdict !== 'change' && verdict !== 'done') throw new AppError(verdict);
  deps.log.info(type, { app: appId, sessionId });
  sendSoon(deps);
  return good;
}

interface SecretReport extends Omit<Change, 'sessionId' | 'client'> {
  readonly type: ChangeType;
  /** The session that made the change, if any. */
  readonly sessionId: string | null;
  readonly client: Pick<ClientInfo, 'userAgent' | 'country'>;
  readonly when: SQL;
  readonly now: number;
}

/** Notifies an app's owner of a change to its secrets, by an activity line and an email. */
export async function reportSecrets(
  deps: Deps,
  { type, sessionId, appId, client, when, now }: SecretReport,
): Promise<Statement[]> {
  return [
    record({
      type,
      sessionId,
      rows: sql`SELECT owner AS handle, NULL AS credential_id, name AS detail FROM apps
        WHERE id = ${appId} AND ${when}`,
      now,
    }),
    await noticeStatement(deps, {
      kind: type === 'app.secret_rotated' ? 'app_secret_rotated' : 'app_secret_revoked',
      handle: sql`SELECT owner FROM apps WHERE id = ${appId}`,
      when,
      params: { app: appId, ...describeClient(client) },
      now,
    }),
  ];
}

/** An app's valid secrets, without their values. @throws AppError unauthenticated, app_not_found */
export async function listSecrets(deps: Deps, sessionId: string, appId: string): Promise<SecretList> {
  const now = deps.now();
  const own = sql`(SELECT id FROM apps WHERE id = ${appId} AND owner = ${actingHandle(sessionId, now)}
    AND status <> 'deleted')`;
  const { acting, app, good } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    app: statement<{ id: string | null }>(sql`SELECT ${own} AS id`),
    good: goodSecrets(own, now),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  if (only(app).id === null) throw new AppError('app_not_found');
  return { data: good.map(toListed) };
}

function toListed(row: SecretRow): SecretList['data'][number] {
  const { id, hint, created_at, expires_at } = row;
  return {
    id,
    hint,
    createdAt: isoTime(created_at),
    expiresAt: expires_at === null ? null : isoTime(expires_at),
  };
}
