import { beforeAll, describe, expect, it } from 'vitest';
import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { withdrawPath } from '../../src/lib/page-paths.ts';
import { anotherBrowser, notFresh, refusal, seen } from '../support/answers.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { type Browser, json } from '../support/browser.ts';
import {
  balanceOf,
  confirmInquiry,
  fundedWallet,
  giveBack,
  inquire,
  newHolder,
  pay,
} from '../support/money.ts';
import { addPasskey, login } from '../support/passkeys.ts';
import type { Member } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation, type Relation } from '../support/token.ts';
import { allowWithdrawals, confirmWithdrawal, quoteOf } from '../support/withdrawals.ts';

const target = useService();
beforeAll(() => allowWithdrawals(target));

/** A person who signed in a second ago, and whose payments above `amount` need a new sign-in. */
async function newCautious(amount: number): Promise<Member> {
  const person = await newHolder(target, 500_000);
  await setStepUp(person, amount);
  await target.advance(1);
  return person;
}

async function setStepUp({ browser }: Member, stepUpAmount: number): Promise<void> {
  expect((await browser.fetch('/v1/me', json('PATCH', { stepUpAmount }))).status).toBe(200);
}

const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id;

/** Creates the payment request, and returns the way in which a browser confirms it. */
type Pay = (browser: Browser, amount: number) => Promise<(browser: Browser) => Promise<Response>>;

describe('above a person’s step-up amount', () => {
  const pays: [string, Pay][] = [
    [
      'their transfer',
      async (browser, amount) => {
        const id = await idOf(await inquire(browser, (await newHolder(target)).handle, amount));
        return (by) => confirmInquiry(by, id);
      },
    ],
    [
      'their withdrawal',
      async (browser, amount) => {
        const id = await quoteOf(browser, amount);
        return (by) => confirmWithdrawal(by, id);
      },
    ],
  ];

  it.each(pays)('%s needs a new sign-in, with a passkey if the person has one [D-95]', async (_, start) => {
    const person = await newCautious(20_000);
    const { browser } = person;
    expect((await (await start(browser, 20_000))(browser)).status).toBe(200);
    const confirm = await start(browser, 20_001);
    expect(await seen(await confirm(browser))).toEqual(notFresh);
    expect((await confirm(await anotherBrowser(target, person))).status).toBe(200);
    expect((await confirm(browser)).headers.get('Idempotent-Replayed')).toBe('true');
    const authenticator = createAuthenticator(target.origin);
    expect((await addPasskey(browser, authenticator)).status).toBe(200);
    const strict = await start(browser, 20_001);
    const later = await anotherBrowser(target, person);
    expect(await seen(await strict(later))).toEqual(notFresh);
    expect((await login(later, authenticator)).status).toBe(204);
    expect((await strict(later)).status).toBe(200);
  });

  it('the step-up amount can be raised or removed only with a passkey, if the person has one [D-95]', async () => {
    const person = await newCautious(20_000);
    const { browser } = person;
    const set = async (by: Browser, stepUpAmount: number | null) =>
      seen(await by.fetch('/v1/me', json('PATCH', { stepUpAmount })));
    expect((await set(browser, 30_000))[0]).toBe(200);
    const authenticator = createAuthenticator(target.origin);
    expect((await addPasskey(browser, authenticator)).status).toBe(200);
    for (const amount of [30_001, null]) expect(await set(browser, amount)).toEqual(notFresh);
    expect((await set(browser, 20_000))[0]).toBe(200);
    expect((await login(browser, authenticator)).status).toBe(204);
    for (const amount of [20_001, null]) expect((await set(browser, amount))[0]).toBe(200);
  });

  it('refunding a received payment needs no new sign-in [D-95]', async () => {
    const [shopper, shop] = [await newHolder(target, 50_000), await newCautious(20_000)];
    const { id } = await pay(shopper, shop, 30_000);
    expect((await giveBack(shop.browser, id, 'key')).status).toBe(200);
    expect(await balanceOf(target, shopper.handle)).toBe(50_000);
  });

  it('the fee counts as part of the payment [D-95]', async () => {
    const setFee = (version: number, fixed: number) =>
      target.rows(
        `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
          SELECT 'platform', value, ?, ?, 0, 'payer', 'operator', 1 FROM json_each('["transfer","withdrawal"]')`,
        [version, fixed],
      );
    await setFee(1, 500);
    const { browser } = await newCautious(20_000);
    for (const [, start] of pays) {
      expect((await (await start(browser, 19_500))(browser)).status).toBe(200);
      expect(await seen(await (await start(browser, 19_501))(browser))).toEqual(notFresh);
    }
    await setFee(2, 0);
  });

  it('the page that sends money leads through a new sign-in and back [D-95]', async () => {
    const person = await newCautious(1000);
    const { browser } = person;
    const post = (by: Browser, path: string, fields: Record<string, string> = {}) =>
      by.navigate(path, form(fields, target.origin));
    const shop = await newHolder(target);
    const asked = await post(browser, '/account/wallet/send', { to: shop.handle, amount: '1001', memo: '' });
    const path = asked.headers.get('Location') ?? '';
    const refused = await post(browser, path);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([403, 'not_fresh']);
    const page = await refused.text();
    expect(page).toContain(`data-next="${path}"`);
    expect(page).toMatch(/href="[^"]*prompt=login[^"]*"/);
    expect((await post(await anotherBrowser(target, person), path)).status).toBe(303);
    expect(await balanceOf(target, shop.handle)).toBe(1001);
  });

  it('the send and withdraw pages show that a passkey is required [D-95]', async () => {
    const { browser } = await newCautious(1000);
    const shop = await newHolder(target);
    const send = async () => {
      const fields = { to: shop.handle, amount: '1001', memo: '' };
      const asked = await browser.navigate('/account/wallet/send', form(fields, target.origin));
      const path = asked.headers.get('Location') ?? '';
      return (await browser.navigate(path, form({}, target.origin))).text();
    };
    const withdraw = async () => {
      const path = withdrawPath(await quoteOf(browser, 20_000));
      return (await browser.navigate(path, form({}, target.origin))).text();
    };
    const text = 'sign in with your passkey';
    for (const ask of [send, withdraw]) expect(await ask()).not.toContain(text);
    expect((await addPasskey(browser, createAuthenticator(target.origin))).status).toBe(200);
    for (const ask of [send, withdraw]) expect(await ask()).toContain(text);
  });
});

