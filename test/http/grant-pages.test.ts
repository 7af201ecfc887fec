import { describe, expect, it } from 'vitest';
import type { Grant } from '../../src/features/grant/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { newMember } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

/** A person who has allowed an app. */
async function allowed(scopes?: string[]) {
  const [owner, { browser, handle }] = [await newMember(target), await newMember(target)];
  const { id: app } = await newApp(owner.browser);
  const id = await insertGrant(target, app, handle, scopes);
  return { browser, id, path: `/account/allowed/${id}` };
}

const post = (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  browser.navigate(path, form(fields, target.origin));
const led = (answer: Response) => [answer.status, answer.headers.get('Location')];
const grantsOf = async (browser: Browser) =>
  ((await (await browser.fetch('/v1/grants')).json()) as Page<Grant>).data;

async function open(browser: Browser, path: string, language = 'en'): Promise<string> {
  const page = await browser.navigate(path, { headers: { 'Accept-Language': language } });
  expect(page.status, path).toBe(200);
  return page.text();
}

describe('/account/apps', () => {
  it('describes the permissions of each app, and is linked from the apps page', async () => {
    const { browser, path } = await allowed();
    expect(await open(browser, '/account/apps')).toContain('href="/developers"');
    const english = await open(browser, '/account/apps');
    for (const text of ['Corner Shop', 'see your PID', 'ask you for payments', 'Not used yet', path]) {
      expect(english).toContain(text);
    }
    expect(await open(browser, '/account/apps', 'id')).toContain('melihat PID Anda');
    const nobody = await newMember(target);
    expect(await open(nobody.browser, '/account/apps')).toContain('You have not allowed any app');
  });

  it('sends anonymous visitors to sign-in, and hides other people’s grants', async () => {
    const { path } = await allowed();
    const answer = await openBrowser(target).navigate('/account/apps');
    expect(led(answer)).toEqual([302, '/signin?returnTo=self%3A%2Faccount%2Fapps']);
    const other = await newMember(target);
    for (const page of [path, `${path}/end`]) expect((await other.browser.navigate(page)).status).toBe(404);
    expect((await post(other.browser, `${path}/end`)).status).toBe(404);
  });
});

describe('an allowed app’s page', () => {
  const empty = {
    perTransfer: '',
    perPeriod: '',
    periodDays: '',
    total: '',
    maxUses: '',
    payees: '',
    expiresAt: '',
  };

  it('saves limits, accepts a handle as a PID and a date as the end, and removes empty limits', async () => {
    const { browser, path } = await allowed();
    const expiresAt = new Date(target.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const fields = { ...empty, perTransfer: '50000', perPeriod: '200.000', periodDays: '30', expiresAt };
    const fee = { feePercent: '0,7', feeFixed: '500' };
    const saved = await post(browser, path, { ...fields, ...fee, payees: 'ada\nben@pid' });
    expect(led(saved)).toEqual([303, `${path}?done=grantSaved`]);
    expect(await grantsOf(browser)).toMatchObject([
      {
        limits: {
          perTransfer: 50_000,
          perPeriod: 200_000,
          periodDays: 30,
          payees: ['ada@pid', 'ben@pid'],
          feeBps: 70,
          feeFixed: 500,
        },
        expiresAt: `${expiresAt}T23:59:59.999Z`,
      },
    ]);
    const page = await open(browser, path);
    expect(page.replaceAll('\u00a0', ' ')).toContain(
      'Corner Shop may take up to IDR 50,000 per payment and IDR 200,000 a month without asking you. ' +
        'Only to ada@pid, ben@pid. The app’s own fee is at most 0.7% + IDR 500 per payment.',
    );
    for (const text of [
      `value="${expiresAt}"`,
      'value="50,000"',
      'value="200,000"',
      'IDR\u00a00 in total',
      'value="0.7"',
    ])
      expect(page).toContain(text);
    // Counts are shown with the separators of the language, too.
    await post(browser, path, { ...empty, perPeriod: '9', maxUses: '2.000' });
    expect(await grantsOf(browser)).toMatchObject([{ limits: { maxUses: 2_000 } }]);
    expect(await open(browser, path)).toContain('value="2,000"');
    await post(browser, path, { ...empty, perPeriod: '9', maxUses: '2,000' });
    expect(await grantsOf(browser)).toMatchObject([{ limits: { maxUses: 2_000 } }]);
    await post(browser, path, { ...empty, perPeriod: '9' });
    expect(await grantsOf(browser)).toMatchObject([{ limits: { perPeriod: 9, periodDays: 30 } }]);
    await post(browser, path, empty);
    expect(await open(browser, path)).toContain('asks you before every payment');
    expect(await grantsOf(browser)).toMatchObject([
      {
        limits: {
          perTransfer: null,
          perPeriod: null,
          periodDays: null,
          payees: null,
          feeBps: 0,
          feeFixed: 0,
        },
        expiresAt: null,
      },
    ]);
  });

  it('keeps the input, and shows the problem next to the field', async () => {
    const { browser, path } = await allowed();
    const refused = await post(browser, path, {
      ...empty,
      perTransfer: '5,5',
      payees: 'no body@pid',
      expiresAt: '2020-01-01',
    });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([400, 'validation_failed']);
    const page = await refused.text();
    expect(page).toContain('value="5,5"');
    expect(page).toContain('Enter a whole number');
    expect(page).toContain('no body@pid is not a PID');
    const fee = await (await post(browser, path, { ...empty, feePercent: '', feeFixed: '-1' })).text();
    expect(fee).toMatch(
      /<details class="field" open.*Enter a percentage from 0 to 100.*Enter 0, or an amount/s,
    );
    const past = await post(browser, path, { ...empty, expiresAt: '2020-01-01' });
    expect(await past.text()).toContain('Enter a day in the future');
    expect(await grantsOf(browser)).toMatchObject([{ limits: { perTransfer: null }, expiresAt: null }]);
  });

  it('neither offers nor sets money limits for an app that cannot pay', async () => {
    const { browser, path } = await allowed(['openid']);
    expect(await open(browser, path)).not.toContain('perTransfer');
    await post(browser, path, { ...empty, perTransfer: '5' });
    expect(await grantsOf(browser)).toMatchObject([{ limits: { perTransfer: null } }]);
  });

  it('requires a recent sign-in to change limits', async () => {
    const { browser, path } = await allowed();
    await target.advance(1000);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const answer = await post(browser, path, { ...empty, total: '5' });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([403, 'not_fresh']);
    expect(await answer.text()).toContain('Sign in again');
  });

  it('revokes access after a confirmation, without JavaScript', async () => {
    const { browser, path } = await allowed();
    expect(await open(browser, `${path}/end`)).toContain('Remove the access of Corner Shop?');
    const ended = await post(browser, `${path}/end`);
    expect(led(ended)).toEqual([303, '/account/apps?done=grantEnded']);
    expect(await grantsOf(browser)).toEqual([]);
    expect(await open(browser, '/account/apps?done=grantEnded')).toContain('Access removed');
  });
});
