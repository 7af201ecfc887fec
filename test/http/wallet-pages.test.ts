import { describe, expect, it } from 'vitest';
import { advanceToNoon } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { payAt } from '../support/deposits.ts';
import { mailsTo } from '../support/mailbox.ts';
import { balanceOf, newHolder, pay } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';

const target = useService();

const wallet = '/account/wallet';
const send = `${wallet}/send`;
const post = (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  browser.navigate(path, form(fields, target.origin));
const led = (answer: Response) => [answer.status, answer.headers.get('Location')];

async function open(browser: Browser, path: string, language = 'en'): Promise<string> {
  const page = await browser.navigate(path, { headers: { 'Accept-Language': language } });
  expect(page.status, path).toBe(200);
  return (await page.text()).replaceAll('\u00a0', ' ');
}

/** Fills in the form, and returns the URL of the confirmation page. */
async function prepare(from: Browser, to: string, amount: string, memo = ''): Promise<string> {
  const answer = await post(from, send, { to, amount, memo });
  expect(answer.status).toBe(303);
  return answer.headers.get('Location') ?? '';
}

async function refusal(answer: Response): Promise<[number, string | null, string]> {
  return [answer.status, answer.headers.get('X-Error-Code'), await answer.text()];
}

describe('/account/wallet', () => {
  it('offers to open a wallet, opens it only once, and is an account tab', async () => {
    const { browser } = await newMember(target);
    expect(await open(browser, '/account/profile')).toContain(`href="${wallet}"`);
    expect(await open(browser, wallet)).toContain('Open your wallet');
    expect(led(await browser.navigate(send))).toEqual([303, wallet]);
    for (let time = 0; time < 2; time += 1)
      expect(led(await post(browser, wallet))).toEqual([303, `${wallet}?done=walletOpened`]);
    const page = await open(browser, `${wallet}?done=walletOpened`);
    for (const text of ['Your wallet is open', 'IDR 0', 'No transactions yet', `href="${send}"`])
      expect(page).toContain(text);
    expect(await open(browser, wallet, 'id')).toContain('Rp 0');
  });

  it('paginates transactions, filters them by kind, direction and date, and offers the same days as a file', async () => {
    await advanceToNoon(target);
    const [ada, ben] = [await newHolder(target, 500_000), await newHolder(target)];
    for (let nth = 1; nth <= 11; nth += 1) await pay(ada, ben, nth * 1000, { memo: `number ${nth}!` });
    const first = await open(ben.browser, wallet);
    expect(first).toContain('IDR 66,000');
    expect(first).toContain('+IDR 11,000');
    expect(first).not.toContain('number 1!');
    const today = new Date(target.now()).toISOString().slice(0, 10);
    const narrowed = `${wallet}?kind=transfer&direction=in&from=${today}&until=${today}`;
    const page = await open(ben.browser, narrowed);
    const older = /href="([^"]*cursor=[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(older).toContain(`direction=in&from=${today}&until=${today}`);
    expect(await open(ben.browser, older)).toContain('number 1!');
    const file = /href="(\/v1\/wallet\/statement[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const csv = await (await ben.browser.navigate(file)).text();
    expect(csv.match(/number \d+!/g)).toHaveLength(11);
    expect(await open(ben.browser, `${wallet}?direction=out`)).toContain('No transactions match');
    expect(await open(ben.browser, `${wallet}?kind=&until=2020-01-01`)).toContain('No transactions match');
    expect((await ben.browser.navigate(`${wallet}?until=tomorrow`)).status).toBe(400);
  });

  it('reports that the wallet or the ledger is frozen, and offers no payment', async () => {
    const [ada, ben] = [await newHolder(target, 9_000), await newHolder(target)];
    const ready = await prepare(ada.browser, ben.handle, '500');
    await target.rows(`UPDATE accounts SET status = 'frozen' WHERE owner = ?`, [ada.handle]);
    const frozen = await open(ada.browser, wallet);
    expect(frozen).toContain('Your wallet is frozen');
    expect(frozen).not.toContain(`href="${send}"`);
    expect(await refusal(await post(ada.browser, ready))).toMatchObject([
      403,
      'wallet_frozen',
      /Wallet is frozen/,
    ]);
    await target.rows(`UPDATE accounts SET status = 'active' WHERE owner = ?`, [ada.handle]);
    for (const mode of ['frozen', 'disabled']) {
      await target.rows('UPDATE ledger SET mode = ? WHERE id = 1', [mode]);
      const paused = await open(ada.browser, wallet);
      expect(paused).toContain('Payments are paused');
      expect(paused).not.toContain(`href="${send}"`);
      for (const answer of [
        await post(ada.browser, ready),
        await post(ada.browser, send, { to: ben.handle, amount: '500' }),
      ])
        expect(await refusal(answer)).toMatchObject([503, `ledger_${mode}`, /Payments are paused/]);
    }
    await target.rows(`UPDATE ledger SET mode = 'open' WHERE id = 1`);
    expect(await balanceOf(target, ada.handle)).toBe(9_000);
  });

  it('sends anonymous visitors to sign-in, and people with a revoked session to the renewal page', async () => {
    const { browser, handle } = await newHolder(target, 5);
    await target.rows(`UPDATE sessions SET revoked_at = ?, revoked_reason = 'ended' WHERE handle = ?`, [
      target.now(),
      handle,
    ]);
    expect(await open(browser, wallet)).toContain('Your session is being renewed');
    for (const path of [wallet, send])
      expect(led(await openBrowser(target).navigate(path))).toEqual([
        302,
        `/signin?returnTo=${encodeURIComponent(`self:${path}`)}`,
      ]);
  });
});

describe('the page of a transaction', () => {
  const page = (id: string) => `${wallet}/transactions/${id}`;

  it('shows the parties, the fee, the message, the state and the reference, but only to the two parties', async () => {
    const [ada, ben, eve] = [
      await newHolder(target, 50_000),
      await newHolder(target),
      await newHolder(target),
    ];
    const { id } = await pay(ada, ben, 25_000, { memo: '<i>tea</i>' });
    const sent = await open(ada.browser, page(id));
    for (const text of [
      `${ada.handle}@pid`,
      `${ben.handle}@pid`,
      '-IDR 25,000',
      '<bdi>i tea i</bdi>',
      'Completed',
      id,
    ])
      expect(sent).toContain(text);
    expect(sent).not.toMatch(/IDR 0|>Fee<|\/refund/);
    expect(await open(ben.browser, page(id))).toContain(`href="${page(id)}/refund"`);
    for (const path of [page(id), `${page(id)}/refund`])
      expect((await eve.browser.navigate(path)).status).toBe(404);
    expect(led(await ada.browser.navigate(`${page(id)}/refund`))).toEqual([303, page(id)]);
    expect(led(await openBrowser(target).navigate(page(id)))).toEqual([
      302,
      `/signin?returnTo=${encodeURIComponent(`self:${page(id)}`)}`,
    ]);
  });

  it('sends the receipt to the person’s own addresses, at most 20 times an hour', async () => {
    const [ada, ben] = [await newHolder(target, 50_000), await newHolder(target)];
    const { id } = await pay(ada, ben, 25_000, { memo: 'see evil.example' });
    const isOffered = (text: string) => text.includes('Send by email');
    expect(isOffered(await open(ada.browser, page(id)))).toBe(true);
    for (let time = 0; time < 21; time += 1)
      expect(led(await post(ada.browser, page(id)))).toEqual([303, `${page(id)}?done=receiptMailed`]);
    const mails = (await mailsTo(target, ada.claims.email)).filter(({ kind }) => kind === 'receipt');
    expect(mails).toHaveLength(20);
    const text = mails[0]?.content?.text.replaceAll('\u00a0', ' ');
    for (const part of ['Transfer', 'Rp 25.000', `Ke: ${ben.handle}@pid`, 'see evil example', id])
      expect(text).toContain(part);
    expect(text).not.toContain('Biaya');
    await target.rows('UPDATE credentials SET email = NULL WHERE handle = ?', [ben.handle]);
    expect(isOffered(await open(ben.browser, page(id)))).toBe(false);
    expect((await post((await newHolder(target)).browser, page(id))).status).toBe(404);
  });

  it('refunds a received payment, in part and then in full, once for each form', async () => {
    const [ada, ben] = [await newHolder(target, 50_000), await newHolder(target)];
    const { id } = await pay(ada, ben, 25_000);
    const form = `${page(id)}/refund`;
    const asked = await open(ben.browser, form);
    expect(asked).toContain('value="25,000"');
    expect(asked).not.toContain('Fees are not returned');
    const entry = 'amount=5.000&memo=sorry';
    const review = await open(ben.browser, `${form}?${entry}`);
    for (const text of [
      '>Refund IDR 5,000<',
      `${ada.handle}@pid`,
      '<dd class="number">IDR 20,000</dd>',
      'sorry',
    ])
      expect(review).toContain(text);
    expect(await open(ben.browser, `${form}?${entry}&change=1`)).toContain('value="5.000"');
    for (const [amount, problem] of [
      ['25.001', 'Refund exceeds'],
      ['x', 'in whole rupiah'],
    ])
      expect(await open(ben.browser, `${form}?amount=${amount}`)).toContain(problem);
    for (let time = 0; time < 2; time += 1)
      expect(led(await post(ben.browser, form, { amount: '5.000', token: 'a', memo: 'sorry' }))).toEqual([
        303,
        `${page(id)}?done=refunded`,
      ]);
    expect(await balanceOf(target, ada.handle)).toBe(30_000);
    const partly = await open(ben.browser, page(id));
    expect(partly).toContain('IDR 5,000 refunded');
    const [, made = ''] = /<dt>Refund<\/dt><dd><a href="([^"]*)">IDR 5,000</.exec(partly) ?? [];
    expect(await open(ada.browser, made)).toMatch(/Refund from .*\+IDR 5,000/s);
    const refused = await refusal(await post(ben.browser, form, { amount: '20.001', token: 'b' }));
    expect(refused).toMatchObject([400, 'refund_exceeds', /value="20\.001"/]);
    for (const amount of ['', '0', 'all'])
      expect(await refusal(await post(ben.browser, form, { amount, token: 'c' }))).toMatchObject([
        400,
        'validation_failed',
        /in whole rupiah/,
      ]);
    await post(ben.browser, form, { amount: '20000', token: 'd' });
    const [done, back] = [await open(ben.browser, page(id)), await open(ada.browser, wallet)];
    expect(done).toContain('Refunded in full');
    expect(done).not.toContain(form);
    const refund = /href="([^"]*\/transactions\/trf_\w+)"/.exec(back)?.[1] ?? '';
    expect(await open(ada.browser, refund)).toContain(`href="${page(id)}"`);
  });
});

