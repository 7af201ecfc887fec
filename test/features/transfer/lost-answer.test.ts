import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { newApp } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import { type Fault, type FaultyDatabase, openFaultyTarget } from '../../support/faulty-database.ts';
import {
  adjust,
  appAccount,
  balanceOf,
  confirmInquiry,
  gateway,
  giveBack,
  inquire,
  newHolder,
  pay,
} from '../../support/money.ts';
import type { Member } from '../../support/people.ts';
import type { Target } from '../../support/target.ts';

let target: Target;
let database: FaultyDatabase;
let ada: Member;
let ben: Member;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  }));
  [ada, ben] = [await newHolder(target, 100_000), await newHolder(target)];
});
afterAll(() => target.close());

const faults = ['lost before', 'lost after', 'down before', 'down after'] as const satisfies Fault[];

/** Each request moves 100 to Ben; a repeat must have no further effect. */
const movements: Record<string, () => Promise<() => Promise<Response>>> = {
  async 'a confirmation'() {
    const { id } = (await (await inquire(ada.browser, ben.handle, 100)).json()) as { id: string };
    return () => confirmInquiry(ada.browser, id);
  },
  async 'a refund'() {
    const { id } = await pay(ben, ada, 250);
    return () => giveBack(ada.browser, id, `key-${id}`, { amount: 100 });
  },
  async 'a sweep'() {
    const { id } = await newApp(ben.browser);
    await adjust(target, { from: gateway, to: await appAccount(target, id), amount: 300 });
    const { headers, ...init } = json('POST', { amount: 100 });
    return () =>
      ben.browser.fetch(`/v1/apps/${id}/sweep`, {
        ...init,
        headers: { ...headers, 'Idempotency-Key': `key-${id}` },
      });
  },
};

async function accountOf({ handle }: Member): Promise<number> {
  const [row] = await target.rows<{ id: number }>(`SELECT id FROM accounts WHERE owner = ?`, [handle]);
  return row?.id ?? 0;
}

const cases = Object.keys(movements).flatMap((name) => faults.map((fault) => [name, fault] as const));

it.each(cases)(
  'repeating %s after a lost response (%s) returns the same response and moves money only once',
  async (name, fault) => {
    await adjust(target, { from: gateway, to: await accountOf(ben), amount: 250 });
    const send = (await movements[name]?.()) ?? expect.unreachable();
    const before = await balanceOf(target, ben.handle);
    database.plan([fault]);
    const first = await send();
    const isDown = fault.startsWith('down');
    expect(first.status).toBe(isDown ? 503 : 200);
    const answers = [await send(), await send()];
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.headers.get('Idempotent-Replayed')).toBe('true');
    expect(bodies[1]).toEqual(bodies[0]);
    if (!isDown) expect(await first.json()).toEqual(bodies[0]);
    expect((await balanceOf(target, ben.handle)) - before).toBe(100);
  },
);
