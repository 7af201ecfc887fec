import { all, first, type Row, run, sql, statement } from '../../db/database.ts';
import { requireVerdict } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { present } from '../../lib/present.ts';
import { createSecret } from '../../lib/secret.ts';
import type { Caller } from '../grant/acting-caller.ts';
import type { FeeRules } from '../ledger/fee.ts';
import { price } from '../ledger/fees.ts';
import { changeUnderLimits } from '../ledger/limits.ts';
import { deliverSoon } from '../webhook/deliver.ts';
import { capture, explainCapture, explainRelease, readHold, release } from './hold-statements.ts';
import { acting, explainReader, isForPerson, type Reader } from './read.ts';
import type { CaptureInput, Transfer } from './schema.ts';
import type { transfers } from './tables.ts';
import { refOf, toTransfer } from './transfer.ts';

/** The number of holds shown on the wallet page. */
const mostShown = 20;

/** The holds that the caller may end. A first-party caller has none. */
function endingOf(reader: Reader, id: string, now: number) {
  const app = reader.appId;
  // The app's own token can no longer end a hold after the app's last valid secret is revoked.
  const hasSecret = sql`(SELECT NULL AS handle FROM (${acting(reader, now)}) w WHERE EXISTS (SELECT 1 FROM app_secrets k
    WHERE k.app_id = ${app} AND (k.expires_at IS NULL OR k.expires_at > ${now})))`;
  return {
    id: refOf(id, 'trf'),
    app,
    acting: isForPerson(reader) ? acting(reader, now) : hasSecret,
    now,
  };
}

/**
 * Captures a hold, only once: pays all or part of it, with the fees for that amount under the rules that the person
 * saw, and releases the rest.
 * @throws AppError amount_too_small, those of `explainReader`, and the reasons in `captureRequirements`
 */
export async function captureHold(
  deps: Deps,
  reader: Reader,
  { id, amount: asked }: CaptureInput & { id: string },
): Promise<Transfer> {
  const now = deps.now();
  const ending = endingOf(reader, id, now);
  const held = await first(deps.db, readHold(ending));
  const rules: FeeRules = held
    ? JSON.parse(present(held.hold_rules, "a hold's rules"))
    : { app: null, platform: null };
  // An amount above the hold is rejected below, regardless of its fees.
  const amount = asked ?? held?.amount ?? 1;
  const { fees } = price(Math.min(amount, held?.amount ?? 1), rules, 'transfer');
  const v = {
    ...ending,
    requestId: createSecret(deps.randomBytes),
    amount,
    payerFee: fees.payer,
    payeeFee: fees.payee,
    appFee: fees.app,
    platformFee: fees.platform,
    limits: deps.config.limits,
  };
  const { row, verdict } = await changeUnderLimits(deps, 'transfer.capture', {
    change: capture(v),
    explain: () => explainCapture(v),
  });
  if (verdict !== 'ok') throw await refusalOf(deps, reader, verdict);
  deps.log.info('transfer.captured', { id: row.id, total: row.debit_total });
  deliverSoon(deps);
  return toTransfer(row, now);
}

/**
 * Releases a hold: its money is available again. A released or expired hold is unchanged.
 * @throws AppError those of `explainReader`, and the reasons in `releaseRequirements`
 */
export async function releaseHold(deps: Deps, reader: Reader, id: string): Promise<Transfer> {
  const now = deps.now();
  const ending = endingOf(reader, id, now);
  const { released, rows } = await run(deps.db, {
    released: release(ending),
    rows: explainRelease(ending),
  });
  const row = requireVerdict('transfer.release', rows);
  if (row.verdict !== 'ended') throw await refusalOf(deps, reader, row.verdict);
  if (released.length > 0) {
    deps.log.info('transfer.released', { id: row.id });
    deliverSoon(deps);
  }
  return toTransfer(row, now);
}

async function refusalOf(deps: Deps, reader: Reader, reason: ErrorCode | 'caller_refused') {
  return reason === 'caller_refused' ? explainReader(deps, reader) : new AppError(reason);
}

export interface OpenHold extends Pick<Row<typeof transfers>, 'id' | 'payee' | 'debit_total' | 'expires_at'> {
  readonly app_name: string;
}

/** A person's newest holds that are neither captured nor released, for the wallet page. */
export function listHolds(deps: Deps, { handle }: Caller): Promise<OpenHold[]> {
  return all(
    deps.db,
    statement<OpenHold>(sql`SELECT t.id, t.payee, t.debit_total, t.expires_at, a.name AS app_name
      FROM transfers t JOIN apps a ON a.id = t.app_id
      WHERE t.payer = ${handle} AND t.held_at IS NOT NULL AND t.status = 'open' ORDER BY t.id DESC LIMIT ${mostShown}`),
  );
}