describe('days in the service’s time zone', () => {
  const jakarta = useService({ TIME_ZONE: 'Asia/Jakarta' });

  it('group the transactions, limit the filter, and match those in the file', async () => {
    await advanceToNoon(jakarta);
    const [ada, ben] = [await newHolder(jakarta, 5_000), await newHolder(jakarta)];
    // It is noon in that time zone: 13 hours later, the date is the next day there, but not in UTC.
    await pay(ada, ben, 1_000, { memo: 'today!' });
    await jakarta.advance(13 * 3600);
    for (const { browser } of [ada, ben]) await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    await pay(ada, ben, 2_000, { memo: 'after midnight!' });
    const page = await open(ben.browser, wallet);
    expect(
      page.replace(
        /.*?(Today|after midnight!|Yesterday|today!)(?:(?!Today|after midnight!|Yesterday|today!).)*/gs,
        '$1 ',
      ),
    ).toBe('Today after midnight! Yesterday today! ');
    expect(page).toMatch(/>01:00<.*>12:00</s);
    const day = new Date(jakarta.now() + 7 * 3_600_000).toISOString().slice(0, 10);
    const narrowed = await open(ben.browser, `${wallet}?from=${day}&until=${day}`);
    expect([narrowed.includes('after midnight!'), narrowed.includes('today!')]).toEqual([true, false]);
    const file = /href="(\/v1\/wallet\/statement[^"]*)"/.exec(narrowed)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const csv = await (await ben.browser.navigate(file)).text();
    expect(csv.match(/\w+!/g)).toEqual(['midnight!']);
    expect(csv).toContain(`\r\n${day}T01:00:`);
    expect((await ben.browser.navigate(`${wallet}?from=2026-02-30`)).status).toBe(400);
  });
});

