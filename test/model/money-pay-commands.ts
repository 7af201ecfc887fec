import assert from 'node:assert/strict';
import type fc from 'fast-check';
import * as rules from './money-model.ts';
import { type Attempt, confirm, decide, inquire, type Payment } from './money-payment.ts';
import {
  type Course,
  type Decision,
  during,
  endGrant,
  fund,
  handleOf,
  sessionOf,
  setLimits,
  type Trouble,
  type Via,
} from './money-setting.ts';
import { expectBalances, type MoneyWorld, newId, note, sendConfirm, text } from './money-world.ts';

export type Command = fc.AsyncCommand<rules.Model, MoneyWorld>;
export type Act = (model: rules.Model, world: MoneyWorld) => Promise<void>;

/** A command that can always run, after which every account must match the model. */
export function command(name: string, act: Act): Command {
  return {
    check: () => true,
    async run(model, world) {
      world.now += 1;
      note(world, 'steps');
      try {
        await act(model, world);
      } finally {
        world.plan([]);
      }
      await expectBalances(model, world);
    },
    toString: () => name,
  };
}
/** Consent and limits: a new grant if the earlier one has ended, otherwise new limits. */
export const allow = (index: number, limits: rules.Limits) =>
  command(`allow(${index}, ${JSON.stringify(limits)})`, async (model, world) => {
    let grant = rules.grantOf(model, index);
    if (grant && grant.limits.expiresAt !== null && grant.limits.expiresAt <= world.now) {
      await endGrant(world, grant, 'expired');
      grant = null;
    }
    if (!grant) {
      grant = {
        id: `grt_${newId(world)}`,
        person: index,
        limits,
        periodStart: 0,
        spent: 0,
        spentTotal: 0,
        uses: 0,
        end: null,
      };
      model.grants.push(grant);
      await world.raw.batch([
        text('INSERT INTO grants (id, app_id, handle, scopes, created_at) VALUES (?, ?, ?, ?, 1)', [
          grant.id,
          world.app,
          handleOf(world, index),
          '["fiat:transfer","fiat:refund"]',
        ]),
      ]);
    }
    await setLimits(world, grant, limits);
  });
export interface PayOptions {
  readonly payment: Payment;
  readonly decision: Decision;
  readonly trouble: Trouble;
  readonly courses: readonly [Course, Course];
}

/** A whole payment: inquiry, decision, confirmation, with one obstacle. */
export const pay = (options: PayOptions) =>
  command(`pay(${JSON.stringify(options)})`, async (model, world) => {
    const { payment, decision, trouble, courses } = options;
    const transfer = await inquire(model, world, payment, courses[0]);
    if (!transfer) return;
    await decide(world, transfer, decision);
    const verifier = decision === 'with another verifier' ? { verifier: 'another' } : {};
    const attempt = { via: payment.via, isSessionLive: trouble !== 'session ended', ...verifier };
    await during(model, world, transfer, trouble, () => confirm(model, world, transfer, attempt, courses[1]));
  });

/** An inquiry while the ledger may be closed. */
export const ask = (payment: Payment, trouble: Trouble, course: Course) =>
  command(`ask(${JSON.stringify({ payment, trouble, course })})`, async (model, world) => {
    const parties = { payer: payment.from, payee: payment.to, grant: null };
    await during(model, world, parties, trouble, () => inquire(model, world, payment, course));
  });

export function pick(model: rules.Model, choice: number): rules.Transfer | undefined {
  // Only the latest inquiries can still change.
  return model.transfers[model.transfers.length - 1 - (choice % Math.min(12, model.transfers.length))];
}

/** A confirmation of any inquiry by anyone, even of a confirmed one. */
export const confirmAny = (
  choice: number,
  as: number,
  isOwn: boolean,
  trouble: Trouble,
  course: Course,
  asMeant: boolean,
) =>
  command(
    `confirmAny(${JSON.stringify({ choice, as, isOwn, trouble, course, asMeant })})`,
    async (model, world) => {
      const transfer = pick(model, choice);
      if (!transfer) return;
      const via: Via = transfer.byApp ? 'page' : 'person';
      const hold = transfer.byApp && transfer.isForHold === asMeant;
      const who = isOwn ? { hold } : { as, hold };
      await during(model, world, transfer, trouble, () =>
        confirm(model, world, transfer, { ...who, via, isSessionLive: trouble !== 'session ended' }, course),
      );
    },
  );

