import type { PayAction } from '../../dev/gateway.ts';
import { approvalOf, approved, askApproval } from './approvals.ts';
import { type Browser, json, openBrowser } from './browser.ts';
import { newDeposit, payAt, sync } from './deposits.ts';
import { askAs, newHoldStage, ownToken } from './holds.ts';
import { giveBack, inquire, newHolder, pay } from './money.ts';
import { newPasskeyMember } from './passkeys.ts';
import { freshEmail, newPasswordMember, register } from './passwords.ts';
import { newAdmin, newMember, signIn } from './people.ts';
import type { Target } from './target.ts';
import { appSignIn, newRelation } from './token.ts';
import { accounts, allowWithdrawals, quoteOf, runJobs, withdraw } from './withdrawals.ts';

/** A person whose session an upgrade must keep. */
export interface SavedPerson {
  readonly handle: string;
  /** The Cookie header for `/v1/auth/refresh`. */
  readonly cookies: string;
}

/** Fills a database with people of all kinds, money in every state, and pending work. */
export async function fillRelease(target: Target): Promise<SavedPerson[]> {
  const browsers = new Map<string, Browser>();
  const keep = <One extends { handle: string; browser: Browser }>(one: One): One => {
    browsers.set(one.handle, one.browser);
    return one;
  };
  const writer = keep(await newPasswordMember(target));
  keep(await newPasskeyMember(target));
  await leavePeople(target);
  const relation = await newRelation(target);
  await appSignIn(relation);
  keep(relation.person);
  const payer = keep(await newHolder(target, 1_000_000));
  const payee = keep(await newHolder(target));
  const boss = keep(await newAdmin(target, 'the-boss'));
  await leaveTransfers(payer, payee, boss.browser);
  keep((await leaveHolds(target)).person);
  await leaveDeposits(target, payer);
  await leaveWithdrawals(target, payer);
  // The email about a new device waits for the scheduled job.
  const { headers, ...init } = json('POST', { email: writer.email, password: writer.password });
  const device = { ...init, headers: { ...headers, 'User-Agent': 'Another' } };
  await openBrowser(target).fetch('/v1/auth/email/login', device);
  const people = [...browsers].map(async ([handle, browser]) => ({
    handle,
    cookies: await browser.cookies('/v1/auth/refresh'),
  }));
  return Promise.all(people);
}

/** People without a lasting session: suspended, closed, with a ticket, and with an unverified address. */
async function leavePeople(target: Target): Promise<void> {
  const suspended = await newMember(target);
  await target.rows("UPDATE identities SET status = 'suspended' WHERE handle = ?", [suspended.handle]);
  const closed = await newMember(target);
  await closed.browser.fetch('/v1/me', json('DELETE', { handle: closed.handle }));
  await signIn(target, openBrowser(target));
  await register(target, openBrowser(target), freshEmail());
}

type Holder = Awaited<ReturnType<typeof newHolder>>;

async function leaveTransfers(payer: Holder, payee: Holder, boss: Browser): Promise<void> {
  const [refunded] = [await pay(payer, payee, 20_000), await pay(payer, payee, 5_000)];
  await giveBack(payee.browser, refunded.id, 'refund of the fixture', { amount: 7_000 });
  const reversed = await pay(payer, payee, 6_000);
  await boss.fetch(`/v1/admin/transfers/${reversed.id}/reverse`, json('POST', { reason: 'a fixture' }));
  await inquire(payer.browser, payee.handle, 3_000);
  const { id } = (await (await inquire(payer.browser, payee.handle, 4_000)).json()) as { id: string };
  await payer.browser.fetch(`/v1/fiat/transfers/inquiry/${id}`, { method: 'DELETE' });
}

/** Holds in every state, pending approvals, an app with a webhook whose receiver never responds, and its events. */
async function leaveHolds(target: Target) {
  const stage = await newHoldStage(target);
  const { browser } = stage.person;
  await browser.fetch(`/v1/apps/${stage.app.id}/webhook`, json('POST', { url: 'http://127.0.0.1:9/hook' }));
  const token = await ownToken(stage);
  await stage.held(2_000);
  await askAs(target, token, `${(await stage.held(3_000)).id}/capture`, { amount: 2_500 });
  await askAs(target, token, `${(await stage.held(4_000)).id}/release`, {});
  await (await approved(stage, 1_500)).confirm();
  await askApproval(stage);
  const denied = await askApproval(stage);
  await denied.decide('denied');
  await approvalOf(stage, (await stage.inquireHold(700)).id).register();
  return stage;
}

async function leaveDeposits(target: Target, holder: Holder): Promise<void> {
  await newDeposit(holder, 60_000);
  const histories: PayAction[][] = [
    ...(['pay', 'twice', 'wrong', 'capture', 'expire', 'fail'] as const).map((one): PayAction[] => [one]),
    ['pay', 'refund'],
    ['pay', 'partly'],
  ];
  for (const actions of histories) {
    const deposit = await newDeposit(holder, 50_000);
    for (const action of actions) {
      await payAt(target, deposit, action, 'once');
      await sync(holder.browser, deposit.id);
    }
  }
}

async function leaveWithdrawals(target: Target, { browser }: Holder): Promise<void> {
  await allowWithdrawals(target);
  const { pays, fails, stays, timesOut, returns } = accounts;
  for (const account of [pays, fails, stays, timesOut]) await withdraw(browser, 30_000, account);
  const returned = await withdraw(browser, 30_000, returns);
  await runJobs(target);
  await browser.fetch(`/v1/fiat/withdrawals/${returned.id}/sync`, { method: 'POST' });
  const { id } = await withdraw(browser, 30_000);
  await browser.fetch(`/v1/fiat/withdrawals/${id}/cancel`, { method: 'POST' });
  await withdraw(browser, 30_000);
  await quoteOf(browser, 40_000);
}
