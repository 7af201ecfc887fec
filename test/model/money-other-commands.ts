import { expireHolds } from '../../src/features/transfer/hold-statements.ts';
import { purgeInquiries } from '../../src/features/transfer/purge.ts';
import { fate } from '../support/break-database.ts';
import { deskDecision } from '../support/desk-guards.ts';
import * as rules from './money-model.ts';
import { command, pick } from './money-pay-commands.ts';
import { accountOf, agree, type Course, during, handleOf, sessionOf, type Trouble } from './money-setting.ts';
import { newId, sendAdjustment, sendRefund, text } from './money-world.ts';

/** More than the remaining amount. */
export const tooMuch = -1;

export interface RefundOptions {
  readonly choice: number;
  readonly amount: number | null;
  readonly key: number;
  readonly byApp: boolean;
  readonly as: number | null;
  readonly isOld: boolean;
  /** The caller repeats the request, as after a lost response. */
  readonly isRepeated: boolean;
  readonly trouble: Trouble;
  readonly course: Course;
}

export const refund = (options: RefundOptions) =>
  command(`refund(${JSON.stringify(options)})`, async (model, world) => {
    const { choice, byApp, as, isOld, trouble, course } = options;
    const isPaid = ({ status }: rules.Transfer) => status === 'confirmed' || status === 'reversed';
    const paid = model.transfers.filter((one) => isPaid(one) && (!byApp || one.byApp));
    const transfer = paid[paid.length - 1 - (choice % Math.min(12, paid.length))];
    if (!transfer) return;
    const payee = as ?? transfer.payee;
    const amount = options.amount === tooMuch ? transfer.net - transfer.refunded + 1 : options.amount;
    const grant = byApp
      ? (rules.grantOf(model, payee) ?? model.grants.findLast(({ person }) => person === payee) ?? null)
      : null;
    if (byApp && !grant) return;
    const parties = { payer: payee, payee: transfer.payer, grant };
    const key = options.key < 3 ? `key${options.key}` : newId(world);
    const send = async () => {
      const now = world.now + course.skewMs + (isOld ? rules.refundableMs + 10_000 : 0);
      const isSessionLive = trouble !== 'session ended';
      const session = byApp ? null : isSessionLive ? sessionOf(world, payee) : 'ses_ended';
      const hash = `${transfer.id} ${amount}`;
      const request = { transfer, payee, amount, key, hash, session, isSessionLive, grant, byApp, now };
      const verdict = rules.judgeRefund(model, request);
      const id = newId(world);
      world.plan(course.faults);
      const answer = await sendRefund(world, {
        id,
        transfer: transfer.id,
        payee: handleOf(world, payee),
        amount,
        memo: null,
        key,
        hash,
        sessionId: session,
        app: byApp ? world.app : null,
        grant: grant?.id ?? '',
        now,
      });
      world.plan([]);
      if (verdict === 'ok' && fate(course.faults[0]).applied) rules.refund(model, request, id);
      agree(world, 'refund', answer, { verdict, faults: course.faults, trips: 1 });
    };
    await during(model, world, parties, trouble, async () => {
      await send();
      if (options.isRepeated) await send();
    });
  });

/** The operator reverses a transfer, if every recipient has the money. */
export const reverse = (choice: number) =>
  command(`reverse(${choice})`, async (model, world) => {
    const transfer = pick(model, choice);
    if (transfer?.status !== 'confirmed' || transfer.refundOf || transfer.refunded > 0) return;
    const { payee, net, appFee, platformFee, id } = transfer;
    if (rules.balanceOf(model, payee) < net || rules.balanceOf(model, 'app') < appFee) return;
    if (rules.balanceOf(model, 'platform') + (world.before.get('platform') ?? 0) < platformFee) return;
    await world.raw.batch([
      text(deskDecision(`trf_${id}`)),
      text(`UPDATE transfers SET status = 'reversed', reversed_at = ? WHERE id = ?`, [world.now, id]),
    ]);
    rules.reverse(model, transfer);
  });

/** Money from outside, or an app's revenue moved to its owner. */
export const adjust = (kind: 'correction' | 'sweep', to: number, amount: number, { faults }: Course) =>
  command(`adjust(${kind}, ${to}, ${amount}, ${JSON.stringify(faults)})`, async (model, world) => {
    const [source, target] =
      kind === 'sweep' ? (['app', rules.peopleCount - 1] as const) : (['gateway', to] as const);
    // The service rejects a sweep above the owner's balance limit, like a payment.
    if (kind === 'sweep' && rules.isFull(model, rules.peopleCount - 1, amount)) return;
    const isCovered = source === 'gateway' || rules.balanceOf(model, source) >= amount;
    world.plan(faults);
    const ids = { from: accountOf(world, source), to: accountOf(world, target) };
    const answer = await sendAdjustment(world, { kind, ...ids, amount });
    world.plan([]);
    if (isCovered && fate(faults[0]).applied) rules.move(model, source, target, amount);
    const trips = fate(faults[0]).answered ? 2 : 1;
    agree(world, kind, answer, { verdict: isCovered ? 'moved' : 'refused', faults, trips });
  });

export const advance = (seconds: number) =>
  command(`advance(${seconds})`, async (model, world) => {
    world.now += seconds * 1000;
    if (seconds < 86_400) return;
    // The scheduled work ends holds, and deletes inquiries a day after their end.
    await world.raw.batch([expireHolds(world.now), purgeInquiries(world.now)]);
    for (const held of model.transfers)
      if (held.isHeld && held.status === 'open' && held.expiresAt <= world.now)
        rules.release(model, held, world.now);
    const isKept = ({ status, expiresAt, isHeld }: rules.Transfer) =>
      isHeld || status === 'confirmed' || status === 'reversed' || expiresAt > world.now - 86_400_000;
    model.transfers.splice(0, model.transfers.length, ...model.transfers.filter(isKept));
  });
