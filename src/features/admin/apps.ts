import { sql } from 'drizzle-orm';
import { integer, type Row, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { insertApp, maxApps, prepareApp, selectApps, toNewApp } from '../app/app.ts';
import type { AppInput, NewApp, NewSecret } from '../app/schema.ts';
import {
  countOfGood,
  isGood,
  makeSecret,
  maxSecrets,
  replaceSecret,
  reportSecrets,
  toNewSecret,
} from '../app/secret.ts';
import { markApp } from '../app/statements.ts';
import type { apps } from '../app/tables.ts';
import { changeAtDesk, type DeskActor, type Reasoned } from './desk.ts';
import type { AppMarks, AppMarksInput } from './schema.ts';

interface Registration extends Reasoned {
  /** The handle of its owner. */
  readonly owner: string;
  readonly input: AppInput;
}

/**
 * Registers an app for a person, as `POST /v1/apps` does for whoever is signed in.
 * @throws AppError validation_failed, identity_not_found, identity_suspended, too_many_apps
 */
export async function registerApp(
  deps: Deps,
  actor: DeskActor,
  { owner, input, reason }: Registration,
): Promise<NewApp> {
  const registration = prepareApp(deps, input);
  const { id } = registration;
  const row = await changeAtDesk(deps, actor, {
    action: 'app.created',
    target: id,
    reason,
    detail: { owner, name: input.name },
    from: sql`LEFT JOIN identities i ON i.handle = ${owner} AND i.status <> 'closed'`,
    refusals: sql`WHEN i.handle IS NULL THEN 'identity_not_found' WHEN i.status <> 'active' THEN 'identity_suspended'
      WHEN (SELECT count(*) FROM apps WHERE owner = ${owner} AND status <> 'deleted') >= ${integer(maxApps)}
      THEN 'too_many_apps'`,
    change: ({ when, now }) =>
      insertApp(registration, { owner: sql`(SELECT ${owner} WHERE ${when})`, sessionId: null, now }),
    read: () => selectApps(sql`a.id = ${id}`),
  });
  return toNewApp(row, registration);
}

interface Rotation extends Reasoned {
  readonly id: string;
  /** How long the former secrets stay good. */
  readonly overlapSeconds: number;
}

/**
 * Replaces the secret of an app. Its owner finds a line of activity, and gets a mail.
 * @throws AppError app_not_found, secret_not_found for an app that has none, too_many_secrets
 */
export async function replaceAppSecret(
  deps: Deps,
  actor: DeskActor,
  { id, overlapSeconds, reason }: Rotation,
): Promise<NewSecret> {
  const secret = makeSecret(deps, deps.now());
  const at = secret.createdAt;
  const row = await changeAtDesk(deps, actor, {
    action: 'app.secret_rotated',
    target: id,
    reason,
    detail: { overlapSeconds },
    from: sql`LEFT JOIN apps a ON a.id = ${id} AND a.status <> 'deleted'`,
    refusals: sql`WHEN a.id IS NULL THEN 'app_not_found' WHEN a.type <> 'web' THEN 'secret_not_found'
      WHEN ${overlapSeconds} > 0 AND ${countOfGood(at)} >= ${integer(maxSecrets)} THEN 'too_many_secrets'`,
    change: async ({ when, now }) => [
      ...replaceSecret(secret, { appId: id, endsAt: at + overlapSeconds * 1000, when }),
      ...(await reportSecrets(deps, {
        type: 'app.secret_rotated',
        sessionId: null,
        appId: id,
        client: { userAgent: null, country: null },
        when,
        now,
      })),
    ],
    read: () =>
      statement<{ good: string }>(sql`SELECT json_group_array(json_object('id', k.id, 'hint', k.hint,
        'expires_at', k.expires_at)) AS good
        FROM (SELECT * FROM app_secrets k WHERE k.app_id = ${id} AND ${isGood(at)} ORDER BY k.id DESC) k`),
  });
  return toNewSecret(secret, JSON.parse(row.good));
}

/**
 * Suspends an app, says that it was checked or is the operator's own, and sets its limit. A suspended app's tokens, secrets
 * and pages stop working at once, and its fees stay.
 * @throws AppError validation_failed, unauthenticated, not_fresh, app_not_found
 */
export async function setApp(
  deps: Deps,
  actor: DeskActor,
  { id, reason, ...marks }: AppMarksInput & { readonly id: string },
): Promise<AppMarks> {
  const { status = null, firstParty: isOwn = null } = marks;
  if (isOwn && marks.checked === false) {
    throw new AppError('validation_failed', ['checked must be true for the app of a first party']);
  }
  const detail = Object.entries(marks).filter(([, value]) => value !== undefined);
  if (detail.length === 0) {
    throw new AppError('validation_failed', ['status, checked, firstParty or tokenLimit must be given']);
  }
  const checked = isOwn ? true : (marks.checked ?? null);
  const firstParty = checked === false ? false : isOwn;
  const tokenLimit = marks.tokenLimit === undefined ? null : (marks.tokenLimit ?? 0);
  const differs = (mark: boolean | null) => (mark === null ? null : Number(mark));
  const row = await changeAtDesk(deps, actor, {
    action: status === null ? 'app.marked' : 'app.status',
    target: id,
    reason,
    detail: Object.fromEntries(detail.map(([name, value]) => [name, value ?? 'default'])),
    from: sql`LEFT JOIN apps a ON a.id = ${id} AND a.status <> 'deleted'`,
    refusals: sql`WHEN a.id IS NULL THEN 'app_not_found' WHEN a.status = coalesce(${status}, a.status)
      AND (a.checked_at IS NOT NULL) = coalesce(${differs(checked)}, a.checked_at IS NOT NULL)
      AND (a.first_party_at IS NOT NULL) = coalesce(${differs(firstParty)}, a.first_party_at IS NOT NULL)
      AND coalesce(a.token_limit, 0) = coalesce(${tokenLimit}, a.token_limit, 0) THEN 'same'`,
    change: ({ when, now }) => [markApp(id, { status, checked, firstParty, tokenLimit, now, when })],
    read: () =>
      statement<Pick<Row<typeof apps>, 'status' | 'checked_at' | 'first_party_at' | 'token_limit'>>(
        // A row also when there is no such app, which the verdict tells.
        sql`SELECT a.status, a.checked_at, a.first_party_at, a.token_limit FROM settings g
          LEFT JOIN apps a ON a.id = ${id} WHERE g.id = 1`,
      ),
  });
  return {
    id,
    status: row.status,
    checked: row.checked_at !== null,
    firstParty: row.first_party_at !== null,
    tokenLimit: row.token_limit,
  };
}
