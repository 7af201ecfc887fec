import { all, only, run, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import { isoTime } from '../../lib/id.ts';
import { isLoopbackHost, recipientOf } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { isClient, readClient } from '../oauth/client.ts';
import { refuse } from '../oauth/refuse.ts';
import { appDoubt } from '../popup/app-doubt.ts';
import { registerApprovalStatement } from '../popup/approval-statements.ts';
import type { PopupAnswer, PopupInput } from '../popup/schema.ts';
import { actingHandle } from '../session/acting-session.ts';
import { readActor } from '../session/require-session.ts';
import { columnsOfT } from '../transfer/statements.ts';
import { refOf } from '../transfer/transfer.ts';
import { type AskedRow, canonicalTerms } from './terms.ts';

/** An app's page or back end that requests an approval. */
interface Asker {
  /** Null for a first party, whose transfers need no approval. */
  readonly app: string | null;
  /** The origin of the page that opens the popup. */
  readonly origin: string;
  /** True if the origin comes from a browser. */
  readonly isPage: boolean;
  /** True if the requester is authenticated. */
  readonly isKnown: SQL;
  /** True if the requester may use the inquiry `t`. */
  readonly owns: SQL;
  readonly refusal: () => AppError;
}

type ReadRow = (AskedRow | { readonly id: null }) & {
  readonly known: number;
  readonly listed: number;
  readonly may_show: number;
  readonly needs_approval: number;
  readonly open: number;
};

/**
 * Registers an approval request from the app's page with the person signed in, or from its back end, which
 * authenticates as at the token endpoint. Only the inquiry's payer can decide.
 * @throws AppError unauthenticated, invalid_client, validation_failed, origin_not_allowed, transaction_not_found,
 *   approval_not_needed, inquiry_expired, popup_exists, in this order
 */
export async function registerApproval(c: AppContext, deps: Deps, body: PopupInput): Promise<PopupAnswer> {
  const now = deps.now();
  const { id, challenge, inquiryId } = body;
  const asker = await askerOf(c, deps, body, now);
  if (inquiryId === undefined) throw new AppError('validation_failed', ['inquiryId must be a string']);
  const row = only(await all(deps.db, readInquiry(deps, asker, refOf(inquiryId, 'inq'), now)));
  if (!row.known) throw asker.refusal();
  if (asker.app !== null && !row.listed)
    throw new AppError('origin_not_allowed', null, { reason: 'not of the app' });
  if (row.id === null) throw new AppError('transaction_not_found');
  if (!row.may_show)
    throw new AppError('origin_not_allowed', null, { reason: 'not checked, and no sign-in there' });
  if (asker.app === null || !row.needs_approval) throw new AppError('approval_not_needed');
  if (!row.open) throw new AppError('inquiry_expired');
  const params = canonicalTerms(row, asker.origin);
  const { registered } = await run(deps.db, {
    registered: registerApprovalStatement({
      id,
      challenge,
      inquiry: row.id,
      app: asker.app,
      origin: asker.origin,
      params,
      digest: secretHash(params),
      when: sql`${asker.isKnown} AND ${asker.owns} AND ${isListed(asker)} AND ${mayShow(deps, asker, now)}`,
      now,
    }),
  });
  const [made] = registered;
  if (!made) throw new AppError('popup_exists');
  deps.log.info('approval.asked', { app: asker.app, inquiry: inquiryId, popup: id });
  return { id, status: made.status, expiresAt: isoTime(made.expires_at) };
}

async function askerOf(c: AppContext, deps: Deps, body: PopupInput, now: number): Promise<Asker> {
  const client = readClient(c, deps, body);
  if (client !== null) {
    if (client.secretHash === null) throw refuse('invalid_client', 'no secret');
    if (body.origin === undefined) throw new AppError('validation_failed', ['origin must be a string']);
    return {
      app: client.id,
      origin: body.origin,
      isPage: false,
      isKnown: isClient(client, now),
      owns: sql`1`,
      refusal: () => refuse('invalid_client', 'wrong secret, type, origin or status'),
    };
  }
  const origin = c.req.header('Origin');
  if (origin === undefined) throw new AppError('origin_not_allowed', null, { reason: 'no origin' });
  const actor = await readActor(c, deps);
  if (actor === null) throw new AppError('unauthenticated');
  const handle = actingHandle(actor.sessionId, now);
  return {
    app: c.get('app') ?? null,
    origin,
    isPage: true,
    isKnown: sql`${handle} IS NOT NULL`,
    owns: sql`t.payer = ${handle}`,
    refusal: () => new AppError('unauthenticated'),
  };
}

/** True if the app has a page at the origin and may act. */
function isListed({ app, origin }: Asker): SQL {
  return sql`EXISTS (SELECT 1 FROM app_origins o JOIN apps x ON x.id = o.app_id AND x.status = 'active'
    WHERE o.origin = ${origin} AND o.app_id = ${app})`;
}

/**
 * True if the origin may be shown. An origin from a browser is reliable. An origin from a back end is accepted for a
 * checked app, for this machine in development, and for a host that received one of the payer's codes if the app
 * redeemed the code: consent alone does not prove that the app owns the host.
 */
function mayShow({ config }: Deps, { app, origin, isPage }: Asker, now: number): SQL {
  const host = recipientOf(origin);
  return isPage || (!config.production && isLoopbackHost(host))
    ? sql`1`
    : sql`(EXISTS (SELECT 1 FROM apps x WHERE x.id = ${app} AND x.checked_at IS NOT NULL) OR EXISTS (SELECT 1 FROM live_grants g
        JOIN app_sessions u ON u.grant_id = g.id AND u.host = ${host} AND u.code_hash IS NOT NULL AND u.used_by IS NOT NULL
        WHERE g.app_id = ${app} AND g.handle = t.payer AND g.live_until > ${now}))`;
}

function readInquiry(deps: Deps, asker: Asker, inquiry: string, now: number) {
  return statement<ReadRow>(sql`SELECT ${asker.isKnown} AS known, ${isListed(asker)} AS listed, ${mayShow(deps, asker, now)} AS may_show, ${columnsOfT},
      t.needs_approval, t.status = 'open' AND t.held_at IS NULL AND t.expires_at > ${now} AS open, a.name AS app_name, ${appDoubt(now)} AS doubt, f.display_name
    FROM ledger m LEFT JOIN transfers t ON t.id = ${inquiry} AND t.app_id IS ${asker.app} AND t.refund_of IS NULL
      AND ${asker.owns}
      LEFT JOIN apps a ON a.id = t.app_id LEFT JOIN profiles f ON f.handle = t.payee WHERE m.id = 1`);
}