describe('topping up without JavaScript', () => {
  const topUp = `${wallet}/top-up`;
  async function begin(by: Browser, fields: Record<string, string>): Promise<string> {
    const answer = await post(by, topUp, { token: 'once', method: 'qris', ...fields });
    expect(answer.status).toBe(303);
    return answer.headers.get('Location') ?? '';
  }
  const idOf = (path: string) => ({ id: path.split('/').at(-1) ?? '' });

  it('leads to the provider and back, shows the result, and happens only once even if the form is sent repeatedly', async () => {
    const { browser, handle } = await newHolder(target);
    expect(await open(browser, wallet)).toContain(`href="${topUp}"`);
    expect(await open(browser, topUp, 'id')).toContain('Isi saldo');
    const path = await begin(browser, { amount: '50.000' });
    expect(await begin(browser, { amount: '50.000' })).toBe(path);
    const { id } = idOf(path);
    const page = await open(browser, path);
    for (const text of [
      'Top up IDR 50,000',
      'Waiting for your payment',
      `/dev/gateway/${id}"`,
      'Cancel this',
    ])
      expect(page).toContain(text);
    await payAt(target, { id }, 'pay');
    expect(led(await target.request(`/fiat/return/${id}`))).toEqual([303, path]);
    expect(await open(browser, path)).toContain('credited only once');
    const after = await open(browser, wallet);
    for (const text of ['In your wallet', `href="${path}"`, '+IDR 50,000']) expect(after).toContain(text);
    const movement = await open(browser, `${wallet}/transactions/${id}`);
    for (const text of ['Top-up', '+IDR 50,000', `href="${path}"`]) expect(movement).toContain(text);
    expect(await balanceOf(target, handle)).toBe(50_000);
    expect((await (await newHolder(target)).browser.navigate(path)).status).toBe(404);
  });

  it('shows each deposit state, checks a deposit again and cancels it', async () => {
    const { browser } = await newHolder(target);
    const states = [
      ['fail', 'The payment did not go through'],
      ['expire', 'Nothing was paid'],
      ['wrong', 'The operator is checking it'],
    ] as const;
    for (const [action, text] of states) {
      const path = await begin(browser, { amount: '10000', token: action });
      await payAt(target, idOf(path), action);
      expect(led(await post(browser, path, { do: 'check' }))).toEqual([303, path]);
      expect(await open(browser, path)).toContain(text);
    }
    const path = await begin(browser, { amount: '10000', token: 'cancelled' });
    await post(browser, path, { do: 'cancel' });
    expect(await open(browser, path)).toContain('Nothing was paid');
    const given = await begin(browser, { amount: '10000', token: 'given back' });
    await payAt(target, idOf(given), 'pay');
    await post(browser, given, { do: 'check' });
    const late = await post(browser, given, { do: 'cancel' });
    expect(await refusal(late)).toMatchObject([400, 'deposit_final', /can no longer be cancelled/]);
    await target.advance(2);
    await payAt(target, idOf(given), 'refund', 'once');
    await expect.poll(() => open(browser, given)).toContain('taken from your wallet');
  });

  it('shows the problem with an amount, and a notice if deposits are unavailable', async () => {
    const { browser, handle } = await newHolder(target);
    const refused = async (amount: string) => refusal(await post(browser, topUp, { amount }));
    expect(await refused('lots')).toMatchObject([400, 'validation_failed', /in whole rupiah/]);
    expect(await refused('9999')).toMatchObject([400, 'deposit_too_small', /minimum deposit is 10000 IDR/]);
    const status = (to: string) =>
      target.rows('UPDATE accounts SET status = ? WHERE owner = ?', [to, handle]);
    await status('frozen');
    expect(await open(browser, wallet)).not.toContain(`href="${topUp}"`);
    expect(await refused('50000')).toMatchObject([403, 'wallet_frozen', /Wallet is frozen/]);
    await status('active');
    await target.rows(`UPDATE ledger SET mode = 'frozen'`);
    expect(await refused('50000')).toMatchObject([503, 'ledger_frozen', /Payments are paused/]);
    await target.rows(`UPDATE ledger SET mode = 'open'`);
    const bare = await newMember(target);
    for (const answer of [
      await bare.browser.navigate(topUp),
      await post(bare.browser, topUp, { amount: '50000' }),
    ])
      expect(led(answer)).toEqual([303, wallet]);
  });
});

