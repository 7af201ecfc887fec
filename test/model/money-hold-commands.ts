import { fate } from '../support/break-database.ts';
import * as rules from './money-model.ts';
import { command } from './money-pay-commands.ts';
import { agree, type Course, during, type Trouble } from './money-setting.ts';
import { newId, sendCapture, sendRelease } from './money-world.ts';

/** One of the latest holds, usually one that is still open. */
function pickHeld(model: rules.Model, choice: number): rules.Transfer | undefined {
  const held = model.transfers.filter(
    ({ isHeld, status }) => isHeld && (status === 'open' || choice % 4 === 0),
  );
  return held[held.length - 1 - (choice % Math.min(4, held.length))];
}

/** The app captures a hold: all of it, a part, or more than the whole. */
export const capture = (choice: number, share: number, trouble: Trouble, course: Course) =>
  command(`capture(${JSON.stringify({ choice, share, trouble, course })})`, async (model, world) => {
    const held = pickHeld(model, choice);
    if (!held) return;
    const amount = share > 1 ? held.amount + 1 : Math.max(1, Math.floor(held.amount * share));
    const part = rules.partOf(held, amount);
    // The service rejects it without asking the database.
    if (part.net < 1) return;
    await during(model, world, held, trouble, async () => {
      const now = world.now + course.skewMs + (choice % 5 === 0 ? rules.holdMs : 0);
      const verdict = rules.judgeCapture(model, held, amount, now);
      const requestId = newId(world);
      const { payerFee, payeeFee, appFee, platformFee } = part;
      world.plan(course.faults);
      const answer = await sendCapture(world, {
        ...{ id: held.id, requestId, amount, payerFee, payeeFee, appFee, platformFee, now },
      });
      world.plan([]);
      const trips = verdict === 'ok' && course.faults[0] !== 'lost after' ? 1 : 2;
      if (verdict === 'ok' && fate(course.faults[0]).applied)
        rules.capture(model, held, part, { requestId, now });
      agree(world, 'capture', answer, { verdict, faults: course.faults, trips });
    });
  });

/** The app releases a hold; a retry finds the released hold. */
export const release = (choice: number, trouble: Trouble, course: Course) =>
  command(`release(${JSON.stringify({ choice, trouble, course })})`, async (model, world) => {
    const held = pickHeld(model, choice);
    if (!held) return;
    await during(model, world, held, trouble, async () => {
      const now = world.now + course.skewMs;
      const releases = model.isAppActive && model.mode === 'open' && held.status === 'open';
      const verdict = model.isAppActive ? (releases ? 'cancelled' : held.status) : 'undefined';
      world.plan(course.faults);
      const answer = await sendRelease(world, { id: held.id, now });
      world.plan([]);
      if (releases && fate(course.faults[0]).applied) rules.release(model, held, now);
      agree(world, 'release', answer, { verdict, faults: course.faults, trips: 1 });
    });
  });