/** Several people or tabs confirm simultaneously: each inquiry once, and as many as the balance covers. */
export const rush = (from: number, to: number, amount: number, inquiries: number, times: number) =>
  command(`rush(${from}, ${to}, ${amount}, ${inquiries}, ${times})`, async (model, world) => {
    const quiet: Course = { faults: [], skewMs: 0 };
    const payment: Payment = {
      from,
      to,
      amount,
      fees: { app: 0, platform: 0, ofPayee: false },
      via: 'person',
    };
    const made: rules.Transfer[] = [];
    for (let left = inquiries; left > 0; left -= 1) {
      const transfer = await inquire(model, world, payment, quiet);
      if (transfer) made.push(transfer);
    }
    const attempts = made.flatMap((transfer) => Array.from({ length: times }, () => transfer));
    const now = world.now;
    const answers = await Promise.all(
      attempts.map(async (transfer) => {
        const requestId = newId(world);
        const ids = {
          id: transfer.id,
          payer: handleOf(world, from),
          requestId,
          sessionId: sessionOf(world, from),
        };
        const answer = await sendConfirm(world, {
          ...ids,
          app: null,
          approvalId: null,
          verifierHash: null,
          now,
        });
        return { transfer, answer, requestId };
      }),
    );
    const affordable = Math.min(made.length, rules.countWithin(model, [from, to], amount, now));
    const won = answers.filter(({ answer }) => answer === 'confirmed');
    assert.equal(won.length, affordable);
    assert.equal(new Set(won.map(({ transfer }) => transfer)).size, affordable);
    for (const { transfer, requestId } of won) rules.confirm(model, transfer, requestId, now);
    for (const { transfer, answer } of answers) {
      if (answer !== 'confirmed' && answer !== 'guarded') {
        const isTheirs = transfer.status === 'confirmed';
        const isRefusal = /^(insufficient_internal_credit|limit_\w+ \d+ \d+|recipient_limit)$/.test(answer);
        assert.ok(isTheirs ? answer === 'already_confirmed' : isRefusal, answer);
      }
      note(world, `rush: ${answer.replace(/ .*/, '')}`);
    }
  });

export const narrow = (from: number, to: number, amount: number, what: string, course: Course) =>
  command(`narrow(${from}, ${to}, ${amount}, ${what}, ${JSON.stringify(course)})`, async (model, world) => {
    const grant = rules.grantOf(model, from);
    if (!grant) return;
    const any = { perPeriod: null, total: null, maxUses: null, payees: null };
    const wide = { ...any, perTransfer: 5_000, feeBps: 0, feeFixed: 3 };
    await setLimits(world, grant, wide);
    await fund(model, world, from, 2 * amount + 6);
    const fees = { app: 3, platform: 0, ofPayee: false };
    const quiet: Course = { faults: [], skewMs: 0 };
    const make = () => inquire(model, world, { from, to, amount, fees, via: 'back end' }, quiet);
    const attempt: Attempt = { via: 'back end', isSessionLive: true };
    const earlier = what === 'maxUses' ? await make() : null;
    if (earlier) await confirm(model, world, earlier, attempt, quiet);
    const transfer = await make();
    const changes: Record<string, Partial<rules.Limits>> = {
      payees: { payees: [from] },
      fee: { feeFixed: 2 },
      perTransfer: { perTransfer: 1 },
      perPeriod: { perPeriod: 1 },
      total: { total: grant.spentTotal + 1 },
      maxUses: { maxUses: Math.max(1, grant.uses) },
      expired: { expiresAt: world.now - 10_000 },
    };
    await setLimits(world, grant, changes[what] ?? {});
    if (what === 'revoked') await endGrant(world, grant, 'person');
    if (transfer) await confirm(model, world, transfer, attempt, course);
    await setLimits(world, grant, wide);
  });