describe('sending money without JavaScript', () => {
  it('shows name, PID, fee and total before sending, and sends only once', async () => {
    const [ada, ben] = [await newHolder(target, 50_000), await newHolder(target)];
    await ben.browser.fetch('/v1/me', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ displayName: 'Ben שלום' }),
    });
    await target.rows(
      `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
        VALUES ('platform', 'transfer', 1, 500, 0, 'payer', 'operator', 1)`,
    );
    const path = await prepare(ada.browser, ben.handle, '25.000', '<b>lunch</b>');
    await target.rows(
      `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
        VALUES ('platform', 'transfer', 2, 0, 0, 'payer', 'operator', 1)`,
    );
    const page = await open(ada.browser, path);
    for (const text of [
      '<bdi>Ben שלום</bdi>',
      `${ben.handle}@pid</small>`,
      '<bdi>b lunch b</bdi>',
      'IDR 25,000',
      'IDR 500',
      'Send IDR 25,500',
    ])
      expect(page).toContain(text);
    expect(await balanceOf(target, ada.handle)).toBe(50_000);
    const receipt = `${wallet}/transactions/${path.split('inq_')[1]?.replace(/^/, 'trf_')}`;
    for (let time = 0; time < 2; time += 1)
      expect(led(await post(ada.browser, path))).toEqual([303, `${receipt}?sent=1`]);
    expect([await balanceOf(target, ada.handle), await balanceOf(target, ben.handle)]).toEqual([
      24_500, 25_000,
    ]);
    const after = await open(ada.browser, `${receipt}?sent=1`);
    for (const text of [
      'Money sent</h1><p class="amount number out">-IDR 25,500',
      `<bdi>Ben שלום</bdi><div class="mono">${ben.handle}@pid`,
      '<dd>IDR 500</dd>',
      `id="reference">${receipt.split('/').at(-1)}<`,
    ])
      expect(after).toContain(text);
    expect(await open(ben.browser, `${receipt}?sent=1`)).not.toContain('Money sent');
    expect(await open(ada.browser, receipt)).toContain('Sent to <bdi>Ben שלום</bdi></h1>');
    expect(await open(ada.browser, wallet)).toContain(`href="${receipt}"`);
    expect(led(await ada.browser.navigate(path))).toEqual([303, `${receipt}?sent=1`]);
  });

  it('shows nothing in a stranger’s name and message that looks like an address [D-95]', async () => {
    const [ada, ben] = [await newHolder(target, 50_000), await newHolder(target, 50_000)];
    await ben.browser.fetch('/v1/me', json('PATCH', { displayName: 'Bank bank.id/claim' }));
    await ada.browser.fetch('/v1/me', json('PATCH', { displayName: '...' }));
    for (const [from, to] of [
      [ben, ada],
      [ada, ben],
    ] as const)
      await post(from.browser, await prepare(from.browser, to.handle, '1.000', 'See evil。example/pay: 5'));
    const [sent, received] = await target.rows<{ id: string }>(
      `SELECT 'trf_' || id AS id FROM transfers WHERE payer IN (?1, ?2) ORDER BY payer = ?1 DESC`,
      [ben.handle, ada.handle],
    );
    const pages: string[] = [];
    for (const path of [
      wallet,
      `${wallet}/transactions/${sent?.id}`,
      `${wallet}/transactions/${received?.id}`,
      `${wallet}/send`,
      `${wallet}/send?${new URLSearchParams({ to: `${ben.handle}@pid`, memo: 'evil.example' })}`,
      await prepare(ada.browser, ben.handle, '1.000', 'See evil。example/pay: 5'),
    ])
      pages.push(await open(ada.browser, path));
    for (const page of pages) expect(page).not.toMatch(/bank\.id|<bdi>[^<]*evil[.。]/);
    expect(pages[0]).toContain('<bdi>See evil example pay 5</bdi>');
    for (const page of pages) expect(page).toContain('<bdi>Bank bank id claim</bdi>');
    expect(pages[1]).toContain(`${ben.handle}@pid (Bank bank id claim)`);
    expect(await open(ben.browser, wallet)).toContain(`<bdi>${ada.handle}@pid</bdi>`);
  });

  it('offers the most recent recipients, and fills in the chosen one', async () => {
    const [ada, ben, cleo] = [
      await newHolder(target, 5_000),
      await newHolder(target),
      await newHolder(target),
    ];
    expect(await open(ada.browser, send)).not.toContain('Recent people');
    for (const to of [ben, cleo, ben]) await pay(ada, to, 1_000);
    const links = [...(await open(ada.browser, send)).matchAll(/href="(\/account\/wallet\/send\?to[^"]*)"/g)];
    expect(links.map(([, path]) => path)).toEqual(
      [ben, cleo].map(({ handle }) => `${send}?to=${handle}%40pid`),
    );
    expect(await open(ada.browser, links[0]?.[1] ?? '')).toContain(`value="${ben.handle}@pid"`);
  });

  it('sends the whole balance minus the fee, and shows the shortfall', async () => {
    const [ada, ben] = [await newHolder(target, 50_000), await newHolder(target)];
    await target.rows(
      `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
        VALUES ('platform', 'transfer', 3, 500, 100, 'payer', 'operator', 1)`,
    );
    const answer = await post(ada.browser, send, { to: ben.handle, amount: '', memo: '', all: '1' });
    const path = answer.headers.get('Location') ?? '';
    expect(await open(ada.browser, path)).toMatch(/IDR 49,009.*IDR 991.*Send IDR 50,000/s);
    const more = await open(ada.browser, await prepare(ada.browser, ben.handle, 'Rp 50.000'));
    expect(more).toContain('Your balance is IDR 1,000 too low');
    expect(more).toContain(`href="${wallet}/top-up?amount=10000"`);
    await target.rows(
      `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
        VALUES ('platform', 'transfer', 4, 0, 0, 'payer', 'operator', 1)`,
    );
    await post(ada.browser, path);
    expect([await balanceOf(target, ada.handle), await balanceOf(target, ben.handle)]).toEqual([0, 49_009]);
    expect(await open(ada.browser, send)).not.toContain('Send all');
  });

  it('keeps the input, and shows the problem next to the field', async () => {
    const [ada, ben] = [await newHolder(target, 5_000), await newMember(target)];
    const cases = [
      [{ to: 'nobody.at.all', amount: '5' }, 404, 'recipient_unavailable', 'Unknown recipient'],
      [{ to: ben.handle, amount: '5' }, 404, 'recipient_unavailable', 'Unknown recipient'],
      [{ to: ` ${ada.handle}@pid `, amount: '5' }, 400, 'own_wallet', 'Cannot transfer to your own wallet'],
      ...['', '0', '-5', '2.5', '1,00', '1.000,000', '5e3', '٥'].map(
        (amount) => [{ to: ben.handle, amount }, 400, 'validation_failed', 'in whole rupiah'] as const,
      ),
      [{ to: ben.handle, amount: '5', memo: 'a\u202eb' }, 400, 'validation_failed', 'no invisible ones'],
    ] as const;
    for (const [fields, status, code, text] of cases) {
      const [gotStatus, gotCode, page] = await refusal(await post(ada.browser, send, fields));
      expect([fields, gotStatus, gotCode]).toEqual([fields, status, code]);
      expect(page).toContain(text);
      expect(page).toContain(`value="${fields.to}"`);
    }
    const huge = await refusal(
      await post(ada.browser, send, { to: (await newHolder(target)).handle, amount: '9999999999999' }),
    );
    expect(huge).toMatchObject([400, 'amount_too_large', /Amount too large/]);
    expect(await balanceOf(target, ada.handle)).toBe(5_000);
  });

  it('rejects an amount above the balance, an expired inquiry, and another person’s inquiry', async () => {
    const [ada, ben] = [await newHolder(target, 700), await newHolder(target)];
    const [first, second] = [
      await prepare(ada.browser, ben.handle, '700'),
      await prepare(ada.browser, ben.handle, '1'),
    ];
    expect((await ben.browser.navigate(first)).status).toBe(404);
    expect((await post(ben.browser, first)).status).toBe(404);
    await post(ada.browser, first);
    expect(await refusal(await post(ada.browser, second))).toMatchObject([
      400,
      'insufficient_internal_credit',
      /Insufficient internal credit/,
    ]);
    expect(await open(ada.browser, second)).toContain('Your balance is IDR 1 too low');
    await target.advance(301);
    await ada.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await open(ada.browser, second)).toContain('This payment can no longer be sent');
    expect(await refusal(await post(ada.browser, second))).toMatchObject([400, 'inquiry_expired', /expired/]);
    expect(await balanceOf(target, ben.handle)).toBe(700);
  });
});