describe('an app with a grant', () => {
  const scopes = ['openid', 'fiat:transfer'];
  let relation: Relation;
  let token = '';
  let to = '';
  beforeAll(async () => {
    relation = await newRelation(target, { scopes });
    to = `${(await newHolder(target)).handle}@pid`;
    await relation.person.browser.fetch('/v1/wallet', { method: 'POST' });
    await fundedWallet(target, relation.person.handle, 100_000);
    token = (await appSignIn(relation, { scope: scopes.join(' ') })).access_token;
    await target.rows('UPDATE grants SET per_transfer = 9000 WHERE app_id = ?', [relation.app.id]);
  });

  const ask = (path: string, body: object) => {
    const init = json('POST', body);
    return target.request(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  };
  const inquiry = async (amount: number) =>
    (await (await ask('/v1/fiat/transfers/inquiry', { to, amount })).json()) as Inquiry;
  const confirm = ({ id }: Inquiry) => ask('/v1/fiat/transfers/confirm', { inquiryId: id });

  it('needs an approval above the payer’s step-up amount [D-95]', async () => {
    await setStepUp(relation.person, 1000);
    const below = await inquiry(1000);
    expect(below.requiresApproval).toBe(false);
    expect((await confirm(below)).status).toBe(200);
    const above = await inquiry(1001);
    expect(above.requiresApproval).toBe(true);
    expect(await seen(await confirm(above))).toEqual(refusal(403, 'User approval is required'));
    const before = await inquiry(1000);
    await setStepUp(relation.person, 999);
    expect(await seen(await confirm(before))).toEqual(refusal(403, 'Grant spending limit exceeded'));
    expect(await balanceOf(target, relation.person.handle)).toBe(99_000);
  });
});
