import { beforeAll, describe, expect, it } from 'vitest';
import { anotherBrowser, sessionIdOf } from '../support/answers.ts';
import { newPayStage, type PayStage } from '../support/approvals.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { balanceOf, inquire, newHolder } from '../support/money.ts';
import { type Member, newMember } from '../support/people.ts';
import { decide, decisionFields } from '../support/popup.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useService } from '../support/service.ts';

// The remaining limit is part of the response.
const target = useService({ RATE_LIMITS: 'on' });

let stage: PayStage;
let payee: Member;
beforeAll(async () => {
  stage = await newPayStage(target);
  payee = await newHolder(target, 100_000);
});

/** A payee who has just signed in, because the clock advances a minute for each limit. */
const self = async () => ({ ...payee, browser: await anotherBrowser(target, payee) });

/** A response without the parts that differ between any two requests. */
async function seenBy(answer: Response): Promise<unknown[]> {
  const random = new Set(['date', 'x-request-id', 'content-length', 'keep-alive', 'connection']);
  const headers = [...answer.headers].filter(([name]) => !random.has(name)).sort();
  const body = (await answer.text())
    .replace(/inq_\w+/g, 'inq_ID')
    .replace(/"id":"[\w-]{22}"/g, '"id":"POPUP"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  // Buckets refill while the test runs.
  const plain = (header: string) => header.replace(/;r=([6-9]|5\d\d);t=\d+$/, ';r=MOST;t=T');
  return [answer.status, headers.map((each) => plain(each.join(': '))), body];
}

/** Everything that an app's page can request about a payment to `payee` by its visitor, and every response. */
async function everyAnswer(browser: Browser, amount = 100): Promise<unknown[]> {
  const answers: unknown[] = [];
  let id = '';
  const call = async (path: string, body: object) => {
    const answer = await stage.call(path, body, browser);
    id ||= ((await answer.clone().json()) as { id?: string }).id ?? '';
    answers.push([path.replace(id, 'ID'), ...(await seenBy(answer))]);
  };
  const inquiry = '/v1/fiat/transfers/inquiry';
  await call(inquiry, { to: `${payee.handle}@pid`, amount });
  await call(inquiry, { to: 'nobody-at-all@pid', amount });
  const headers = { Origin: stage.origin, 'X-App-Id': stage.app.id };
  answers.push(await seenBy(await browser.fetch(`${inquiry}/${id}`, { headers })));
  const confirm = (fields: object) => call('/v1/fiat/transfers/confirm', { inquiryId: id, ...fields });
  await confirm({});
  const { id: popup, verifier, challenge } = makeChannel();
  await call('/v1/popup/requests', { id: popup, kind: 'approval', challenge, inquiryId: id });
  await confirm({ approvalId: popup, verifier });
  await confirm({ approvalId: makeChannel().id, verifier });
  for (const action of ['poll', 'cancel'])
    answers.push(
      await seenBy(await stage.call(`/v1/popup/requests/${popup}/${action}`, { verifier }, browser)),
    );
  await confirm({ approvalId: popup, verifier });
  await call(`${inquiry}/${id}/cancel`, {});
  answers.push(await seenBy(await browser.fetch('/v1/auth/session', { headers })));
  return answers;
}

const set = (sql: string) => async () => {
  const person = await newHolder(target, 100_000);
  await target.rows(sql, [person.handle]);
  return person;
};

const payers: [string, () => Promise<Member>, amount?: number][] = [
  ['is the payee', self],
  ['has no wallet', () => newMember(target)],
  ['has a frozen wallet', set(`UPDATE accounts SET status = 'frozen' WHERE owner = ?`)],
  ['has too little money', () => newHolder(target, 99)],
  ['has to sign in again', set('UPDATE profiles SET step_up_amount = 0 WHERE handle = ?')],
  [
    'has revoked a grant',
    async () => {
      const person = await newHolder(target, 100_000);
      const id = await insertGrant(target, stage.app.id, person.handle, ['openid', 'fiat:transfer']);
      await target.rows(`UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE id = ?`, [id]);
      return person;
    },
  ],
  [
    'was busy elsewhere',
    async () => {
      const person = await newHolder(target, 100_000);
      for (let count = 0; count < 4; count += 1) await inquire(person.browser, payee.handle, 1);
      await person.browser.fetch('/v1/auth/session');
      return person;
    },
  ],
];

describe('a page of an app that its visitor has not authorized', () => {
  it.each(payers)(
    'gets the same responses, byte for byte, if the visitor %s [D-89]',
    async (_, makePayer) => {
      await target.advance(61);
      const usual = await everyAnswer((await newHolder(target, 100_000)).browser);
      await target.advance(61);
      expect(await everyAnswer((await makePayer()).browser)).toEqual(usual);
    },
  );

  it('gets the same session response every time, whether or not anyone is signed in [D-89]', async () => {
    const read = async (browser: Browser) => {
      await target.advance(61);
      const headers = { Origin: stage.origin, 'X-App-Id': stage.app.id };
      const answers: unknown[] = [];
      for (let count = 0; count < 62; count += 1)
        answers.push(await seenBy(await browser.fetch('/v1/auth/session', { headers })));
      return answers;
    };
    const signedOut = await read(openBrowser(target));
    expect(signedOut[61]).toMatchObject([403, expect.anything(), expect.anything()]);
    expect(await read((await newMember(target)).browser)).toEqual(signedOut);
    const left = await newMember(target);
    await left.browser.fetch('/v1/auth/logout', { method: 'POST' });
    expect(await read(left.browser)).toEqual(signedOut);
  });
});

describe('the approval page', () => {
  const why: [string, () => Promise<Member>, string, string][] = [
    ['pays themselves', self, 'This would pay yourself', 'Ini pembayaran ke diri sendiri'],
    [
      'has no wallet',
      () => newMember(target),
      'You had no wallet when the app asked',
      'Anda belum punya dompet saat aplikasi meminta',
    ],
  ];

  it.each(why)(
    'explains the rejection to a payer who %s, and offers no approval [D-89]',
    async (_, makePayer, english, indonesian) => {
      await target.advance(61);
      const { browser } = await makePayer();
      const before = await balanceOf(target, payee.handle);
      const body = { to: `${payee.handle}@pid`, amount: 100 };
      const asked = await stage.call('/v1/fiat/transfers/inquiry', body, browser);
      const { id: inquiryId } = (await asked.json()) as { id: string };
      const { id, verifier, challenge } = makeChannel();
      await stage.call('/v1/popup/requests', { id, kind: 'approval', challenge, inquiryId }, browser);
      const show = async (language: string) => {
        const headers = { 'Accept-Language': language };
        return (await browser.navigate(`/popup/approve?c=${id}`, { headers })).clone();
      };
      const page = await show('en');
      const fields = await decisionFields(page.clone());
      const text = await page.text();
      expect(text).toContain(english);
      expect(text).not.toContain('value="approved"');
      expect(await (await show('id')).text()).toContain(indonesian);
      const decided = await decide(target, browser, id, { ...fields, decision: 'approved' });
      expect(decided.status).toBe(400);
      // Not even an approval inserted into the database moves money.
      await target.rows(
        `UPDATE popup_requests SET status = 'approved', decided_at = ?, session_id = ? WHERE id = ?`,
        [target.now(), await sessionIdOf({ browser }), id],
      );
      const init = { inquiryId, approvalId: id, verifier };
      const confirmed = await stage.call('/v1/fiat/transfers/confirm', init, browser);
      expect([confirmed.status, confirmed.headers.get('X-Error-Code')]).toEqual([403, 'wallet_frozen']);
      expect(await balanceOf(target, payee.handle)).toBe(before);
    },
  );
});

it('only the service’s own pages learn the reason', async () => {
  await target.advance(61);
  const poor = await newMember(target);
  const ask = (browser: Browser) =>
    browser.fetch('/v1/fiat/transfers/inquiry', json('POST', { to: `${payee.handle}@pid`, amount: 1 }));
  const codes = [await ask((await self()).browser), await ask(poor.browser)].map((answer) =>
    answer.headers.get('X-Error-Code'),
  );
  expect(codes).toEqual(['own_wallet', 'wallet_not_found']);
});