describe('a payment request link', () => {
  const request = `${wallet}/request`;
  const linkIn = (page: string) => />\s*(http[^<]*)</.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

  it('is created with a QR code, and fills in the form for anyone who opens it, even after sign-in and opening a wallet', async () => {
    const [ada, ben] = [await newHolder(target), await newHolder(target, 50_000)];
    expect(linkIn(await open(ada.browser, request))).toBe(`${target.origin}${send}?to=${ada.handle}%40pid`);
    const page = await open(ada.browser, `${request}?amount=Rp+25.000&memo=Lunch%2C+3`);
    expect(page).toMatch(/<svg class="qr" role="img" aria-label="QR code of the link"/);
    const path = linkIn(page).slice(target.origin.length);
    expect(path).toBe(`${send}?to=${ada.handle}%40pid&amount=25000&memo=Lunch%2C+3`);
    const filled = await open(ben.browser, path);
    for (const text of [`value="${ada.handle}@pid"`, 'value="25,000"', 'value="Lunch, 3"', 'Check who gets'])
      expect(filled).toContain(text);
    expect(led(await openBrowser(target).navigate(path))).toEqual([
      302,
      `/signin?${new URLSearchParams({ returnTo: `self:${path}` })}`,
    ]);
    const newcomer = await newMember(target);
    const offer = await open(newcomer.browser, path);
    const next = /name="next" value="([^"]*)"/.exec(offer)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect([offer.includes('Open your wallet'), next]).toEqual([true, path]);
    expect(led(await post(newcomer.browser, wallet, { next }))).toEqual([303, path]);
    expect(led(await post(newcomer.browser, wallet, { next: '//evil.example' }))).toEqual([
      303,
      `${wallet}?done=walletOpened`,
    ]);
  });

  it('is not created for an invalid amount or message', async () => {
    const { browser } = await newHolder(target);
    for (const query of [
      'amount=0',
      'amount=lots',
      'memo=%3Cb%3E',
      'memo=a%E2%80%AEb',
      `memo=${'%F0%9F%8D%9C'.repeat(60)}`,
    ]) {
      const answer = await browser.navigate(`${request}?${query}`);
      const page = await answer.text();
      expect([
        query,
        answer.status,
        page.includes('aria-invalid="true"'),
        page.includes('class="qr"'),
      ]).toEqual([...[query, 400, true, false]]);
    }
  });

  it('fills in nothing if it is invalid, and explains why', async () => {
    const [ada, ben] = [await newHolder(target, 5_000), await newHolder(target)];
    const to = `to=${ben.handle}%40pid`;
    const cases = [
      [`${to}&amount=0`, 400, 'Its amount cannot be sent'],
      [`${to}&amount=10000000000000`, 400, 'Its amount cannot be sent'],
      [`${to}&amount=-5`, 400, 'Its amount cannot be sent'],
      [`${to}&memo=%3Cimg+src%3Dx%3E`, 400, 'Its message is not allowed'],
      [`to=${ada.handle}%40pid`, 400, 'Cannot transfer to your own wallet'],
      [`to=${ada.handle.toUpperCase()}%40PID`, 400, 'Cannot transfer to your own wallet'],
      ['to=nobody.at.all%40pid&amount=5', 404, 'Unknown recipient'],
      ['amount=5', 404, 'Unknown recipient'],
    ] as const;
    for (const [query, status, text] of cases) {
      const answer = await ada.browser.navigate(`${send}?${query}`);
      const page = await answer.text();
      expect([query, answer.status, page.includes(text), /<input(?!.*hidden)/.test(page)]).toEqual([
        ...[query, status, true, false],
      ]);
    }
  });
});
