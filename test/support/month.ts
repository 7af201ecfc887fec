import { isoTime } from '../../src/lib/id.ts';
import { jakartaDay } from '../../src/lib/jakarta.ts';
import { advanceToNoon } from './answers.ts';
import { newDeposit, runJobs } from './deposits.ts';
import type { InProcessTarget } from './in-process.ts';
import { driveMidtrans, type MidtransTransaction } from './midtrans-driver.ts';
import { midtransFee } from './midtrans-reports.ts';
import { newHolder } from './money.ts';
import { type Member, signIn } from './people.ts';

/** Faults, each of which affects one in a hundred payments. */
const fates = [
  ...(['late', 'lost', 'paid twice', 'reported twice', 'voided', 'voided unheard'] as const),
  ...(['charged back', 'charged back unheard', 'other amount', 'never paid'] as const),
];
type Fate = (typeof fates)[number] | 'fine';

/** Service settings that the month needs. */
export const monthSettings = {
  PAYMENT_GATEWAY: 'midtrans',
  CARD_CREDIT: 'capture',
  RATE_LIMITS: '{"*":100000000}',
};

interface Month {
  readonly payments: number;
  readonly days: number;
  readonly payers: number;
}

/** The expected result of the month. */
export interface Outcome {
  readonly first: string;
  readonly last: string;
  /** With the names in `openCases`. */
  readonly cases: string[];
  /** Orders whose line occurs twice in the report. */
  readonly doubled: string[];
  /** The provider's fees for the payments that match. */
  readonly fees: number;
}

/** People pay through the provider for a month of the service's clock, with some faults. */
export async function runMonth(
  target: InProcessTarget,
  url: string,
  { payments, days, payers }: Month,
): Promise<Outcome> {
  const midtrans = driveMidtrans(url);
  // From noon on, so that a day of payments is one calendar day.
  await advanceToNoon(target);
  const outcome = {
    first: jakartaDay(target.now()),
    cases: [] as string[],
    doubled: [] as string[],
    fees: 0,
  };
  const people: Member[] = [];
  while (people.length < payers) people.push(await newHolder(target));
  /** Reported the next day. */
  const late: string[] = [];
  const tell = async (id: string) => {
    const body = JSON.stringify(await midtrans.notification(id));
    const headers = { 'Content-Type': 'application/json' };
    await target.request('/v1/gateways/midtrans/webhook', { method: 'POST', headers, body });
  };
  /** From now on the provider cannot be queried about the order. */
  const silence = (id: string) => midtrans.fail(id, ...Array<number>(500).fill(503));

  async function pay(payer: Member, fate: Fate, amount: number): Promise<void> {
    const { id } = await newDeposit(payer, amount);
    if (fate === 'never paid') return;
    const isCard = fate.startsWith('voided');
    const at = isoTime(target.now() + 7 * 3_600_000).replace(/T(.{8}).*/, ' $1');
    const settled = { status_code: '200', transaction_status: 'settlement', settlement_time: at };
    const settle = async (which?: number): Promise<MidtransTransaction> => {
      const change = isCard ? { status_code: '200', transaction_status: 'capture' } : settled;
      return midtrans.change(id, { transaction_time: at, ...change }, which);
    };
    await midtrans.choose(id, isCard ? 'credit_card' : 'qris');
    const transaction = await settle();
    const name = (kind: string, value = amount) => void outcome.cases.push(`${kind} ${id} ${value}`);
    if (!isCard && fate !== 'lost' && fate !== 'other amount') outcome.fees += midtransFee(transaction);
    if (fate === 'lost') {
      name('unknown_payment');
      return void (await silence(id));
    }
    if (fate === 'late') return void late.push(id);
    await tell(id);
    await credited(target, id);
    if (fate === 'fine') return;
    if (fate === 'paid twice') {
      await midtrans.choose(id, 'qris');
      const second = await settle();
      outcome.fees += midtransFee(second);
      late.push(id);
    } else if (fate === 'reported twice') {
      outcome.doubled.push(id);
      name('doubled');
    } else if (fate === 'other amount') {
      await silence(id);
      await midtrans.change(id, { gross_amount: `${amount + 1_000}.00` });
      name('amount', amount + 1_000);
    } else {
      const isHeard = !fate.endsWith('unheard');
      await midtrans.change(id, { transaction_status: isCard ? 'cancel' : 'chargeback' });
      if (isHeard) return void late.push(id);
      await silence(id);
      name(isCard ? 'missing_payment' : 'return');
    }
  }

  let today = outcome.first;
  for (let day = 0, count = 0; day < days; day += 1) {
    today = jakartaDay(target.now());
    for (const id of late.splice(0)) await tell(id);
    const end = Math.floor((payments * (day + 1)) / days);
    const numbers = Array.from({ length: end - count }, (_, at) => count + at);
    // A payer makes one payment after another, and signs in again before the access token expires on a slow machine.
    await Promise.all(
      people.map(async (payer, at) => {
        const own = numbers.filter((one) => one % payers === at);
        for (const [index, number] of own.entries()) {
          if (index % 50 === 0) await signIn(target, payer.browser, payer.claims);
          await pay(payer, fates[(number * 7 + Math.floor(number / 100)) % 100] ?? 'fine', 10_000 + number);
        }
      }),
    );
    count = end;
    await target.advance(86_400);
  }
  for (const id of late.splice(0)) await tell(id);
  for (let run = 0; run < 3; run += 1) {
    await runJobs(target);
    await target.advance(61);
  }
  return { ...outcome, last: today, cases: outcome.cases.sort() };
}

/** Waits for the check that a notification has started. */
async function credited(target: InProcessTarget, id: string): Promise<void> {
  for (let look = 0; look < 200; look += 1) {
    const [row] = await target.rows<{ status: string }>('SELECT status FROM deposits WHERE id = ?', [id]);
    if (row?.status === 'credited') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${id} was not credited`);
}
